import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBound, upperBound } from './bound.ts'

const samples = fc.nat({ max: 200 }).chain((n) => fc.record({ n: fc.constant(n), k: fc.nat({ max: n }) }))

test('the bounds agree with published values of the exact binomial', () => {
  // No case in n trials: 1 - 0.05^(1/n).
  expect(upperBound({ k: 0, n: 10 })).toBeCloseTo(1 - 0.05 ** 0.1, 10)
  expect(upperBound({ k: 0, n: 59 })).toBeCloseTo(0.0495, 3)
  expect(upperBound({ k: 1, n: 10 })).toBeCloseTo(0.3942, 4)
  expect(upperBound({ k: 2, n: 20 })).toBeCloseTo(0.2826, 4)
  expect(lowerBound({ k: 2, n: 2 })).toBeCloseTo(Math.sqrt(0.05), 10)
  expect(upperBound({ k: 0, n: 0 })).toBe(1)
  expect(lowerBound({ k: 0, n: 5 })).toBe(0)
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
})

/** A seeded generator (mulberry32), so that the simulation is the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('in simulation the upper bound covers the true rate at least as often as it claims', () => {
  const random = randomOf(7)
  const draws = 4_000
  for (const [rate, n] of [
    [0.01, 30],
    [0.05, 20],
    [0.05, 100],
    [0.2, 50],
    [0.5, 10],
  ] as const) {
    const bounds = Array.from({ length: n + 1 }, (_, k) => upperBound({ k, n }))
    let covered = 0
    for (let draw = 0; draw < draws; draw += 1) {
      let k = 0
      for (let i = 0; i < n; i += 1) if (random() < rate) k += 1
      if ((bounds[k] ?? 0) >= rate) covered += 1
    }
    // Three standard errors of the simulation itself.
    expect(covered / draws).toBeGreaterThanOrEqual(0.95 - 3 * Math.sqrt((0.95 * 0.05) / draws))
  }
})
