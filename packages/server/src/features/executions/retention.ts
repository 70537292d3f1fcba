import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { deleteArtifacts } from '../artifacts/artifacts.ts'
import { forgetFeedback, forgetFeedbackOn } from '../feedback/feedback.ts'
import { deleteInputFiles } from '../files/files.ts'
import { deleteParsedDocumentsFor } from '../inputs/inputs.ts'
import { clearSettledCallbacks } from '../webhooks/webhooks.ts'
import type { ExecutionState } from './execution.ts'
import type { ExecutionRequest } from './execution-request.ts'
import type { Place } from './store/execution-row.ts'

/** Whether the content of an execution may be kept after its end. */
export const mayRetain = ({ metadata }: Pick<ExecutionRequest, 'metadata'>): boolean =>
  metadata['allow_retention'] !== false

/** Whether later executions may learn from this one. */
export const mayTrain = (request: Pick<ExecutionRequest, 'metadata'>): boolean =>
  mayRetain(request) && request.metadata['allow_training'] !== false

/** Marks a new execution as not to be kept, and drops earlier feedback under any of its `names`. */
export async function markUnretained(
  tx: Sql,
  { workspaceId, id, names }: Place & { names: readonly string[] },
): Promise<void> {
  await tx.query('update executions set is_retained = false where workspace_id = $1 and id = $2', [workspaceId, id])
  await forgetFeedbackOn(tx, { workspaceId, executionId: id, names })
}

/**
 * Drops the content of an execution in the transaction that ends it: the request, the details of its steps, its parsed documents, and its
 * input files. Hashes, sizes, prices, times and the answer stay. The collector removes the bytes of files.
 */
export async function forgetWork(
  tx: Sql,
  execution: Pick<ExecutionState, 'id' | 'workspaceId' | 'keyId'> & { now: Date },
): Promise<void> {
  const { id, workspaceId, keyId, now } = execution
  await deleteParsedDocumentsFor(tx, { id, workspaceId })
  await scrubWork(tx, { workspaceId, id })
  await deleteInputFiles(tx, { workspaceId, executionId: id, keyId, now })
}

/** Steps keep the hashes and sizes of the bytes that they read, and the tokens of model calls. */
const keptOfStep = `json_strip_nulls(json_build_object('input', null, 'sha256', detail->'sha256', 'bytes', detail->'bytes', 'usage', detail->'usage'))`

/** An inline skill keeps the hash of its bundle, and loses the name from the request. */
const keptOfSkills = `(select coalesce(json_agg(case when one.skill->>'id' is null
    then (one.skill::jsonb || '{"name": "inline"}')::json else one.skill end order by one.place), '[]'::json)
  from json_array_elements(skills::json) with ordinality as one (skill, place))`

/** Drops the request, the details of the steps and the artifacts of an execution. Its input files stay. */
async function scrubWork(tx: Sql, { workspaceId, id }: Place): Promise<void> {
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
  // Last: concurrent feedback waits for this row and then finds that it is not kept.
  await forgetFeedback(tx, { workspaceId, executionId: id })
}

/**
 * Drops the answer of an ended execution and all other content in its record. True if this call dropped it: only the first reader gets the
 * answer. An undelivered callback keeps its bytes for `limits.unretainedAnswerMs`.
 */
export async function forgetAnswer(db: Db, place: Place & { now: Date }): Promise<boolean> {
  const { workspaceId, id, now } = place
  return db.transaction(async (tx) => {
    const rows = await tx.query(
      `update executions set response = null, evidence = null, completeness = null, needs_look = null, path = null, warnings = '[]', reviewed_response = null,
         review = case when review->>'status' = 'done' then jsonb_set(review, '{changes}', '[]') end, session_id = null, callback_url = null,
         client_id = null, purged_at = $3, field_modes = null, program = (program::jsonb - 'fields')::json,
         usage = (usage::jsonb - 'message')::json,
         error = case when error is null then null else json_build_object('code', error->'code', 'retryable', error->'retryable',
           'message', 'The message of this failure was not retained') end
       where workspace_id = $1 and id = $2 and status in ('completed', 'failed') and purged_at is null returning id`,
      [workspaceId, id, now],
    )
    if (rows.length === 1) await clearSettledCallbacks(tx, { workspaceId, executionId: id })
    return rows.length === 1
  })
}

/**
 * Drops all content of an ended execution, including what `forgetMore` knows of it. Costs, counts, times and its input files stay.
 * `olderThan`: only if it ended before. False: it was resumed since the caller looked, and stays as it is, also if it has ended again.
 */
export async function purgeExecution(
  db: Db,
  place: Place & { isRetained: boolean; now: Date; olderThan: Date | null },
  forgetMore: (tx: Sql, of: { workspaceId: string; executionId: string }) => Promise<void>,
): Promise<boolean> {
  const { workspaceId, id, isRetained, now, olderThan } = place
  const found = await db.transaction(async (tx) => {
    const [row] = await tx.query<{ isPurged: boolean }>(
      `select purged_at is not null as "isPurged" from executions
       where workspace_id = $1 and id = $2 and status in ('completed', 'failed') and ($3::timestamptz is null or completed_at < $3) for update`,
      [workspaceId, id, olderThan],
    )
    if (!row || row.isPurged || !isRetained) return row
    await scrubWork(tx, { workspaceId, id })
    await forgetMore(tx, { workspaceId, executionId: id })
    // From here on nobody can resume it.
    await tx.query('update executions set is_retained = false where workspace_id = $1 and id = $2', [workspaceId, id])
    return row
  })
  if (!found || found.isPurged) return found !== undefined
  // Before the mark that ends the purge: a run that was cut off may have left these.
  await deleteParsedDocumentsFor(db, { workspaceId, id })
  await forgetAnswer(db, { workspaceId, id, now })
  return true
}

/** The execution for this reader: an answer that must not be kept goes to the first reader only. */
export async function readOnce(parts: { db: Db; clock: Clock }, execution: ExecutionState): Promise<ExecutionState> {
  if (execution.isRetained || execution.completedAt === null) return execution
  const { workspaceId, id } = execution
  const isFirst = await forgetAnswer(parts.db, { workspaceId, id, now: parts.clock.now() })
  return isFirst ? execution : withoutAnswer(execution)
}

/** The execution for a list, which does not consume an answer that can be read only once. */
export const withoutAnswer = (execution: ExecutionState): ExecutionState =>
  execution.isRetained
    ? execution
    : {
        ...execution,
        response: null,
        evidence: null,
        completeness: null,
        needsLook: null,
        warnings: [],
        reviewedResponse: null,
      }

/** The Fault of operations that need content which was not kept. */
export function refuseUnretained({ isRetained, completedAt }: ExecutionState): void {
  if (isRetained || completedAt === null) return
  throw new Fault(
    'conflict',
    'not_retained',
    'The request of this execution was not retained: it ran with allow_retention: false, or its retention period has ended',
  )
}
