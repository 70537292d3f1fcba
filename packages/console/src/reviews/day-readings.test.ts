import { expect, test } from 'vitest'
import { dateOrderOf, daysOf } from './day-readings.ts'

test.each([
  ['11/21/2026', undefined, ['2026-11-21']],
  ['21.11.2026', 'month-first', ['2026-11-21']],
  ['4/11/26', undefined, ['2026-11-04', '2026-04-11']],
  ['4/11/26', 'day-first', ['2026-11-04']],
  ['4/11/26', 'month-first', ['2026-04-11']],
  ['5/5/2026', undefined, ['2026-05-05']],
  ['2026-11-21', undefined, ['2026-11-21']],
  ['1850-02-28', undefined, ['1850-02-28']],
  ['21 November 2026', undefined, ['2026-11-21']],
  ['31.02.2026', 'day-first', []],
  ['2026-02-30', undefined, []],
  ['21.11.2026 or later', undefined, []],
  ['soon', undefined, []],
] as const)('%s, %s, can mean %j', (text, order, days) => {
  expect(daysOf(text, order)).toEqual(days)
})

const shown = (quote: string, value: string) => ({
  response: { due: value },
  evidence: { '/due': { quote } },
})
const orderOf = (given: object) => dateOrderOf(given as Parameters<typeof dateOrderOf>[0])

test('the order of day and month is that of the dates that the answer quotes', () => {
  expect(orderOf(shown('Due 11/21/2026', '2026-11-21'))).toBe('month-first')
  expect(orderOf(shown('04/11/2026', '2026-11-04'))).toBe('day-first')
  expect(orderOf(shown('05/05/2026', '2026-05-05'))).toBeUndefined()
  const warnings = [{ code: 'ambiguous_date', path: '/due' }]
  expect(orderOf({ ...shown('04/11/2026', '2026-11-04'), warnings })).toBeUndefined()
})
