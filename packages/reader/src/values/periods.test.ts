import { describe, expect, it } from 'vitest'
import { isoDay } from './dates.ts'
import { dayNear, dayWithin, findNamedDays, findPartialDay, findPeriods } from './periods.ts'

const periodsIn = (text: string, order: 'day-first' | 'month-first' = 'day-first'): string[] =>
  findPeriods(text, order).map(({ period }) => `${isoDay(period.start)} ${isoDay(period.end)}`)

describe('findPeriods', () => {
  it.each([
    '01.03.2026 – 31.03.2026',
    '01.03. - 31.03.2026',
    'vom 01.03.2026 bis zum 31.03.2026',
    '1 March to 31 March 2026',
    '1–31 March 2026',
    'March 1-31, 2026',
    '1. bis 31. März 2026',
    'Du 1 mars 2026 au 31 mars 2026',
    '1 de marzo de 2026 al 31 de marzo de 2026',
    '2026-03-01 - 2026-03-31',
  ])('reads "%s" as all of March', (text) => {
    expect(periodsIn(text)).toEqual(['2026-03-01 2026-03-31'])
  })

  it('puts a start without a year into the previous year when it would otherwise follow the end', () => {
    expect(periodsIn('15 December to 14 January 2026')).toEqual(['2025-12-15 2026-01-14'])
  })

  it('reads month first where the document does', () => {
    expect(periodsIn('03/01/2026 - 03/31/2026', 'month-first')).toEqual(['2026-03-01 2026-03-31'])
  })

  it.each(['Invoice 12 from 31.03.2026', '31.03.2026 - 01.03.2026', 'Due 01.03.2026 Paid 31.03.2026', 'Order 4-7'])(
    'finds no period in "%s"',
    (text) => {
      expect(periodsIn(text)).toEqual([])
    },
  )
})

describe('days in running text', () => {
  const near = { year: 2026, month: 1, day: 20 }
  const daysIn = (text: string): string[] =>
    findNamedDays(text).flatMap((partial) => {
      const day = dayNear(partial, near)
      return day === null ? [] : [isoDay(day)]
    })

  it.each([
    ['Rückmeldung bis 13. März an den Vorstand', ['2026-03-13']],
    ['which reached us on 5 December, and for', ['2025-12-05']],
    ['Air date remains February 7. Agency to revise', ['2026-02-07']],
    ['del 1 de febrero al 3 de abril', ['2026-02-01', '2026-04-03']],
    ['dal 9 marzo 2024', []],
    ['31. Februar', []],
    ['Flat 3 Marble Road', []],
    ['Clause 12 may be ended; we set 5 goals and carried out 3 tests', []],
    ['in 5 May 1850', []],
    ['ce fut le 23 avril à 18 heures', ['2026-04-23']],
    ['du 3 mars au 4 avril', ['2026-03-03', '2026-04-04']],
  ])('takes the year of "%s" from the day that is nearest to that of the document', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })
})

describe('dates without a year', () => {
  const winter = { start: { year: 2025, month: 12, day: 1 }, end: { year: 2026, month: 1, day: 31 } }
  const dayIn = (text: string, period = winter, order: 'day-first' | 'month-first' = 'day-first'): string | null => {
    const partial = findPartialDay(text, order)
    const day = partial === null ? null : dayWithin(partial, period)
    return day === null ? null : isoDay(day)
  }

  it.each([
    ['28.12.', '2025-12-28'],
    ['03/01', '2026-01-03'],
    ['3 Jan', '2026-01-03'],
    ['Dec 30', '2025-12-30'],
    ['30. Dezember', '2025-12-30'],
  ])('takes the year of "%s" from the period', (text, day) => {
    expect(dayIn(text)).toBe(day)
  })

  it('swaps day and month when only that falls into the period', () => {
    expect(dayIn('12/05', { start: { year: 2025, month: 12, day: 1 }, end: { year: 2025, month: 12, day: 31 } })).toBe(
      '2025-12-05',
    )
  })

  it('gives no date outside the period, and none that two years may have', () => {
    expect(dayIn('15.06.')).toBeNull()
    const long = { start: { year: 2024, month: 1, day: 1 }, end: { year: 2025, month: 12, day: 31 } }
    expect(dayIn('15.06.', long)).toBeNull()
  })

  it.each(['does not take "%s" for a date', '12.03.2026', '12,50', 'Item 4'])('takes "%s" for no day', (text) => {
    expect(findPartialDay(text, 'day-first')).toBeNull()
  })
})
