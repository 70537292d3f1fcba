import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOrder, findDates, findTime, findTimes, isAmbiguous, isoDay, readDay } from './dates.ts'

const read = (text: string): string[] =>
  findDates(text).flatMap((match) => {
    const day = readDay(match, 'day-first')
    return day === null ? [] : [isoDay(day)]
  })

test('dates are read in every common form and in seven languages', () => {
  for (const [text, day] of [
    ['2024-03-09', '2024-03-09'],
    ['2024/3/9', '2024-03-09'],
    ['09.03.2024', '2024-03-09'],
    ['9-3-24', '2024-03-09'],
    ['9 March 2024', '2024-03-09'],
    ['Mar 9, 2024', '2024-03-09'],
    ['9th of March 2024', '2024-03-09'],
    ['9. März 2024', '2024-03-09'],
    ['1er août 2023', '2023-08-01'],
    ['9 de marzo de 2024', '2024-03-09'],
    ['9 gennaio 2024', '2024-01-09'],
    ['9 maart 2024', '2024-03-09'],
    ['9 de março de 2024', '2024-03-09'],
    ['12 MAR 2018', '2018-03-12'],
    ['09/01/20198:01', '2019-01-09'],
    ['O9/O1/2019', '2019-01-09'],
    ['naar waardepeildatum 9 maart 2024: € 342.000', '2024-03-09'],
    ['on the 9th day of March 2024', '2024-03-09'],
    ['9 – 3 – 2024', '2024-03-09'],
  ] as const) {
    expect(read(text), text).toEqual([day])
  }
})

test('an impossible calendar date is no date', () => {
  for (const text of [
    '30/02/2024',
    '2023-02-29',
    '45.13.2020',
    '12 Foobar 2024',
    '1.234,56',
    '2 – 3 – 15',
    'Version 1.2 – 2024',
    '1 – 2 – 2024 – 2025',
    '192.168.1.20',
    'Sections 9, 10.2, 11 and 12',
    'lines 5,13,15',
    'June 30, September 30',
    'from July 1 - July 31',
    '10:30',
  ]) {
    expect(read(text), text).toEqual([])
  }
})

test('commas and spaces do not part a date that stands alone', () => {
  for (const text of ['12,03,26', '12 - Mar - 26', '12 , March 26']) expect(read(text), text).toEqual(['2026-03-12'])
})

test('a weekday or a word in front of a date is not its month', () => {
  expect(read('mar 12/05/2026, carried out 14/10/2026, set 3.4.2025')).toEqual([
    '2026-05-12',
    '2026-10-14',
    '2025-04-03',
  ])
})

test('the end of a period may directly follow its start', () => {
  expect(read('02/26/20-03/13/20')).toEqual(['2020-02-26', '2020-03-13'])
  expect(read('01.03.2026-31.03.2026')).toEqual(['2026-03-01', '2026-03-31'])
  for (const text of ['1-2-03/03/20', 'ab-03/03/20', '12.00-10.12.25', 'Ref 4/2024-03-05-12', '8.30-12.10.20 Uhr'])
    expect(read(text), text).toEqual([])
})

test('every date is read back from each printed form', () => {
  const days = fc.date({ min: new Date('1950-01-01'), max: new Date('2049-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, fc.constantFrom('.', '/', '-'), (date, mark) => {
      const iso = date.toISOString().slice(0, 10)
      const [year, month, day] = iso.split('-')
      expect(read(`due ${day}${mark}${month}${mark}${year} net`)).toEqual([iso])
      expect(read(`due ${iso} net`)).toEqual([iso])
    }),
  )
})

test('an ambiguous date is read in the order of the document', () => {
  const [match] = findDates('03/04/2024')
  if (match === undefined) throw new Error('no date')
  expect(isAmbiguous(match)).toBe(true)
  expect(isoDay(readDay(match, 'month-first') ?? { year: 0, month: 0, day: 0 })).toBe('2024-03-04')
  expect(dateOrder({ texts: ['03/04/2024', '04/25/2024'], lean: 2 })).toEqual({ order: 'month-first', sure: true })
  expect(dateOrder({ texts: ['03/04/2024'], lean: -2 }).order).toBe('month-first')
  expect(dateOrder({ texts: ['03/04/2024'], lean: 0 })).toEqual({ order: 'day-first', sure: false })
})

test('a time of day is read with and without a.m. and p.m.', () => {
  expect(findTime('at 8:01:11 PM')?.value).toBe('20:01:11')
  expect(findTime('12:05 am')?.value).toBe('00:05:00')
  expect(findTime('14:41')?.value).toBe('14:41:00')
  expect(findTime('ratio 3:99')).toBeUndefined()
})

test.each([
  ['09:30 – 17:00', ['09:30', '17:00']],
  ['van 9.00 tot 17.15 uur', ['09:00', '17:15']],
  ['12.03.2026 9.00-17.00 Uhr', ['09:00', '17:00']],
  ['12.05.2026,10:30', ['10:30']],
  ['9 Uhr 30', ['09:30']],
  ['3.40 a.m.', ['03:40']],
  ['9 pm, 0840 hrs', ['21:00', '08:40']],
  ['13:30 am Bahnhof, salida 12:30 a Málaga', ['13:30', '12:30']],
  ['13 a.m., 24.00 Uhr, 12.05.2026, 1.250,00, 9 a mile, de 12 a más años, 15.00 €, 2.15 km, v1.20', []],
])('the times of day in %s', (text, times) => {
  expect(findTimes(text).map(({ value, fit }) => [value.slice(0, 5), fit])).toEqual(times.map((time) => [time, 1]))
})

test('what may be a number, a duration or a room is less sure to be a time, and no time for rules', () => {
  const text = 'Weight 08.40, 8 h, 7.50 hrs, durée 14h30, Zimmer 12 am See'
  expect(findTimes(text).map(({ value, fit }) => [value.slice(0, 5), fit])).toEqual(
    ['08:40', '08:00', '07:50', '14:30', '00:00'].map((time) => [time, 0.5]),
  )
  expect(findTime(text)).toBeUndefined()
})

test('a year of two digits is one of 1950 to 2049', () => {
  expect(read('born 05.06.58, valid until 05.06.49')).toEqual(['1958-06-05', '2049-06-05'])
})
