import { remembered } from '../layout/remembered.ts'
import { fold } from '../layout/text.ts'
import { type DateOrder, type Day, dayNumber, findDates, monthOf, readDay } from './dates.ts'

/** A first and a last day, both inclusive. */
export interface Period {
  readonly start: Day
  readonly end: Day
}

/** A period found in a text, with its position and those of its ends. */
export interface PeriodMatch {
  readonly start: number
  readonly end: number
  readonly period: Period
  /** Offsets `[start, end)` of the first and of the last day. */
  readonly places: readonly [readonly [number, number], readonly [number, number]]
}

/** Longer ranges are not statement or billing periods. */
const periodDaysMax = 800

const words =
  'to|until|till|through|thru|and|bis|bis zum|und|au|jusqu au|al|a|hasta|hasta el|e|y|et|fino al|tot|tot en met|t/m|tm|ate|ao'
const connector = String.raw`\s*(?:[-–—]|(?:${words})(?=[\s\d]))\s*(?:(?:the|den|el|il|le)\s+)?`
const connectorPattern = new RegExp(`^${connector}$`, 'u')
/** Without one there is no period. */
const connectorOnce = new RegExp(connector, 'u')

/** False for a text that is no part of one with a period, whatever stands before and after it. */
export const mayJoinDays: (text: string) => boolean = remembered((text) =>
  [fold(text), text.toLowerCase()].some((folded) => connectorOnce.test(`${folded} `)),
)

const ordinal = String.raw`(?:st|nd|rd|th|er|º|°|\.)?`
const name = String.raw`\p{L}{3,11}\.?`
const joint = String.raw`[\s.,/-]{0,3}(?:(?:de|of)\s+)?`
/** A date without a year in front of a connector, at the end of a text. */
const openingPatterns: readonly { readonly pattern: RegExp; readonly read: Opening }[] = [
  {
    pattern: new RegExp(String.raw`(?<![\p{L}\d./-])(\d{1,2})\s?[./-]\s?(\d{1,2})\.?(?=${connector}$)`, 'u'),
    read: (match, order) =>
      order === 'day-first'
        ? { day: Number(match[1]), month: Number(match[2]) }
        : { day: Number(match[2]), month: Number(match[1]) },
  },
  {
    pattern: new RegExp(String.raw`(?<![\p{L}\d./-])(\d{1,2})${ordinal}${joint}(${name})(?=${connector}$)`, 'u'),
    read: (match) => ({ day: Number(match[1]), month: monthOf((match[2] ?? '').replace('.', '')) }),
  },
  {
    pattern: new RegExp(String.raw`(?<!\p{L})(${name})\s+(\d{1,2})${ordinal}(?=${connector}$)`, 'u'),
    read: (match) => ({ day: Number(match[2]), month: monthOf((match[1] ?? '').replace('.', '')) }),
  },
  {
    pattern: new RegExp(String.raw`(?<![\p{L}\d./-]|[./-]\s)(\d{1,2})${ordinal}(?=${connector}$)`, 'u'),
    read: (match) => ({ day: Number(match[1]), month: null }),
  },
]

type Opening = (match: RegExpExecArray, order: DateOrder) => { readonly day: number; readonly month: number | null }

/** `March 1-31, 2026` */
const monthSpanPattern = new RegExp(
  String.raw`(?<!\p{L})(${name})\s+(\d{1,2})${ordinal}\s?[-–—]\s?(\d{1,2})${ordinal}[\s,]+(\d{4})(?!\d)`,
  'gu',
)

/** To test for one costs less than to begin a search for all. */
const monthSpanOnce = new RegExp(monthSpanPattern.source, 'u')

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

const isDay = ({ year, month, day }: Day): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)

function periodOf(start: Day, end: Day): Period | null {
  const days = dayNumber(end) - dayNumber(start)
  return isDay(start) && isDay(end) && days >= 0 && days <= periodDaysMax ? { start, end } : null
}

/** Folds a text only when that keeps its length; otherwise offsets would not match. */
function foldInPlace(text: string): string {
  const folded = fold(text)
  return folded.length === text.length ? folded : text.toLowerCase()
}

/** The period that ends with a full date and starts with a date without a year. */
function fromOpening(
  text: string,
  end: { start: number; end: number; day: Day },
  order: DateOrder,
): PeriodMatch | null {
  const before = foldInPlace(text).slice(0, end.start)
  if (!/\d/.test(before) || !/[-–—\p{L}]/u.test(before.trimEnd().slice(-1))) return null
  for (const { pattern, read } of openingPatterns) {
    const match = pattern.exec(before)
    if (match === null) continue
    const { day, month } = read(match, order)
    if (month === 0) continue
    const own = { year: end.day.year, month: month ?? end.day.month, day }
    const start =
      month !== null && isDay(own) && dayNumber(own) > dayNumber(end.day) ? { ...own, year: own.year - 1 } : own
    const period = periodOf(start, end.day)
    if (period === null) continue
    const from = match.index
    return {
      start: from,
      end: end.end,
      period,
      places: [
        [from, from + match[0].length],
        [end.start, end.end],
      ],
    }
  }
  return null
}

/**
 * The periods of a text from left to right: two dates with a dash or a word such as `to` between them. The first may
 * omit its year or month (`01.03. – 31.03.2026`, `1 March to 31 March 2026`, `1–31 March 2026`, `March 1-31, 2026`).
 */
export function findPeriods(text: string, order: DateOrder): PeriodMatch[] {
  const found: PeriodMatch[] = []
  const folded = foldInPlace(text)
  if (!/\d/.test(folded) || !connectorOnce.test(folded)) return found
  for (const match of monthSpanOnce.test(folded) ? folded.matchAll(monthSpanPattern) : []) {
    const month = monthOf((match[1] ?? '').replace('.', ''))
    const year = Number(match[4])
    const period = periodOf({ year, month, day: Number(match[2]) }, { year, month, day: Number(match[3]) })
    const end = match.index + match[0].length
    if (period !== null)
      found.push({
        start: match.index,
        end,
        period,
        places: [
          [match.index, end],
          [match.index, end],
        ],
      })
  }
  if (found.length > 0) return found
  const dates = findDates(text).flatMap((match) => {
    const day = readDay(match, order)
    return day === null ? [] : [{ start: match.start, end: match.end, day }]
  })
  for (let at = 0; at < dates.length; at++) {
    const date = dates[at]
    const next = dates[at + 1]
    if (date === undefined) break
    const joined = next !== undefined && connectorPattern.test(folded.slice(date.end, next.start))
    const period = joined ? periodOf(date.day, next.day) : null
    if (joined && period !== null) {
      const places = [
        [date.start, date.end],
        [next.start, next.end],
      ] as const
      found.push({ start: date.start, end: next.end, period, places })
      at++
      continue
    }
    const opened = fromOpening(text, date, order)
    if (opened !== null) found.push(opened)
  }
  return found
}

/** A date in a table that omits its year. */
export interface PartialDay {
  readonly start: number
  readonly end: number
  /** Day and month in every possible order, the document's order first. */
  readonly choices: readonly { readonly day: number; readonly month: number }[]
}

const partialNumeric = /(?<![\p{L}\d./,-])(\d{1,2})\s?[./-]\s?(\d{1,2})(?![\d,]|[./-]\d)\.?/u
const partialDayMonth = new RegExp(String.raw`(?<![\p{L}\d./,-])(\d{1,2})${ordinal}${joint}(${name})(?!\p{L})`, 'u')
const partialMonthDay = new RegExp(String.raw`(?<!\p{L})(${name})[\s.-]{0,2}(\d{1,2})(?![\d.,])`, 'u')

/** The date without a year at the start of a text, or null. */
export function findPartialDay(text: string, order: DateOrder): PartialDay | null {
  const folded = foldInPlace(text)
  const numeric = partialNumeric.exec(folded)
  const place = (match: RegExpExecArray) => ({ start: match.index, end: match.index + match[0].trimEnd().length })
  const possible = (day: number, month: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31
  if (numeric !== null && numeric.index <= 1) {
    const first = Number(numeric[1])
    const second = Number(numeric[2])
    const both = [
      { day: first, month: second },
      { day: second, month: first },
    ]
    const choices = (order === 'day-first' ? both : both.reverse()).filter(({ day, month }) => possible(day, month))
    return choices.length === 0 ? null : { ...place(numeric), choices }
  }
  for (const [pattern, dayAt] of [
    [partialDayMonth, 1],
    [partialMonthDay, 2],
  ] as const) {
    const match = pattern.exec(folded)
    if (match === null || match.index > 1) continue
    const month = monthOf((match[3 - dayAt] ?? '').replace('.', ''))
    const day = Number(match[dayAt])
    if (month > 0 && possible(day, month)) return { ...place(match), choices: [{ day, month }] }
  }
  return null
}

const namedDays = [
  { pattern: new RegExp(partialDayMonth.source, 'gu'), dayAt: 1 },
  { pattern: new RegExp(String.raw`(?<!\p{L})(${name})\s+(\d{1,2})${ordinal}(?!\d|[.,]\d)`, 'gu'), dayAt: 2 },
] as const

/** The days of a text with the name of their month and without a year, from left to right: `bis zum 6. März`. */
export function findNamedDays(text: string): PartialDay[] {
  if (!/\d/.test(text) || !/\p{L}{3}/u.test(text)) return []
  const folded = foldInPlace(text)
  if (folded.length !== text.length) return []
  const full = findDates(text)
  return namedDays
    .flatMap(({ pattern, dayAt }) =>
      [...folded.matchAll(pattern)].flatMap((match) => {
        const [start, end] = [match.index, match.index + match[0].trimEnd().length]
        const [day, month] = [Number(match[dayAt]), monthOf((match[3 - dayAt] ?? '').replace('.', ''))]
        const isTaken =
          full.some((date) => date.start < end && start < date.end) || isWordOrYear(text, match.index, match[0])
        return month === 0 || isTaken || !isDay({ year: leapYear, month, day })
          ? []
          : [{ start, end, choices: [{ day, month }] }]
      }),
    )
    .sort((a, b) => a.start - b.start)
}

/** Names of months that are words too (`may`, `mar`, `set`, `ago`) begin with a capital; no year of another century follows. */
const isWordOrYear = (text: string, start: number, match: string): boolean => {
  const printed = text.slice(start, start + match.length)
  const isWord = /(?<!\p{L})(?:may|march|mar|set|out|ago)(?!\p{L})/u.test(printed)
  return isWord || /^[\s,.]{0,3}\d{4}(?!\d)/.test(text.slice(start + match.length, start + match.length + 8))
}

const leapYear = 2000

/** The day nearest to another for a date without a year. */
export function dayNear({ choices: [first] }: PartialDay, near: Day): Day | null {
  if (first === undefined) return null
  const days = [-1, 0, 1].map((years) => ({ year: near.year + years, ...first })).filter(isDay)
  const apart = (day: Day): number => Math.abs(dayNumber(day) - dayNumber(near))
  return days.toSorted((a, b) => apart(a) - apart(b))[0] ?? null
}

/** The number of days that a booking may be outside the period of its statement. */
const slackDays = 7

/** The only date within a period for a date without a year; null when there is none or several. */
export function dayWithin(partial: PartialDay, period: Period): Day | null {
  const first = dayNumber(period.start) - slackDays
  const last = dayNumber(period.end) + slackDays
  for (const { day, month } of partial.choices) {
    const days: Day[] = []
    for (let year = period.start.year - 1; year <= period.end.year + 1; year++) {
      const full = { year, month, day }
      if (isDay(full) && dayNumber(full) >= first && dayNumber(full) <= last) days.push(full)
    }
    if (days.length === 1) return days[0] ?? null
    // Of two possible years, the one well inside the period wins.
    const inside = days.filter((full) => dayNumber(full) >= first + slackDays && dayNumber(full) <= last - slackDays)
    if (inside.length === 1) return inside[0] ?? null
    if (days.length > 1) return null
  }
  return null
}
