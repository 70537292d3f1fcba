import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { planSchema } from '../schema/plan.ts'
import { readExactValue } from '../values/exact-value.ts'
import { zoneBehind } from './zones.ts'

const two = (number: number): string => String(number).padStart(2, '0')
const moment = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  second: fc.integer({ min: 0, max: 59 }),
  sign: fc.constantFrom('+', '-'),
  hours: fc.integer({ min: 0, max: 14 }),
  minutes: fc.constantFrom(0, 30, 45),
})
const schema = { type: 'object', properties: { sent_at: { type: ['string', 'null'], format: 'date-time' } } }

test('a moment has the offset that is printed behind its time', () => {
  fc.assert(
    fc.property(moment, fc.nat({ max: 5 }), ({ day, hour, second, sign, hours, minutes }, form) => {
      const time = `${two(hour)}:05:${two(second)}`
      const printed = [
        `2026-03-${two(day)}T${time}${sign}${two(hours)}:${two(minutes)}`,
        `${day} Mar 2026 ${time} ${sign}${two(hours)}${two(minutes)}`,
        `${day} March 2026, ${time} UTC${sign}${hours}:${two(minutes)}`,
        `2026-03-${two(day)} ${time} (GMT${sign}${two(hours)}:${two(minutes)})`,
        `2026-03-${two(day)} ${time}${sign}${two(hours)}${two(minutes)}`,
        `2026-03-${two(day)}T${time}.125${sign}${two(hours)}:${two(minutes)}`,
      ][form]
      expect(fieldsOf(`Name: Ann\nSent at: ${printed}\n`, schema), printed).toEqual({
        sent_at: `2026-03-${two(day)}T${time}${sign}${two(hours)}:${two(minutes)}`,
      })
    }),
  )
})

test.each([
  ['10:05Z', 'Z'],
  ['10:05 UTC', 'Z'],
  ['10:05 (GMT)', 'Z'],
  ['10:05 UTC+2', '+02:00'],
  ['10:05+02', '+02:00'],
  ['10:05-12:00', undefined],
  ['10:05 -12', undefined],
  ['10:05 +49 30 1234', undefined],
  ['10:05 +3999', undefined],
  ['10:05.5+02:00', '+02:00'],
  ['10:05 CET', undefined],
  ['10:05 Zimmer 4', undefined],
])('the zone behind %j', (text, offset) => {
  expect(zoneBehind(text, 5)?.offset).toBe(offset)
})

const plan = planSchema({ type: 'string', format: 'date-time' }) as LeafPlan
const shown = { dates: { order: 'day-first', sure: true }, numbers: 'point' } as const
test.each([
  ['2026-03-03T10:05:07.123+02:00', '2026-03-03T10:05:07+02:00'],
  ['2026-03-03 10:05 +0200', '2026-03-03T10:05:00+02:00'],
  ['2026-03-03T10:05:07.5Z', '2026-03-03T10:05:07Z'],
  // What may be a period, or is no offset, is not exactly a moment.
  ['2026-03-03 10:05-07:00', undefined],
  ['2026-03-03T10:05:07+25:00', undefined],
])('%j is exactly the moment %j', (text, value) => {
  expect(readExactValue(plan, text, shown)?.value).toBe(value)
})
