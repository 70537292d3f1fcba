import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareAnswers } from '../../agent/compare-answers.ts'
import { readGate } from '../skills/skills.ts'
import { casesOfBundle, filesIn, withItems } from './bundle-cases.ts'
import { refusedBy } from './pass-gate.ts'
import { type JudgedRun, reportOf } from './report.ts'

const run = (arm: JudgedRun['arm'], expected: object, actual: object): JudgedRun => ({
  arm,
  executionId: null,
  status: 'completed',
  error: null,
  fields: compareAnswers(expected as never, actual as never).fields,
  costMicros: 1_000,
  durationMs: 10,
})

describe('a report', () => {
  test('counts each leaf once by arm, by field and by case, whatever the answers', () => {
    const answer = fc.record({ total: fc.integer(), rows: fc.array(fc.record({ a: fc.integer() }), { maxLength: 4 }) })
    fc.assert(
      fc.property(fc.array(fc.tuple(answer, answer, answer), { minLength: 1, maxLength: 5 }), (all) => {
        const cases = all.map(([known, first, second], at) => ({
          id: `case-${at}`,
          runs: [run('with', known, first), run('without', known, second)],
        }))
        const report = reportOf(cases)
        for (const arm of ['with', 'without'] as const) {
          const runs = cases.flatMap((one) => one.runs).filter((one) => one.arm === arm)
          const leaves = runs.flatMap((one) => one.fields)
          expect(report.arms[arm]?.fields).toBe(leaves.length)
          const byField = report.fields.flatMap((one) => (one as Record<string, unknown>)[arm] ?? []) as {
            fields: number
            agreed: number
          }[]
          expect(byField.reduce((sum, one) => sum + one.fields, 0)).toBe(leaves.length)
          expect(byField.reduce((sum, one) => sum + one.agreed, 0)).toBe(report.arms[arm]?.agreed)
        }
        expect(report.arms['before']).toBeUndefined()
      }),
    )
  })
})

describe('a gate', () => {
  test.each([
    [0.9, { agreement: 0.9, casesMin: 1, noWorse: true, liftMin: null }],
    [
      { agreement: 0.5, cases: 10, no_worse: false },
      { agreement: 0.5, casesMin: 10, noWorse: false, liftMin: null },
    ],
    [{}, { agreement: 1, casesMin: 1, noWorse: true, liftMin: null }],
    [null, null],
    ['0.9', undefined],
    [1.1, undefined],
    [-0.1, undefined],
    [{ agreement: 0.9, cases: 0 }, undefined],
    [{ no_worse: 'yes' }, undefined],
    [{ min_lift: 0.1 }, { agreement: 1, casesMin: 1, noWorse: true, liftMin: 0.1 }],
    [{ min_lift: 2 }, undefined],
    [[0.9], undefined],
  ])('of %j is parsed as intended, or not at all', (value, gate) => {
    expect(readGate(value as never)).toEqual(gate)
  })

  test('passes what reaches it exactly, and nothing that is worse than before or cannot be compared', () => {
    const gate = { agreement: 0.9, casesMin: 2, noWorse: true, liftMin: null }
    const of = { cases: 2, casesLeftOut: 0, agreement: 0.9, liftBefore: null, agreementBefore: null, beforeOutside: 0 }
    expect(refusedBy(gate, { ...of, agreementBefore: 0.9 })).toBeUndefined()
    expect(refusedBy(gate, of)).toBeUndefined()
    expect(refusedBy(gate, { ...of, casesLeftOut: 1, agreement: 1 })).toContain('left out')
    expect(refusedBy(gate, { ...of, cases: 1, agreement: 1 })).toContain('requires 2 cases')
    expect(refusedBy(gate, { ...of, agreement: 0.899 })).toContain('0.899')
    expect(refusedBy(gate, { ...of, agreement: 0.95, agreementBefore: 0.96 })).toContain('0.96')
    expect(refusedBy({ ...gate, noWorse: false }, { ...of, agreement: 0.95, agreementBefore: 1 })).toBeUndefined()
    const outside = { ...of, agreementBefore: 0.5, liftBefore: 0.4, beforeOutside: 1 }
    expect(refusedBy(gate, outside)).toContain('1 runs ended for reasons outside')
    expect(refusedBy({ ...gate, noWorse: false, liftMin: 0 }, outside)).toContain('evaluate again')
    expect(refusedBy({ ...gate, noWorse: false }, outside)).toBeUndefined()
  })
})

describe('the lift of a version', () => {
  const right = { a: 1, b: 2 }
  const cases = (better: number, worse: number, same: number) =>
    [...Array(better).fill('better'), ...Array(worse).fill('worse'), ...Array(same).fill('same')].map((kind, at) => ({
      id: `case-${at}`,
      runs: [
        run('with', right, kind === 'worse' ? { a: 1, b: 3 } : right),
        run('before', right, kind === 'better' ? { a: 1, b: 3 } : right),
      ],
    }))
  const lift = (better: number, worse: number, same: number) => reportOf(cases(better, worse, same)).lift['before']

  test('is the mean difference per case, with an interval that a few cases leave wide', () => {
    expect(lift(2, 1, 1)).toMatchObject({ cases: 4, mean: 0.125 })
    expect(lift(2, 1, 1)?.lower).toBeLessThan(0)
    expect(lift(3, 0, 0)?.lower).toBeLessThan(0)
    expect(reportOf([{ id: 'a', runs: [run('with', right, right)] }]).lift).toEqual({})
  })

  test('is above zero for sure once enough cases are better, and a gate may require that', () => {
    const sure = lift(30, 0, 10)
    expect(sure?.lower).toBeGreaterThan(0.1)
    expect(sure?.lower).toBeLessThan(sure?.mean ?? 0)
    const gate = { agreement: 0, casesMin: 1, noWorse: true, liftMin: 0 }
    const of = { cases: 40, casesLeftOut: 0, agreement: 1, agreementBefore: 0.6, beforeOutside: 0 }
    expect(refusedBy(gate, { ...of, liftBefore: sure?.lower ?? null })).toBeUndefined()
    expect(refusedBy(gate, { ...of, liftBefore: lift(3, 0, 0)?.lower ?? null })).toContain('add cases')
    expect(refusedBy({ ...gate, liftMin: 0.9 }, { ...of, liftBefore: sure?.lower ?? null })).toContain('by 0.9')
    expect(refusedBy({ ...gate, liftMin: null }, { ...of, liftBefore: -1 })).toBeUndefined()
  })
})

describe('cases of a bundle', () => {
  const bundle = { paths: new Set(['evals/a.pdf', 'assets/b.txt']), hasSchema: true }

  test('are read in every format, with file paths relative to evals or to the root', () => {
    const files = { type: 'bundle_file', path: 'evals/a.pdf' }
    expect(casesOfBundle([{ files: ['a.pdf'], expected: { a: 1 } }], bundle)).toEqual([
      { id: 'evals-0', inputs: { file: files }, config: {}, response: { a: 1 } },
    ])
    const both = { evals: [{ prompt: 'Read', files: ['evals/a.pdf', 'assets/b.txt'], expected_output: { a: 1 } }] }
    expect(casesOfBundle(both, bundle)).toMatchObject([{ inputs: { files: [files, {}] }, config: { prompt: 'Read' } }])
    const slots = { cases: [{ inputs: { left: { path: 'a.pdf' }, right: 'no path', n: 5 }, response: [1] }] }
    const [known] = casesOfBundle(slots, bundle)
    expect(known?.inputs).toEqual({ left: files, right: 'no path', n: 5 })
    expect(filesIn(known?.inputs ?? null)).toEqual(['evals/a.pdf'])
    expect(withItems(known?.inputs ?? null, (path) => `<${path}>`)).toEqual({
      left: '<evals/a.pdf>',
      right: 'no path',
      n: 5,
    })
  })

  test('without a right answer, or with one for human judgement, are skipped', () => {
    expect(casesOfBundle([{ files: ['a.pdf'] }, 5, { expected_output: 'It should be fine' }], bundle)).toEqual([])
    expect(casesOfBundle('nonsense', bundle)).toEqual([])
    expect(casesOfBundle({ evals: 'nonsense' }, bundle)).toEqual([])
  })
})
