import type { Json } from '@skillrun/core/json.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { comparePairs } from '../../agent/compare-answers.ts'
import { fieldHolding, separateFields } from '../../agent/programs/separate-fields.ts'
import { type addJudged, judgedByPerson } from '../cheapest-path/cheapest-path.ts'
import { type Execution, withSkills } from '../executions/executions.ts'
import { wrongFields } from '../programs/programs.ts'

/** What a review says of the rungs of a cheapest path. */
type Lesson = Omit<Parameters<typeof addJudged>[1], 'now'>

/**
 * What the first finished review of an answer says of the rungs of its path; undefined: nothing. Takes up to seconds: call it before the
 * transaction. Like programs' answers, those of a path count once for a person.
 */
export async function lessonOfReview(
  processPool: ProcessPool,
  of: { readonly original: Execution; readonly reviewed: Json; readonly signal: AbortSignal },
): Promise<Lesson | undefined> {
  const { original, reviewed, signal } = of
  const { path, workspaceId, review } = original
  // A fork may depend on results that were edited.
  if (!path?.lower || review?.status === 'done' || original.forkedFrom !== null) return undefined
  const { key, maxWrongRate, lower } = path
  const [compared] = await comparePairs(processPool, [[reviewed, original.response]], { tooLarge: 'empty', signal })
  const wrong = compared && wrongFields(compared, 'person')
  const judged = judgedByPerson(
    lower.answers,
    (field) => wrong?.some((pointer) => fieldHolding([field], pointer) !== undefined) ?? false,
  )
  if (!wrong || judged.length === 0) return undefined
  const { small, large } = lower
  // Of the whole request, also where a program or a base execution left a part of it.
  const fields = (separateFields(withSkills(original.request).schema) ?? Object.keys(path.fields)).length
  return { workspaceId, key, small, large, maxWrongRate, fields, judged, hasFailed: null }
}
