/** Formatting of figures for people, shared by the command line and the console. */

/** Dollars to the cent; amounts below a dollar to the micro-dollar, without trailing zeros after the cents. */
export function dollarsText(amount: number): string {
  if (amount === 0) return '$0'
  const digits = Math.abs(amount)
    .toFixed(Math.abs(amount) >= 1 ? 2 : 6)
    .replace(/(\.\d\d\d*?)0+$/, '$1')
  return `${amount < 0 ? '-' : ''}$${digits}`
}

/** Milliseconds below a second, then seconds with tenths, minutes with seconds, hours with minutes. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1000) return `${whole} ms`
  const tenths = Math.round(whole / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(whole / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Bytes in the largest unit of 1000 that leaves at least 1, such as `12.3 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  for (; value >= 999.95 && unit < units.length - 1; unit++) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** A share from 0 to 1 with one decimal; below one percent with two. */
export const percentText = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`
