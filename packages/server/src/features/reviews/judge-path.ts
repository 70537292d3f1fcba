import type { Json } from '@skillrun/core/json.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { comparePairs } from '../../agent/compare-answers.ts'
import { fieldHolding, separateFields } from '../../agent/programs/separate-fields.ts'
import { type addJudged, judgedByPerson } from '../cheapest-path/cheapest-path.ts'
import { type Execution, withSkills } from '../executions/executions.ts'
import { wrongFields } from '../programs/programs.ts'

/** What a review says of the rungs of a cheapest path. */
type Lesson = Omit<Parameters<typeof addJudged>[1], 'now'> & {
  /** What the execution keeps of its path then. */
  readonly path: NonNullable<Execution['path']>
}

/**
 * What a finished review of an answer says of the rungs of its path; undefined: nothing. Takes up to seconds: call it before the
 * transaction. Answers of a path count once for people, who may find later that one of them was wrong.
 */
export async function lessonOfReview(
  processPool: ProcessPool,
  of: { readonly original: Execution; readonly reviewed: Json; readonly signal: AbortSignal },
): Promise<Lesson | undefined> {
  const { original, reviewed, signal } = of
  const { path, workspaceId } = original
  // A fork may depend on results that were edited.
  if (!path?.lower || original.forkedFrom !== null) return undefined
  const { key, maxWrongRate, lower } = path
  const [compared] = await comparePairs(processPool, [[reviewed, original.response]], { tooLarge: 'empty', signal })
  if (!compared) return undefined
  const wrong = wrongFields(compared, 'person')
  const isWrong = (field: string) => wrong.some((pointer) => fieldHolding([field], pointer) !== undefined)
  const { judged, answers } = judgedByPerson(lower.answers, isWrong)
  if (judged.length === 0) return undefined
  const { small, large } = lower
  // Of the whole request, also where a program or a base execution left a part of it.
  const fields = (separateFields(withSkills(original.request).schema) ?? Object.keys(path.fields)).length
  const answeredAt = original.completedAt
  const kept = { ...path, lower: { ...lower, answers: [...answers] } }
  return { workspaceId, key, small, large, maxWrongRate, fields, judged, answeredAt, hasFailed: null, path: kept }
}
