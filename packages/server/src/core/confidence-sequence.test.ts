import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOfMean, capitalAgainstAtMost, lowerBound, upperBound } from './confidence-sequence.ts'
import { clopperPearson, everBelow } from './testing/exact-bounds.ts'

const samples = fc.nat({ max: 200 }).chain((n) => fc.record({ n: fc.constant(n), k: fc.nat({ max: n }) }))
const rates = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]

test.each(rates)(
  'read after each of 1,000 trials, the bound is ever below a true rate of %d in at most 5 % of all streams',
  (rate) => {
    expect(everBelow(rate, 1_000, upperBound)).toBeLessThanOrEqual(0.05)
  },
)

test('a bound for a fixed sample does not hold at every look', () => {
  expect(everBelow(0.05, 300, clopperPearson)).toBeGreaterThan(0.1)
})

test('from 30 to 1,000 trials the interval from 0 to the bound is at most 1.6 times as wide as that of Clopper and Pearson', () => {
  for (const n of [30, 50, 100, 200, 300, 500, 700, 1_000])
    for (const rate of [0, ...rates, 0.5]) {
      const sample = { k: Math.round(rate * n), n }
      expect(upperBound(sample) / clopperPearson(sample)).toBeLessThanOrEqual(1.6)
    }
})

test('the capital against a rate is the average likelihood ratio of all rates above it', () => {
  for (const [k, n, rate] of [
    [2, 2, 0.05],
    [3, 20, 0.1],
    [0, 5, 0.3],
    [7, 9, 0.5],
  ] as const) {
    const steps = 200_000
    const likelihood = (p: number) => p ** k * (1 - p) ** (n - k)
    let sum = 0
    for (let i = 0; i < steps; i += 1) sum += likelihood(rate + ((1 - rate) * (i + 0.5)) / steps)
    const capital = capitalAgainstAtMost({ k, n }, rate, Number.POSITIVE_INFINITY)
    expect(capital / (sum / steps / likelihood(rate))).toBeCloseTo(1, 6)
  }
})

test('the expected capital against the true rate stays 1 over all samples', () => {
  const [rate, n] = [0.07, 60]
  let probability = (1 - rate) ** n
  let expected = 0
  for (let k = 0; k <= n; k += 1) {
    expected += probability * capitalAgainstAtMost({ k, n }, rate, Number.POSITIVE_INFINITY)
    probability *= ((n - k) / (k + 1)) * (rate / (1 - rate))
  }
  expect(expected).toBeCloseTo(1, 9)
})

test('the observed rate lies between its bounds, and one more case never lowers them', () => {
  fc.assert(
    fc.property(samples, ({ k, n }) => {
      const rate = n === 0 ? 0 : k / n
      expect(upperBound({ k, n })).toBeGreaterThanOrEqual(rate)
      expect(lowerBound({ k, n })).toBeLessThanOrEqual(rate + 1e-12)
      if (k < n) {
        expect(upperBound({ k: k + 1, n })).toBeGreaterThanOrEqual(upperBound({ k, n }))
        expect(upperBound({ k, n: n + 1 })).toBeLessThanOrEqual(upperBound({ k, n }) + 1e-12)
      }
    }),
    { numRuns: 200 },
  )
  expect([upperBound({ k: 0, n: 0 }), lowerBound({ k: 0, n: 0 })]).toEqual([1, 0])
})

test('a million trials keep their accuracy', () => {
  const sample = { k: 50_000, n: 1_000_000 }
  expect(upperBound(sample)).toBeGreaterThan(0.0505)
  expect(upperBound(sample)).toBeLessThan(0.0515)
  expect(upperBound({ k: 0, n: 1_000_000 })).toBeLessThan(2e-5)
})

test('the bounds of a mean agree with those of a rate where every value is 0 or 1', () => {
  for (const [k, n] of [
    [3, 20],
    [0, 30],
    [50, 60],
    [9, 9],
  ] as const) {
    const { lower, upper } = boundsOfMean(Array.from({ length: n }, (_, i) => (i < k ? 1 : 0)))
    expect(lower).toBeCloseTo(lowerBound({ k, n }), 2)
    expect(upper).toBeCloseTo(upperBound({ k, n }), 2)
  }
  expect(boundsOfMean([])).toEqual({ lower: 0, upper: 1 })
  expect(boundsOfMean([0, 0]).lower).toBe(0)
})

test('the bounds of a mean enclose it, and values that vary less are bounded more closely', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }), (values) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const { lower, upper } = boundsOfMean(values)
      expect(lower).toBeLessThanOrEqual(mean + 1e-9)
      expect(upper).toBeGreaterThanOrEqual(mean - 1e-9)
    }),
    { numRuns: 100 },
  )
  const close = boundsOfMean(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.45 : 0.55)))
  const far = boundsOfMean(Array.from({ length: 40 }, (_, i) => i % 2))
  expect(close.upper - close.lower).toBeLessThan((far.upper - far.lower) / 2)
})
