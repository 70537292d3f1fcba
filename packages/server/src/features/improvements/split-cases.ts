import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import type { KnownCase } from '../evaluations/evaluations.ts'
import type { CasePlan } from './improvement.ts'

/** Most cases of each half. */
const trainingMax = 50
const judgingMax = 200

/**
 * Splits cases in two halves: one to learn from, one to judge by. The half depends on the inputs of a case alone, so that it is the same in
 * every improvement of the skill, and equal inputs are never in both.
 */
export async function splitCases(cases: readonly KnownCase[]): Promise<CasePlan> {
  const training: KnownCase[] = []
  const judging: KnownCase[] = []
  for (const one of cases) {
    const isForJudging = Number.parseInt((await canonicalSha256(one.inputs)).slice(0, 2), 16) % 2 === 1
    if (isForJudging) judging.push(one)
    else training.push(one)
  }
  return { training: training.slice(0, trainingMax), judging: judging.slice(0, judgingMax) }
}
