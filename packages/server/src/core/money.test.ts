import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollarsOf, microsOf, multiplied, perMillion, quotient } from './money.ts'

const micros = fc.integer({ min: 0, max: 1_000_000_000 })

test('a quotient of money is the nearest whole micro-dollar, and half of one rounds up', () => {
  fc.assert(
    fc.property(micros, fc.integer({ min: 1, max: 1_000_000 }), (dividend, divisor) => {
      const [exact, unit] = [BigInt(dividend), BigInt(divisor)]
      const wanted = (2n * exact + unit) / (2n * unit)
      expect(BigInt(quotient(dividend, divisor))).toBe(wanted)
    }),
  )
  expect([quotient(1, 2), quotient(3, 2), quotient(1, 3)]).toEqual([1, 2, 0])
})

test('multipliers and prices per million tokens round by the same rule', () => {
  fc.assert(
    fc.property(micros, fc.integer({ min: 0, max: 5_000 }), (price, thousandths) => {
      expect(multiplied(price, thousandths)).toBe(quotient(price * thousandths, 1000))
      expect(perMillion(price * thousandths)).toBe(quotient(price * thousandths, 1_000_000))
    }),
  )
  expect([multiplied(5, 1300), multiplied(5, 1000), perMillion(499_999), perMillion(500_000)]).toEqual([7, 5, 0, 1])
})

test('a whole number of micro-dollars survives the way to dollars and back', () => {
  fc.assert(fc.property(micros, (amount) => microsOf(dollarsOf(amount)) === amount))
  expect(microsOf(null)).toBeNull()
})
