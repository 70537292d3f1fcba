import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { contentsOfInputs, filesOfInputs, type KnownCase, makeCopyFinder } from '../evaluations/evaluations.ts'
import type { CasePlan } from './improvement.ts'

/** Most cases of each half. */
const trainingMax = 50
const judgingMax = 200

/**
 * Splits cases in two halves: one to learn from, one to judge by. The half depends on the contents of the inputs alone, so that it is the same
 * in every improvement of the skill, and equal inputs are never in both. Left out are copies, and of the half to learn from cases with a file of
 * a case to judge by, unless all cases have that file.
 */
export async function splitCases(
  db: Sql,
  cases: readonly KnownCase[],
  of: Parameters<typeof contentsOfInputs>[2],
): Promise<CasePlan> {
  const training: Placed[] = []
  const judging: Placed[] = []
  const isCopy = makeCopyFinder()
  for (const one of cases) {
    const contents = await contentsOfInputs(db, one.inputs, of)
    if (await isCopy(one, contents)) continue
    const hash = await canonicalSha256(contents)
    const isForJudging = Number.parseInt(hash.slice(0, 2), 16) % 2 === 1
    const placed = { one, files: await filesOfInputs(db, one.inputs, of) }
    if (isForJudging) judging.push(placed)
    else training.push(placed)
  }
  const casesOfHalf = (half: readonly Placed[], most: number) => half.map(({ one }) => one).slice(0, most)
  return { training: casesOfHalf(without(training, judging), trainingMax), judging: casesOfHalf(judging, judgingMax) }
}

interface Placed {
  readonly one: KnownCase
  readonly files: ReadonlySet<string>
}

/** The cases of `training` that have no file of `judging`, but for files that all of both have. */
function without(training: readonly Placed[], judging: readonly Placed[]): readonly Placed[] {
  const cases = [...training, ...judging]
  const isCommon = (file: string) => cases.every(({ files }) => files.has(file))
  const judged = new Set(judging.flatMap(({ files }) => [...files]).filter((file) => !isCommon(file)))
  return training.filter(({ files }) => ![...files].some((file) => judged.has(file)))
}
