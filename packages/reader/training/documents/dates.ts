import type { Random } from './random.ts'
import type { Locale } from './words.ts'

/** A calendar date. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const dayMs = 86_400_000

export function isoOf(day: Day): string {
  return `${day.year}-${two(day.month)}-${two(day.day)}`
}

export function addDays(day: Day, days: number): Day {
  const moved = new Date(Date.UTC(day.year, day.month - 1, day.day) + days * dayMs)
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** The last day of the month of `day`. */
export function monthEnd(day: Day): Day {
  return addDays(
    day.month === 12 ? { year: day.year + 1, month: 1, day: 1 } : { ...day, month: day.month + 1, day: 1 },
    -1,
  )
}

export function randomDay(random: Random): Day {
  return addDays({ year: 2019, month: 1, day: 1 }, random.int(0, 7 * 365))
}

export const two = (n: number) => String(n).padStart(2, '0')

/**
 * Formats a date. `DD MM YYYY YY D M Do` are numbers, `MMMM` is the month's name and `MMM` its abbreviation; other
 * characters are literal.
 */
export function writeDay({ year, month, day }: Day, form: string, locale: Locale): string {
  const nameOf = (key: 'months' | 'shortMonths') => locale.list(key)[month - 1] ?? ''
  const ordinal = day >= 11 && day <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th')
  const marks: Readonly<Record<string, () => string>> = {
    YYYY: () => String(year),
    YY: () => two(year % 100),
    MMMM: () => nameOf('months'),
    MMM: () => nameOf('shortMonths'),
    MM: () => two(month),
    M: () => String(month),
    DD: () => two(day),
    Do: () => `${day}${ordinal}`,
    D: () => String(day),
  }
  return form.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|Do|D/g, (mark) => marks[mark]?.() ?? mark)
}
