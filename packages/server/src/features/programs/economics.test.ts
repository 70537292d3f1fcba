import fc from 'fast-check'
import { expect, test } from 'vitest'
import { economicsOf } from './economics.ts'

const amounts = fc.nat({ max: 1_000_000_000 })
const counts = fc.nat({ max: 1_000_000 })
const books = fc.record({
  compileMicros: amounts,
  runs: counts,
  runMicros: amounts,
  agentRuns: counts,
  agentMicros: amounts,
  shadowMicros: amounts,
})

test('a program that cost 40,000 to compile and saves 990 per run breaks even after 41 runs', () => {
  const said = economicsOf({
    ...{ compileMicros: 40_000, runs: 10, runMicros: 100 },
    ...{ agentRuns: 3, agentMicros: 3_000, shadowMicros: 700 },
  })
  expect(said).toEqual({
    compileMicros: 40_000,
    agentRunMicros: 1_000,
    programRunMicros: 10,
    breakEvenRuns: 41,
    savedMicros: 10 * 1_000 - 100 - 40_000 - 700,
  })
})

test('a program that costs more than the agent never breaks even, and before any agent run nothing is claimed', () => {
  expect(
    economicsOf({ compileMicros: 5, runs: 1, runMicros: 9, agentRuns: 1, agentMicros: 8, shadowMicros: 0 })
      .breakEvenRuns,
  ).toBeNull()
  const alone = economicsOf({ compileMicros: 5, runs: 2, runMicros: 4, agentRuns: 0, agentMicros: 0, shadowMicros: 0 })
  expect(alone.agentRunMicros).toBeNull()
  expect(alone.savedMicros).toBe(-9)
})

test('every figure is a whole number of micro-dollars, and the break-even run is the first that saves', () => {
  fc.assert(
    fc.property(books, (given) => {
      const { breakEvenRuns, ...said } = economicsOf(given)
      for (const figure of Object.values(said)) expect(figure === null || Number.isSafeInteger(figure)).toBe(true)
      if (breakEvenRuns === null) return
      const gain = (said.agentRunMicros ?? 0) - (said.programRunMicros ?? 0)
      expect(breakEvenRuns * gain).toBeGreaterThanOrEqual(given.compileMicros)
      if (breakEvenRuns > 0) expect((breakEvenRuns - 1) * gain).toBeLessThan(given.compileMicros)
    }),
  )
})
