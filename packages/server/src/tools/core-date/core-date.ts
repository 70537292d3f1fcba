import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'must be a date in the form YYYY-MM-DD')
const dayMs = 86_400_000
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** Calendar arithmetic. */
export const coreDate = tool({
  name: 'core.date',
  toolset: 'core',
  description:
    'Calculate with calendar dates (YYYY-MM-DD). Operations: "today" returns the current date in UTC; "add" adds `days`, `months` and `years` to `date` (negative values subtract; 31 January plus one month is the last day of February); "between" returns the number of days from `date` to `to`, negative if `to` is earlier. "today" and "add" return the date with its day of the week; "between" returns the day of the week of both dates. Example: {"operation": "add", "date": "2026-01-31", "days": 30}.',
  answers: '{ date: string; weekday: string } | { days: number; from: string; to: string }',
  input: z.object({
    operation: z.enum(['today', 'add', 'between']),
    date: day.optional().describe('Start date; required for "add" and "between"'),
    to: day.optional().describe('End date; required for "between"'),
    days: z.int().min(-1_000_000).max(1_000_000).default(0),
    months: z.int().min(-12_000).max(12_000).default(0),
    years: z.int().min(-1_000).max(1_000).default(0),
  }),
  async run({ operation, date, to, days, months, years }, { clock }) {
    if (operation === 'today') return answerOf(clock.now().getTime())
    const from = parseDay(date, 'date')
    if (operation === 'add') return answerOf(addMonths(from, years * 12 + months) + days * dayMs)
    const end = parseDay(to, 'to')
    return { days: Math.round((end - from) / dayMs), from: answerOf(from).weekday, to: answerOf(end).weekday }
  },
})

function parseDay(text: string | undefined, name: string): number {
  if (text === undefined) throw new Fault('invalid', 'bad_date', `${name} is required for this operation`)
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new Fault('invalid', 'bad_date', `${name} is ${text}, which is not a date of the calendar`)
  return time
}

/** The same day of the month, `months` later; the last day of the month if it has no such day. */
function addMonths(time: number, months: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last))
}

function answerOf(time: number): { date: string; weekday: string } {
  const date = new Date(time)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    throw new Fault('invalid', 'bad_date', 'The resulting date is outside the years 1 to 9999')
  return { date: date.toISOString().slice(0, 10), weekday: weekdays[date.getUTCDay()] ?? '' }
}
