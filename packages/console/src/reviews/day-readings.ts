import { valueAt } from '@skillrun/core/json.ts'
import { type DateOrder, findDates, isoDay, readDay } from '@skillrun/reader/values/dates.ts'
import type { Execution, Json } from '../wire.ts'

const isoPattern = /^\d{4}-\d\d-\d\d$/

/** Whether a text is a day of the calendar as JSON Schema writes it. */
const isIsoDay = (text: string): boolean => {
  const at = isoPattern.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

/** The days that a typed text can mean, as YYYY-MM-DD. More than one: only its writer knows. Without an order, nothing says it. */
export function daysOf(text: string, order: DateOrder | undefined): readonly string[] {
  const typed = text.trim()
  if (isoPattern.test(typed)) return isIsoDay(typed) ? [typed] : []
  const [match, ...others] = findDates(typed)
  if (!match || others.length > 0 || match.start !== 0 || match.end !== typed.length) return []
  const { dayFirst, monthFirst } = match
  const days = order ? [readDay(match, order)] : [dayFirst, monthFirst]
  return [...new Set(days.flatMap((day) => (day ? [isoDay(day)] : [])))]
}

/** The order of day and month in the dates that an answer quotes; undefined: none of them shows it, or they differ. */
export function dateOrderOf({
  evidence,
  response,
  warnings,
}: Pick<Execution, 'response'> & Partial<Pick<Execution, 'evidence' | 'warnings'>>): DateOrder | undefined {
  const doubtful = new Set(warnings?.flatMap(({ code, path }) => (code === 'ambiguous_date' ? [path] : [])))
  const orders = Object.entries(evidence ?? {}).flatMap(([pointer, { quote }]): DateOrder[] => {
    const value = valueAt(response as Json, pointer)
    if (!quote || doubtful.has(pointer) || typeof value !== 'string' || !isIsoDay(value)) return []
    return findDates(quote).flatMap(({ dayFirst, monthFirst }): DateOrder[] => {
      const [ofDay, ofMonth] = [dayFirst, monthFirst].map((day) => day !== null && isoDay(day) === value)
      return ofDay === ofMonth ? [] : [ofDay ? 'day-first' : 'month-first']
    })
  })
  const [first, ...others] = new Set(orders)
  return others.length > 0 ? undefined : first
}
