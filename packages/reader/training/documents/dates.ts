import type { Random } from './random.ts'

/** A calendar day. */
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

/** The last day of the month that holds `day`. */
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
 * How a day is written. `DD MM YYYY YY D M` are numbers, `MMMM` the month's name, `MMM` its short form; the rest stands
 * as it is.
 */
export function writeDay(day: Day, form: string, months: Months): string {
  return form.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|Do|D/g, (mark) => {
    switch (mark) {
      case 'YYYY':
        return String(day.year)
      case 'YY':
        return two(day.year % 100)
      case 'MMMM':
        return months.long[day.month - 1] ?? ''
      case 'MMM':
        return months.short[day.month - 1] ?? ''
      case 'MM':
        return two(day.month)
      case 'M':
        return String(day.month)
      case 'DD':
        return two(day.day)
      case 'Do':
        return `${day.day}${ordinal(day.day)}`
      default:
        return String(day.day)
    }
  })
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th'
}

export interface Months {
  readonly long: readonly string[]
  readonly short: readonly string[]
}
