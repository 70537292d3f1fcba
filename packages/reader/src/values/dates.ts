import { remembered } from '../layout/remembered.ts'
import { fold } from '../layout/text.ts'

/** The order of day and month in numeric dates. */
export type DateOrder = 'day-first' | 'month-first'

/** A calendar date. Months and days count from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A date found in a text. `readings` has two dates when the order of day and month is ambiguous. */
export interface DateMatch {
  readonly start: number
  readonly end: number
  readonly dayFirst: Day | null
  readonly monthFirst: Day | null
}

const monthNames: readonly string[] = [
  'january jan januar janvier janv enero ene gennaio gen januari janeiro jänner',
  'february feb februar fevrier fevr fev febrero febbraio februari fevereiro',
  'march mar marz maerz mrz mars marzo maart mrt marco',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mag mei maio',
  'june jun juni juin junio giugno giu junho',
  'july jul juli juillet juil julio luglio lug julho',
  'august aug aout agosto ago augustus ags',
  'september sep sept septembre septiembre settembre set setembro',
  'october oct oktober okt octobre octubre ottobre ott outubro out',
  'november nov novembre noviembre novembro',
  'december dec dezember dez decembre diciembre dic dicembre december dezembro',
]

const monthOfName: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) => names.split(' ').map((name) => [fold(name), index + 1] as const)),
)

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The range of plausible years. */
const yearMin = 1900
const yearMax = 2099

/** A day of the calendar between 1900 and 2099; null where there is none. */
export function dayOf(year: number, month: number, day: number): Day | null {
  const last = daysOfMonth[month - 1]
  if (last === undefined || day < 1 || day > last || year < yearMin || year > yearMax) return null
  if (month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return null
  return { year, month, day }
}

/** Two-digit years mean 1950 to 2049, as in .NET: papers name more people born in the fifties than days that far ahead. */
const fullYear = (digits: string): number => {
  const year = Number(digits)
  return digits.length === 2 ? (year < 50 ? 2000 + year : 1900 + year) : year
}

const digit = '[0-9OoIl]'
const separator = String.raw`\s?[-/.,]\s?`
const yearFirstPattern = /(?<![\p{L}\d./-])(\d{4})\s?([-/.年])\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)/gu
const numericPattern = new RegExp(
  // A time may directly follow a four-digit year (`09/01/20198:01`).
  // The end of a period may directly follow its start: `02/26/20-03/03/20`.
  `(?<![\\p{L}\\d./]|(?<!\\d[./]\\d{1,2}[./]\\d{2,4})-)(${digit}{1,2})${separator}(${digit}{1,2})${separator}((?:19|20)\\d{2}(?=\\d{1,2}:)|(?:19|2[0O])${digit}{2}(?!\\d)|['’]?\\d{2}(?![\\d/]|[.,]\\d))`,
  'gu',
)
// `out 14/10/2026` and `mar 12/05/2026` are no days of October and March: behind a month, what goes on is no year.
const monthWord = String.raw`\p{L}[\p{L}\p{M}]{2,10}`
const dayMonthPattern = new RegExp(
  `(?<![\\p{L}\\d])(\\d{1,2})(?:st|nd|rd|th|er|º|°)?[\\s.,/-]{0,3}(?:(?:de|(?:day )?of|d')\\s+)?(${monthWord})[\\s.,/'’-]{0,3}(?:(?:de|del|of)\\s+)?(\\d{4}(?!\\d)|\\d{2}(?![\\d:]|[/.]\\d{1,2}[/.]\\d))`,
  'giu',
)
const monthDayPattern = new RegExp(
  `(?<![\\p{L}])(${monthWord})[\\s.,/-]{1,3}(\\d{1,2})(?:st|nd|rd|th)?(?:[\\s.,/'’-]{1,3})(\\d{4}(?!\\d)|\\d{2}(?!\\d|:|[/.]\\d))`,
  'giu',
)
const dashedPattern = /(?<![\p{L}\d./–-]|–\s)(\d{1,2})\s?–\s?(\d{1,2})\s?–\s?((?:19|20)\d{2})(?!\d|\s?–)/gu
const compactPattern = /(?<![\p{L}\d.,-])((?:19|20)\d{2})(\d{2})(\d{2})(?![\p{L}\d.,])/gu

/** Most texts have no date: to test for one costs less than to begin a search for all. */
const once = ({ source, flags }: RegExp): RegExp => new RegExp(source, flags.replace('g', ''))
const [yearFirstOnce, numericOnce, compactOnce] = [once(yearFirstPattern), once(numericPattern), once(compactPattern)]
const numericPatterns = [
  [numericOnce, numericPattern],
  [once(dashedPattern), dashedPattern],
] as const
const [dayMonthOnce, monthDayOnce] = [once(dayMonthPattern), once(monthDayPattern)]

const asDigits = (text: string): string => text.replace(/[Oo]/g, '0').replace(/[Il]/g, '1').replace(/['’]/g, '')

/** The number of a month's name in English, German, French, Spanish, Italian, Dutch or Portuguese; 0 when unknown. */
export const monthOf = (name: string): number => monthOfName.get(fold(name)) ?? 0

const isShort = (year = ''): boolean => year.replace(/\D/g, '').length === 2
/** Numbers of a list, with commas: `Sections 10.2, 11` and `lines 5,13,15` are no days of a year of two digits. */
const isListed = /,\s|,.*,/u
/** Whether a day belongs to the month before it: `June 30, September 30`, `July 1 - July 31`. */
const isOfMonthBefore = (before: string): boolean =>
  monthOf(/(\p{L}{3,})\.?\s$/u.exec(before.slice(-15))?.[1] ?? '') > 0

const sureMatch = ({ index, 0: printed }: RegExpExecArray, day: Day): DateMatch => ({
  start: index,
  end: index + printed.length,
  dayFirst: day,
  monthFirst: day,
})

function yearFirst(text: string, found: DateMatch[]): void {
  if (!yearFirstOnce.test(text)) return
  for (const match of text.matchAll(yearFirstPattern)) {
    const day = dayOf(Number(match[1]), Number(match[3]), Number(match[4]))
    if (day !== null) found.push(sureMatch(match, day))
  }
}

function numeric(text: string, found: DateMatch[]): void {
  for (const [first, pattern] of numericPatterns)
    for (const match of first.test(text) ? text.matchAll(pattern) : []) {
      const [one, two] = [Number(asDigits(match[1] ?? '')), Number(asDigits(match[2] ?? ''))]
      const year = fullYear(asDigits(match[3] ?? ''))
      if (isShort(match[3]) && isListed.test(match[0]) && match[0].length < text.trim().length) continue
      const dayFirst = dayOf(year, two, one)
      const monthFirst = dayOf(year, one, two)
      if (dayFirst === null && monthFirst === null) continue
      found.push({ start: match.index, end: match.index + match[0].length, dayFirst, monthFirst })
    }
}

function named(text: string, found: DateMatch[]): void {
  if (!/\p{L}[\p{L}\p{M}]{2}/u.test(text)) return
  for (const [first, pattern, monthAt] of [
    [dayMonthOnce, dayMonthPattern, 2],
    [monthDayOnce, monthDayPattern, 1],
  ] as const) {
    if (!first.test(text)) continue
    const search = new RegExp(pattern)
    for (let match = search.exec(text); match !== null; match = search.exec(text)) {
      const isNoYear = isShort(match[3]) && monthAt === 2 && isOfMonthBefore(text.slice(0, match.index))
      const day = isNoYear
        ? null
        : dayOf(fullYear(match[3] ?? ''), monthOf(match[monthAt] ?? ''), Number(match[3 - monthAt]))
      if (day !== null) found.push(sureMatch(match, day))
      // Text that only resembles a date may contain the start of one: `1. bis 31. März 2026`.
      else search.lastIndex = match.index + 1
    }
  }
}

function compact(text: string, found: DateMatch[]): void {
  if (!compactOnce.test(text)) return
  for (const match of text.matchAll(compactPattern)) {
    const day = dayOf(Number(match[1]), Number(match[2]), Number(match[3]))
    if (day !== null) found.push(sureMatch(match, day))
  }
}

/**
 * The dates of a text from left to right, without overlaps: year first, numbers with `/ . -`, month names in seven
 * languages, and eight digits. Impossible dates are skipped.
 */
export const findDates: (text: string) => readonly DateMatch[] = remembered((text) => {
  if (!/\d/.test(text)) return []
  const found: DateMatch[] = []
  for (const search of [yearFirst, numeric, named, compact]) search(text, found)
  if (found.length === 0) return found
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: DateMatch[] = []
  for (const match of found) {
    const last = kept.at(-1)
    if (last === undefined || match.start >= last.end) kept.push(match)
  }
  return kept
})

/** True when both readings are valid dates and differ. */
export const isAmbiguous = (match: DateMatch): boolean =>
  match.dayFirst !== null && match.monthFirst !== null && match.dayFirst.month !== match.monthFirst.month

/** The date in the given order of day and month, or in the only possible order. */
export function readDay(match: DateMatch, order: DateOrder): Day | null {
  const wanted = order === 'day-first' ? match.dayFirst : match.monthFirst
  return wanted ?? match.dayFirst ?? match.monthFirst
}

/** `YYYY-MM-DD` (ISO 8601). */
export const isoDay = (day: Day): string =>
  `${String(day.year).padStart(4, '0')}-${String(day.month).padStart(2, '0')}-${String(day.day).padStart(2, '0')}`

/** Days since 1970-01-01. */
export const dayNumber = (day: Day): number => Math.round(Date.UTC(day.year, day.month - 1, day.day) / 86_400_000)

/** A time of day as `HH:MM:SS`, with its position. */
export interface TimeMatch {
  readonly start: number
  readonly end: number
  readonly value: string
  /** Less than 1 where the same could be something else: `08.40` a number, `8 h` a duration. */
  readonly fit: number
}

const half = (name: string): string => String.raw`(?<${name}>[ap](?:\.\s?)?m(?![\p{L}\d])\.?)`
const clock = String.raw`(?:Uhr|uur|hrs|hours|heures?|h)(?!\p{L})\.?`
const hour = String.raw`(?:[01]?\d|2[0-3])`
const minute = String.raw`[0-5]\d`
/** No figures, letters or marks of a longer number in front. */
const apart = String.raw`(?<![\p{L}\d]|\d[.,:])`
/** `9:30:15 pm`, `9.30 am`, `9.30 Uhr`, `17 h 30`, `9 Uhr 30`, `9 am`, `0840 hrs`. */
const timePattern = new RegExp(
  [
    `(?<!\\d|\\d:)(?<hour>${hour}):(?<minute>${minute})(?::(?<second>${minute}))?(?:\\s?${half('half')})?`,
    `${apart}(?<hourOfPoint>${hour})\\.(?<minuteOfPoint>${minute})(?!\\d|[.,/]\\d|-\\d{1,2}-|\\s?(?:\\p{Sc}|%|[kK]?[gm](?!\\p{L})))` +
      `(?:\\s?(?:${half('halfOfPoint')}|(?<clockOfPoint>${clock})))?`,
    `${apart}(?<hourOfWord>${hour})\\s?(?<word>h|Uhr|uur)\\s?(?<minuteOfWord>${minute})(?!\\d|[.,]\\d)`,
    `${apart}(?<four>(?:[01]\\d|2[0-3])${minute})\\s?(?<clockOfFour>${clock})`,
    `${apart}(?<!\\d[/-]\\d{1,2}[/-])(?<alone>${hour})\\s?(?:${half('halfAlone')}|(?<clockAlone>${clock}))`,
  ].join('|'),
  'giu',
)

function timeOf({ index, input, 0: printed, groups = {} }: RegExpExecArray): (TimeMatch & { isWithPoint: boolean })[] {
  const { four, alone, hourOfPoint, hourOfWord } = groups
  const named = (...names: readonly string[]): string => names.map((name) => groups[name]).find((one) => one) ?? ''
  const hour = Number(named('hour', 'hourOfPoint', 'hourOfWord', 'alone') || four?.slice(0, 2))
  const minute = named('minute', 'minuteOfPoint', 'minuteOfWord') || (four?.slice(2) ?? '00')
  const halfSaid = named('half', 'halfOfPoint', 'halfAlone')
  const isHalf = halfSaid !== '' && hour > 0 && (hour <= 12 || /^p/i.test(halfSaid))
  if (alone !== undefined && halfSaid !== '' && !isHalf) return []
  const half = isHalf ? halfSaid.charAt(0).toLowerCase() : ''
  const full = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour
  const length = printed.trimEnd().length - (halfSaid !== '' && !isHalf ? halfSaid.length : 0)
  const said = named('clockOfPoint', 'word', 'clockOfFour', 'clockAlone')
  const isClock =
    /^Uhr/i.test(said) || (/^uur/i.test(said) && alone === undefined) || (/^hrs/i.test(said) && four !== undefined)
  // German `am` is a word: `Zimmer 12 am See`.
  const isWord = alone !== undefined && halfSaid === 'am' && /^\s\p{L}/u.test(input.slice(index + printed.length))
  const isBare = hourOfPoint ?? hourOfWord ?? four ?? alone
  const isSure = isBare === undefined || (isHalf && !isWord) || isClock
  const end = index + printed.slice(0, length).trimEnd().length
  const value = `${String(full).padStart(2, '0')}:${minute}:${groups['second'] ?? '00'}`
  return [{ start: index, end, value, fit: isSure ? 1 : 0.5, isWithPoint: hourOfPoint !== undefined }]
}

/** The first text that can only be a time of day. */
export const findTime = (text: string): TimeMatch | undefined => findTimes(text).find(({ fit }) => fit === 1)

/** The times of day of a text, in their order. */
export function findTimes(text: string): TimeMatch[] {
  if (!/\d/.test(text)) return []
  const found = [...text.matchAll(timePattern)].flatMap(timeOf)
  // `9.00-17.00 Uhr`: both are times.
  const isOfClock = found.some(({ isWithPoint, fit }) => isWithPoint && fit === 1)
  return found.map(({ isWithPoint, ...time }) => (isWithPoint && isOfClock ? { ...time, fit: 1 } : time))
}

/** Hints for the order of day and month in a document. */
export interface OrderHints {
  /** All texts that may contain dates. */
  readonly texts: Iterable<string>
  /** A hint from language, currency and paper size: positive for day first, negative for month first. */
  readonly lean: number
}

/** The order of day and month of a document: from unambiguous dates, else from the other hints, else day first. */
export function dateOrder(hints: OrderHints): { readonly order: DateOrder; readonly sure: boolean } {
  let dayFirst = 0
  let monthFirst = 0
  for (const text of hints.texts) {
    for (const match of findDates(text)) {
      if (match.dayFirst !== null && match.monthFirst === null) dayFirst++
      if (match.dayFirst === null && match.monthFirst !== null) monthFirst++
    }
  }
  if (dayFirst !== monthFirst) return { order: dayFirst > monthFirst ? 'day-first' : 'month-first', sure: true }
  return { order: hints.lean < 0 ? 'month-first' : 'day-first', sure: Math.abs(hints.lean) >= 1 }
}
