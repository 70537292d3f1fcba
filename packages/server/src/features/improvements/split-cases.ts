import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { contentsOfInputs, type KnownCase, makeCopyFinder } from '../evaluations/evaluations.ts'
import type { CasePlan } from './improvement.ts'

/** Most cases of each half. */
const trainingMax = 50
const judgingMax = 200

/**
 * Splits cases in two halves: one to learn from, one to judge by. The half depends on the contents of the inputs alone, so that it is the same
 * in every improvement of the skill, and equal inputs are never in both. Copies are left out.
 */
export async function splitCases(
  db: Sql,
  cases: readonly KnownCase[],
  of: Parameters<typeof contentsOfInputs>[2],
): Promise<CasePlan> {
  const training: KnownCase[] = []
  const judging: KnownCase[] = []
  const isCopy = makeCopyFinder()
  for (const one of cases) {
    const contents = await contentsOfInputs(db, one.inputs, of)
    if (await isCopy(one, contents)) continue
    const hash = await canonicalSha256(contents)
    const isForJudging = Number.parseInt(hash.slice(0, 2), 16) % 2 === 1
    if (isForJudging) judging.push(one)
    else training.push(one)
  }
  return { training: training.slice(0, trainingMax), judging: judging.slice(0, judgingMax) }
}
