import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { independentSample, judgeOfShadow, judges, outranks, withJudgement } from './judgement.ts'

describe('a judgement of an answer', () => {
  test('by a more independent judge takes the place of the earlier one, never the other way round', () => {
    const verdict = fc.record({ judge: fc.constantFrom(...judges), isWrong: fc.boolean() })
    fc.assert(
      fc.property(fc.array(fc.array(verdict, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), (answers) => {
        let judgements = {}
        for (const verdicts of answers) {
          let standing: (typeof verdicts)[number] | undefined
          for (const next of verdicts) {
            if (standing && !outranks(next.judge, standing.judge)) continue
            judgements = withJudgement(judgements, next, standing)
            standing = next
          }
        }
        // Each answer counts once, as its most independent judge first said.
        const best = answers.flatMap((verdicts) =>
          judges.flatMap((by) => verdicts.find(({ judge }) => judge === by) ?? []).slice(0, 1),
        )
        const counted = best.filter(({ judge }) => judge !== 'same_engine')
        expect(independentSample(judgements)).toEqual({
          n: counted.length,
          k: counted.filter(({ isWrong }) => isWrong).length,
        })
      }),
    )
  })

  test.each([
    ['embedded', 'embedded', 'same_engine'],
    ['embedded', 'openai/gpt-5.5', 'other_model'],
    ['openai/gpt-5.5', 'openai/gpt-5.5', 'same_engine'],
    ['openai/gpt-5.5', 'gateway/openai/GPT-5.5', 'same_engine'],
    ['openai/gpt-5.5', 'anthropic/opus', 'other_model'],
    // Any program can call the embedded engine's own extraction.
    ['openai/gpt-5.5', 'embedded', 'same_engine'],
    [null, 'openai/gpt-5.5', 'same_engine'],
  ] as const)('of a program by %s, made by a shadow run on %s, is one of %s', (writtenBy, engine, judge) => {
    expect(judgeOfShadow([writtenBy], engine)).toBe(judge)
  })
})
