import type { Json } from '@skillrun/core/json.ts'

/**
 * Whether two leaves have the same value. Used by evaluations of skills and the gate of programs:
 *
 * - Null, a missing value and blank text are equal.
 * - Two numbers are equal within a relative difference of 10⁻¹², the error of decimal sums.
 * - A number equals a text that is this number and nothing else: digits, an optional sign before them, one decimal point,
 *   commas, spaces or apostrophes between groups of three digits. Two texts are never compared as numbers: `007` is not `7`.
 * - Two texts that are both complete dates are equal for the same day; a time of midnight is ignored. Dates are
 *   `2026-03-14`, `2026/3/14`, `14.03.2026`, `14 March 2026`, `March 14, 2026` (English months, in full or three letters).
 *   `03/04/2026` is ambiguous and compared as text.
 * - Other texts are compared character by character after Unicode normalisation (NFKC); white space including line breaks,
 *   with or without a comma before it, counts as one space, as in addresses.
 * - Booleans are equal only to themselves, and values of different other kinds are never equal.
 */
export function sameValue(expected: Json, actual: Json): boolean {
  const [known, found] = [blankAsNull(expected), blankAsNull(actual)]
  if (known === null || found === null) return known === found
  if (typeof known === 'number' && typeof found === 'number') return sameNumber(known, found)
  if (typeof known === 'number' && typeof found === 'string') return sameNumber(known, numberOf(found))
  if (typeof known === 'string' && typeof found === 'number') return sameNumber(numberOf(known), found)
  if (typeof known === 'string' && typeof found === 'string') return sameText(known, found)
  if (typeof known === 'object' || typeof found === 'object') return false
  return known === found
}

const blankAsNull = (value: Json): Json => (typeof value === 'string' && value.trim() === '' ? null : value)

const sameNumber = (known: number, found: number): boolean =>
  known === found || Math.abs(known - found) <= 1e-12 * Math.max(Math.abs(known), Math.abs(found))

const numberPattern = /^[-+]?(?:\d+|\d{1,3}(?:[, '\u2019\u00a0\u202f]\d{3})+)(?:\.\d+)?$/

/** The number that a text represents; NaN for any other text. */
const numberOf = (text: string): number =>
  numberPattern.test(text.trim()) ? Number(text.trim().replaceAll(/[, '\u2019\u00a0\u202f]/g, '')) : Number.NaN

function sameText(known: string, found: string): boolean {
  const [left, right] = [plainText(known), plainText(found)]
  if (left === right) return true
  const day = dayOf(left)
  return day !== undefined && day === dayOf(right)
}

const plainText = (text: string): string => text.normalize('NFKC').trim().replaceAll(/,?\s+/g, ' ')

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const midnight = '(?:[T ]00:00(?::00(?:\\.0+)?)?(?:Z|[+-]00:?00)?)?'
const dateForms: readonly { readonly pattern: RegExp; readonly order: readonly string[] }[] = [
  { pattern: new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${midnight}$`, 'i'), order: ['y', 'm', 'd'] },
  { pattern: /^(\d{1,2})(\.) ?(\d{1,2})\. ?(\d{4})$/, order: ['d', 'm', 'y'] },
  { pattern: new RegExp(`^(\\d{1,2})(\\.|st|nd|rd|th)? ${monthName} (\\d{4})$`, 'i'), order: ['d', 'm', 'y'] },
]
const monthFirst = new RegExp(`^${monthName} (\\d{1,2})(?:st|nd|rd|th)? (\\d{4})$`, 'i')

/** The ISO date of a text that is a complete, unambiguous date; undefined for any other text. */
function dayOf(text: string): string | undefined {
  const first = monthFirst.exec(text)
  if (first) return isoDay({ y: first[3] ?? '', m: first[1] ?? '', d: first[2] ?? '' })
  for (const { pattern, order } of dateForms) {
    const match = pattern.exec(text)
    if (!match) continue
    const found = [match[1], match[3], match[4]].map((part) => part ?? '')
    const part = (name: string): string => found[order.indexOf(name)] ?? ''
    return isoDay({ y: part('y'), m: part('m'), d: part('d') })
  }
  return undefined
}

function isoDay({ y, m, d }: { y: string; m: string; d: string }): string | undefined {
  const month = /^\d/.test(m) ? Number(m) : months.indexOf(m.slice(0, 3).toLowerCase()) + 1
  const [year, day] = [Number(y), Number(d)]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000
  return isReal ? date.toISOString().slice(0, 10) : undefined
}
