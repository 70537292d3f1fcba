import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceedsWrongRate, recentMax, withOutcome } from './demotion.ts'

const allowed = 0.05

test('two disagreements in a row demote a program, one among agreements does not', () => {
  expect(exceedsWrongRate([true, true], allowed)).toBe(true)
  expect(exceedsWrongRate([...Array(18).fill(false), true, true], allowed)).toBe(true)
  expect(exceedsWrongRate([...Array(10).fill(false), true, ...Array(9).fill(false)], allowed)).toBe(false)
  expect(exceedsWrongRate([], allowed)).toBe(false)
})

test('a further disagreement never saves a program, and a program that always agrees stays', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: recentMax - 1 }), (recent) => {
      if (exceedsWrongRate(recent, allowed)) expect(exceedsWrongRate(withOutcome(recent, true), allowed)).toBe(true)
      const right = recent.map(() => false)
      expect(exceedsWrongRate(right, allowed)).toBe(false)
    }),
  )
})
