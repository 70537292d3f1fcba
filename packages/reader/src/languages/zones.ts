/** The end of a time zone in a text, and its offset as in RFC 3339: `Z`, `+02:00`. */
interface Zone {
  readonly end: number
  readonly offset: string
}

/** Parts of a second behind a time. */
const fraction = /^[.,]\d{1,9}/u

const named = /^\s?\(?(?:UTC|GMT|Z(?![\p{L}\d]))\)?(?:\s?([+−–-])\s?(\d{1,2})(?::?(\d{2}))?)?(?![\p{L}\d])/u
/** `+02:00`, `-0730`, ` +0200`, `+02`. */
const numeric = /^(\s?)([+−-])(\d{2})(?:(:?)(\d{2}))?(?![\d:])/u

const hoursMax = 14

/** The zone behind the time that ends at a place of a text, where one is printed as UTC or as an offset from it. */
export function zoneBehind(text: string, from: number): Zone | undefined {
  const start = from + (fraction.exec(text.slice(from))?.[0].length ?? 0)
  const rest = text.slice(start)
  const ofName = named.exec(rest)
  if (ofName !== null) {
    const [whole, sign, hours, minutes = '00'] = ofName
    const offset = hours === undefined ? 'Z' : offsetOf(sign, hours, minutes)
    return offset === undefined ? undefined : { end: start + whole.length, offset }
  }
  const [whole, space, sign, hours, colon, minutes = '00'] = numeric.exec(rest) ?? []
  if (whole === undefined || hours === undefined) return undefined
  // `10:05-12:00` is from one time to another.
  const mayBeRange = sign !== '+' && !/\d:\d{2}:\d{2}$/.test(text.slice(0, from)) && !/^\s*T/.test(text)
  if (mayBeRange || (space !== '' && colon === undefined)) return undefined
  const offset = offsetOf(sign, hours, minutes)
  return offset === undefined ? undefined : { end: start + whole.length, offset }
}

function offsetOf(sign: string | undefined, hours: string, minutes: string): string | undefined {
  if (Number(hours) > hoursMax || Number(minutes) > 59) return undefined
  return `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`
}
