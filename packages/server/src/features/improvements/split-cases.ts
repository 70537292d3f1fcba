import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { KnownCase } from '../evaluations/evaluations.ts'
import { contentsOfInputs } from './case-contents.ts'
import type { CasePlan } from './improvement.ts'

/** Most cases of each half. */
const trainingMax = 50
const judgingMax = 200

/**
 * Splits cases in two halves: one to learn from, one to judge by. The half depends on the contents of the inputs alone, so that it is the same
 * in every improvement of the skill, and equal inputs are never in both. The same question about equal inputs counts once: a copy says nothing more
 * of other documents, and the test of a lift takes cases for independent.
 */
export async function splitCases(
  db: Sql,
  cases: readonly KnownCase[],
  of: Parameters<typeof contentsOfInputs>[2],
): Promise<CasePlan> {
  const training: KnownCase[] = []
  const judging: KnownCase[] = []
  const seen = new Set<string>()
  for (const one of cases) {
    const hash = await canonicalSha256(await contentsOfInputs(db, one.inputs, of))
    const question = await canonicalSha256([hash, one.config])
    if (seen.has(question)) continue
    seen.add(question)
    const isForJudging = Number.parseInt(hash.slice(0, 2), 16) % 2 === 1
    if (isForJudging) judging.push(one)
    else training.push(one)
  }
  return { training: training.slice(0, trainingMax), judging: judging.slice(0, judgingMax) }
}
