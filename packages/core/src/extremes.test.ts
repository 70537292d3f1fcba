import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greatest, least } from './extremes.ts'

test('are those of Math, of any number of numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (numbers) => {
      expect([least(numbers) + 0, greatest(numbers) + 0]).toEqual([Math.min(...numbers) + 0, Math.max(...numbers) + 0])
    }),
  )
  const many = Array.from({ length: 500_000 }, (_, at) => at)
  expect([least(many), greatest(many)]).toEqual([0, 499_999])
})
