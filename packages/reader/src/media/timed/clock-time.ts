/** Formats seconds as a position in a video: `00:01:07.250`, without zero milliseconds. */
export function clockTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const whole = Math.floor(milliseconds / 1000)
  const rest = milliseconds % 1000
  const clock = `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`
}
