import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { deleteArtifacts } from '../artifacts/artifacts.ts'
import { forgetFeedback, forgetFeedbackOn } from '../feedback/feedback.ts'
import { deleteInputFiles } from '../files/files.ts'
import { deleteReadingsFor } from '../inputs/inputs.ts'
import { forgetTold } from '../webhooks/webhooks.ts'
import type { ExecutionRequest, ExecutionState } from './execution.ts'
import type { Place } from './store/execution-row.ts'

/** Whether what an execution works with may be kept when it has ended. */
export const mayRetain = ({ metadata }: Pick<ExecutionRequest, 'metadata'>): boolean =>
  metadata['allow_retention'] !== false

/** Whether anything may be learnt from an execution for later ones. */
export const mayTrain = (request: Pick<ExecutionRequest, 'metadata'>): boolean =>
  mayRetain(request) && request.metadata['allow_training'] !== false

/** Says of a new execution that it is not to be kept, and drops what was said of it before it was there, under any of its `names`. */
export async function markUnretained(
  tx: Sql,
  { workspaceId, id, names }: Place & { names: readonly string[] },
): Promise<void> {
  await tx.query('update executions set is_retained = false where workspace_id = $1 and id = $2', [workspaceId, id])
  await forgetFeedbackOn(tx, { workspaceId, executionId: id, names })
}

/**
 * Drops what went into an execution and what it did, in the transaction that ends it: the request, what its steps asked and
 * found, its readings, and the files that were its inputs. Hashes, sizes, prices and times stay, and so does the answer. Bytes
 * of files are left to the collector.
 */
export async function forgetWork(
  tx: Sql,
  execution: Pick<ExecutionState, 'id' | 'workspaceId' | 'keyId'> & { now: Date },
): Promise<void> {
  const { id, workspaceId, keyId, now } = execution
  await deleteReadingsFor(tx, { id, workspaceId })
  await scrubWork(tx, { workspaceId, id })
  await deleteInputFiles(tx, { workspaceId, executionId: id, keyId, now })
}

/** What stays of a step says which bytes it read and how many, and of a call of a model how many tokens it took. */
const keptOfStep = `json_strip_nulls(json_build_object('input', null, 'sha256', detail->'sha256', 'bytes', detail->'bytes', 'usage', detail->'usage'))`

/** A skill that came inline keeps the hash of its bundle, and not the name that the request gave it. */
const keptOfSkills = `(select coalesce(json_agg(case when one.skill->>'id' is null
    then (one.skill::jsonb || '{"name": "inline"}')::json else one.skill end order by one.place), '[]'::json)
  from json_array_elements(skills::json) with ordinality as one (skill, place))`

/** The same for an execution that ended long ago, whose files stay: the request, what its steps asked and found, and what it made. */
export async function scrubWork(tx: Sql, { workspaceId, id }: Place): Promise<void> {
  await tx.query(
    `update steps set detail = ${keptOfStep}, result = null where workspace_id = $1 and execution_id = $2`,
    [workspaceId, id],
  )
  await deleteArtifacts(tx, { workspaceId, executionId: id })
  await tx.query(
    `update execution_skills set name = 'inline' where workspace_id = $1 and execution_id = $2 and skill_id is null`,
    [workspaceId, id],
  )
  await tx.query(
    `update executions set request = json_build_object('inputs', '[]'::json, 'values', '{}'::json, 'prompt', '', 'schema', null,
       'pageIndices', null, 'grounded', false, 'caching', false, 'programAsked', false, 'timeoutSeconds', null, 'maxSteps', null,
       'metadata', json_build_object('allow_retention', false),
       'sha256', encode(sha256(convert_to(request::text, 'UTF8')), 'hex')),
       skills = ${keptOfSkills}, file_names = '{}', held_ending = null,
       approval = case when approval is null then null else approval || '{"input": null, "comment": null}' end
     where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  )
  // Last: whoever says something of it now waits for this row, and then finds that it is not kept.
  await forgetFeedback(tx, { workspaceId, executionId: id })
}

/**
 * Drops the answer of an execution that has ended, and all else that its record says of its content. Says whether it was this
 * call that did: the first reader of an answer is the only one. A callback that has not been delivered keeps its bytes until
 * `limits.unretainedAnswerMs` have passed.
 */
export async function forgetAnswer(db: Db, place: Place & { now: Date }): Promise<boolean> {
  const { workspaceId, id, now } = place
  return db.transaction(async (tx) => {
    const rows = await tx.query(
      `update executions set response = null, evidence = null, completeness = null, warnings = '[]', reviewed_response = null,
         review = jsonb_set(review, '{changes}', '[]'), session_id = null, callback_url = null,
         client_id = null, purged_at = $3,
         usage = (usage::jsonb - 'message')::json,
         error = case when error is null then null else json_build_object('code', error->'code', 'retryable', error->'retryable',
           'message', 'What was said of this failure was not to be kept') end
       where workspace_id = $1 and id = $2 and status in ('completed', 'failed') and purged_at is null returning id`,
      [workspaceId, id, now],
    )
    if (rows.length === 1) await forgetTold(tx, { workspaceId, executionId: id })
    return rows.length === 1
  })
}

/**
 * Drops all content of an execution that has ended, with what `forgetMore` knows of it. What it took, cost and when stays, and so do
 * the files that were its inputs.
 */
export async function purgeExecution(
  db: Db,
  place: Place & { isRetained: boolean; now: Date },
  forgetMore: (tx: Sql, of: { workspaceId: string; executionId: string }) => Promise<void>,
): Promise<void> {
  const { workspaceId, id, isRetained, now } = place
  if (isRetained)
    await db.transaction(async (tx) => {
      await scrubWork(tx, { workspaceId, id })
      await forgetMore(tx, { workspaceId, executionId: id })
      await tx.query('update executions set is_retained = false where workspace_id = $1 and id = $2', [workspaceId, id])
    })
  await forgetAnswer(db, { workspaceId, id, now })
  // A run that was cut off did not get to it.
  await deleteReadingsFor(db, { workspaceId, id })
}

/** The execution as this reader may see it: the answer of one that is not kept goes to whoever reads it first. */
export async function readOnce(parts: { db: Db; clock: Clock }, execution: ExecutionState): Promise<ExecutionState> {
  if (execution.isRetained || execution.completedAt === null) return execution
  const { workspaceId, id } = execution
  const isFirst = await forgetAnswer(parts.db, { workspaceId, id, now: parts.clock.now() })
  return isFirst ? execution : withoutAnswer(execution)
}

/** The execution as a list shows it, where nothing is read that could be read but once. */
export const withoutAnswer = (execution: ExecutionState): ExecutionState =>
  execution.isRetained
    ? execution
    : { ...execution, response: null, evidence: null, completeness: null, warnings: [], reviewedResponse: null }

/** Fault for what would need the content of an execution that was not kept. */
export function refuseUnretained({ isRetained, completedAt }: ExecutionState): void {
  if (isRetained || completedAt === null) return
  throw new Fault(
    'conflict',
    'not_retained',
    'The request of this execution was not retained: it ran with allow_retention: false, or its retention period has ended',
  )
}
