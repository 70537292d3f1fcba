import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'should be YYYY-MM-DD')
const dayMs = 86_400_000
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** Calendar days: today, a day so far from another, the days between two, the day of the week. */
export const coreDate = tool({
  name: 'core.date',
  toolset: 'core',
  description:
    'Works with calendar days (YYYY-MM-DD). today: the present day in UTC. add: the day so many days, months and years after `date` (negative: before); a month that has no such day gives its last. between: days from `date` to `to`. Every answer names the day of the week.',
  answers: '{ date: string; weekday: string } & { days: number; from: string; to: string }',
  input: z.object({
    operation: z.enum(['today', 'add', 'between']),
    date: day.optional().describe('For add and between'),
    to: day.optional().describe('For between'),
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
  if (text === undefined) throw new Fault('invalid', 'bad_date', `${name} is missing`)
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new Fault('invalid', 'bad_date', `There is no day ${text}`)
  return time
}

/** The same day of the month so many months on; the month's last where it has no such day. */
function addMonths(time: number, months: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last))
}

function answerOf(time: number): { date: string; weekday: string } {
  const date = new Date(time)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    throw new Fault('invalid', 'bad_date', 'The day lies outside the years 1 to 9999')
  return { date: date.toISOString().slice(0, 10), weekday: weekdays[date.getUTCDay()] ?? '' }
}
