import { describe, expect, test } from 'vitest'
import { type CaseResult, couldDecide, judgingCasesMin, verdictOf } from './verdict.ts'

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Results of a version that gets this share of fields right, on cases with three fields each. */
const resultsAt = (quality: number, cases: number, random: () => number): readonly CaseResult[] =>
  Array.from({ length: cases }, (_, at) => ({
    caseId: `case ${at}`,
    executionId: `run ${at}`,
    agreed: [0, 1, 2].filter(() => random() < quality).length,
    fields: 3,
    error: null,
    isVoid: false,
  }))

describe('the verdict on proposals', () => {
  test('of 100 proposals, half of them worse, calls none of the worse ones better, and finds those that are much better', () => {
    const random = randomFrom(1)
    const before = resultsAt(0.6, 40, random)
    const verdicts = Array.from({ length: 100 }, (_, at) => {
      const isWorse = at % 2 === 0
      const quality = isWorse ? 0.6 - 0.005 * (1 + at) : 0.99
      return { isWorse, ...verdictOf({ before, after: resultsAt(quality, 40, random) }, { proposals: 100 }) }
    })
    expect(verdicts.filter(({ isWorse, verdict }) => isWorse && verdict === 'better')).toEqual([])
    expect(verdicts.filter(({ isWorse, verdict }) => !isWorse && verdict === 'better').length).toBeGreaterThan(40)
  })

  test('publishes one of five proposals that are all as good as the version in at most 2.5 % of improvements', () => {
    const random = randomFrom(2)
    const of = { proposals: 5 }
    const wrong = Array.from({ length: 40 }, () => {
      const before = resultsAt(0.5, 15, random)
      return Array.from({ length: 5 }, () => verdictOf({ before, after: resultsAt(0.5, 15, random) }, of))
    }).filter((all) => all.some(({ verdict }) => verdict === 'better'))
    expect(wrong.length).toBeLessThanOrEqual(1)
  })

  test('needs as many cases as it says: with one fewer, even perfect instructions are not shown to be better', () => {
    for (const proposals of [1, 20]) {
      const needed = judgingCasesMin(proposals)
      const none = (cases: number) => resultsAt(0, cases, () => 1)
      expect([couldDecide(none(needed), { proposals }), couldDecide(none(needed - 1), { proposals })]).toEqual([
        true,
        false,
      ])
    }
    expect(judgingCasesMin(1)).toBeLessThan(judgingCasesMin(20))
  })

  test('leaves out cases that a run outside of the skill failed on, on either side', () => {
    const before = resultsAt(0, 12, () => 1)
    const after = before.map((one, at) => ({ ...one, agreed: 3, isVoid: at >= 6 }))
    expect(verdictOf({ before, after }, { proposals: 1 })).toMatchObject({ verdict: 'undecided', lift: { cases: 6 } })
    const outage = before.map((one) => ({ ...one, isVoid: true }))
    expect(verdictOf({ before: outage, after: before }, { proposals: 1 })).toMatchObject({
      verdict: 'undecided',
      lift: { cases: 0, mean: 0 },
    })
  })

  test('calls no proposal better that failed, for whatever reason, on cases which the version got right', () => {
    const before = resultsAt(0, 40, () => 1).map((one, at) => ({ ...one, agreed: at < 20 ? 3 : 0 }))
    const after = before.map((one, at) => ({ ...one, agreed: 3, isVoid: at < 20 }))
    expect(verdictOf({ before, after }, { proposals: 1 })).toMatchObject({ verdict: 'undecided', lift: { mean: 1 } })
    const once = after.map((one, at) => ({ ...one, isVoid: at === 0 }))
    expect(verdictOf({ before, after: once }, { proposals: 1 }).verdict).toBe('better')
  })

  test('calls a proposal worse when it surely is', () => {
    const before = resultsAt(1, 30, () => 0)
    const after = before.map((one) => ({ ...one, agreed: 0 }))
    expect(verdictOf({ before, after }, { proposals: 3 }).verdict).toBe('worse')
  })
})
