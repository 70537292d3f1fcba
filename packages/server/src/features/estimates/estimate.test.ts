import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangeByPrices, rangeOf } from './estimate.ts'

const costs = fc.array(fc.nat(10_000_000), { minLength: 1, maxLength: 50 })

test('a range is ordered, lies within the costs, and does not depend on their order', () => {
  fc.assert(
    fc.property(costs, (some) => {
      const range = rangeOf(some)
      expect(range).toEqual(rangeOf(some.toReversed()))
      const { low, expected, high } = range ?? { low: 1, expected: 0, high: 0 }
      expect(low).toBeLessThanOrEqual(expected)
      expect(expected).toBeLessThanOrEqual(high)
      expect([some.includes(low), some.includes(high)]).toEqual([true, true])
    }),
  )
  expect(rangeOf([])).toBeUndefined()
})

test('of ten costs the second lowest tenth is the low end, and an outlier does not distort the mean', () => {
  expect(rangeOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000])).toEqual({ low: 1, expected: 9, high: 9 })
})

const request = { inputs: [], values: { a: 'text' }, prompt: 'Extract', schema: null }
const priced = {
  kind: 'model',
  name: 'x/y',
  facts: { rates: { input: 1_000_000, cachedInput: 100_000, output: 2_000_000 } },
} as const

test('the fixed prices of the embedded engine have no range; a longer request costs a model more', () => {
  const file = { name: 'f', modality: 'file', source: { kind: 'file', fileId: 'x' } } as const
  const price = (name: string) => (name === 'document.read' ? 10 : 5)
  const embedded = { kind: 'embedded', name: 'embedded' } as const
  expect(rangeByPrices({ ...request, inputs: [file, file] }, embedded, price)).toEqual({
    low: 25,
    expected: 25,
    high: 25,
  })
  const short = rangeByPrices(request, priced, () => 0)
  const long = rangeByPrices({ ...request, prompt: 'word '.repeat(1_000) }, priced, () => 0)
  expect(short.low).toBeGreaterThan(0)
  for (const level of ['low', 'expected', 'high'] as const) expect(long[level]).toBeGreaterThan(short[level])
})
