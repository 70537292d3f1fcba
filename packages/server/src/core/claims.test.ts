import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claim, capitalAgainst, provenTogether } from './claims.ts'

/** Exact: the probability that the capital against the true rate is ever so high in so many trials. */
function everAt(enough: number, rate: number, trials: number): number {
  const capitalOf = capitalAgainst(rate)
  let [counts, reached] = [[1], 0]
  for (let n = 1; n <= trials; n += 1) {
    counts = Array.from({ length: n + 1 }, (_, k) => (counts[k] ?? 0) * (1 - rate) + (counts[k - 1] ?? 0) * rate)
    for (let k = 0; k <= n && capitalOf({ k, n }) >= enough; k += 1) {
      reached += counts[k] ?? 0
      counts[k] = 0
    }
  }
  return reached
}

test.each([0.005, 0.02, 0.05, 0.2])(
  'looked at after each of 2,000 trials, the capital against a true rate of %d is ever 20 in at most 5 % of all streams',
  (rate) => {
    const reached = everAt(20, rate, 2_000)
    expect(reached).toBeLessThanOrEqual(0.05)
    expect(reached).toBeGreaterThan(0.01)
  },
)

test('the expected capital against the true rate stays 1', () => {
  const [rate, n] = [0.07, 60]
  let probability = (1 - rate) ** n
  let expected = 0
  for (let k = 0; k <= n; k += 1) {
    expected += probability * capitalAgainst(rate)({ k, n })
    probability *= ((n - k) / (k + 1)) * (rate / (1 - rate))
  }
  expect(expected).toBeCloseTo(1, 9)
})

test('a million trials are no trouble', () => {
  expect(capitalAgainst(0.02)({ k: 500_000, n: 1_000_000 })).toBe(0)
  expect(capitalAgainst(0.02)({ k: 5_000, n: 1_000_000 })).toBe(Number.POSITIVE_INFINITY)
})

const claim = fc.record({
  weight: fc.integer({ min: 1, max: 8 }),
  capital: fc.double({ min: 0, max: 200, noNaN: true }),
})

test('a claim is proven if every set of claims that has it has enough capital on average', () => {
  const average = (claims: readonly Claim[]): number =>
    claims.reduce((sum, { weight, capital }) => sum + weight * capital, 0) /
    claims.reduce((sum, { weight }) => sum + weight, 0)
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 7 }), (claims) => {
      const isProven = provenTogether(claims, 1 / 20)
      const sets = Array.from({ length: 2 ** claims.length }, (_, bits) =>
        claims.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1),
      )
      for (const one of claims)
        expect(isProven(one)).toBe(sets.filter((set) => set.includes(one)).every((set) => average(set) >= 20))
    }),
  )
})
