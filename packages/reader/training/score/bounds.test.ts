import { expect, test } from 'vitest'
import { clopperPearson, wrongBound } from './bounds.ts'

test('the bound on a share is that of the binomial distribution', () => {
  // With no wrong answer it is 1 - 0.05 ** (1 / n); the others are from published tables.
  expect(clopperPearson(0, 149)).toBeCloseTo(1 - 0.05 ** (1 / 149), 9)
  expect(clopperPearson(1, 10)).toBeCloseTo(0.3942, 4)
  expect(clopperPearson(5, 100)).toBeCloseTo(0.1023, 4)
  expect(clopperPearson(10, 10)).toBe(1)
  expect(clopperPearson(0, 0)).toBe(1)
})

test('wrong answers that stand together in one document raise the bound', () => {
  const apart = Array.from({ length: 100 }, (_, n) => ({ answers: 10, wrong: n < 10 ? 1 : 0 }))
  const together = Array.from({ length: 100 }, (_, n) => ({ answers: 10, wrong: n < 1 ? 10 : 0 }))
  expect(wrongBound(apart)).toBeLessThan(0.02)
  expect(wrongBound(together)).toBeGreaterThan(0.025)
})
