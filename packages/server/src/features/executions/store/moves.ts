import { assert } from '@skillrun/core/assert.ts'
import { z } from 'zod'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { limits } from '../../../core/limits.ts'
import { type ExecutionError, type ExecutionState, executionState, type Usage } from '../execution.ts'
import { allowedBefore, type Move, move, type Status } from '../lifecycle.ts'
import { columns, type Place, parsedRow, type RunFence, type StoredRow, stateOf } from './execution-row.ts'
import { endTime, moveParam, withMove } from './move-sql.ts'

/** Pauses a waiting or running execution. Undefined: it cannot be paused now, or has moved `movesMax` times. */
export async function pauseExecution(
  sql: Sql,
  pause: Place & { now: Date; movesMax: number },
): Promise<ExecutionState | undefined> {
  const [row] = await sql.query<StoredRow>(
    `update executions set status = 'paused', ${withMove(3)}
     where workspace_id = $1 and id = $2 and status = any($4) and jsonb_array_length(moves) < $5 returning ${columns}`,
    [pause.workspaceId, pause.id, moveParam('paused', pause.now), allowedBefore('paused'), pause.movesMax],
  )
  return row && stateOf(row)
}

/** Pauses an execution in its run, with its usage and the reason. Undefined as `pauseExecution`. */
export async function pauseRun(
  tx: Sql,
  fence: RunFence,
  pause: { now: Date; movesMax: number; usage: Usage },
): Promise<ExecutionState | undefined> {
  const [row] = await tx.query<StoredRow>(
    `update executions set status = 'paused', usage = $4, ${withMove(5)}
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' and jsonb_array_length(moves) < $6
     returning ${columns}`,
    [fence.workspaceId, fence.id, fence.attempt, jsonb(pause.usage), moveParam('paused', pause.now), pause.movesMax],
  )
  return row && stateOf(row)
}

/**
 * SQL: whether an execution can be resumed: paused, or failed for a temporary reason (`isResumable`) with its content still kept and no
 * other one in its place (`markReplaced`). The number of pauses is bounded when pausing, so a paused execution can always be resumed.
 */
export const isResumableRow = `(status = 'paused' and (approval is null or approval->>'decision' = 'approve') or status = 'failed' and is_retained and purged_at is null
  and (error->>'code' in ('poison', 'timeout') or error->>'code' like 'provider\\_%') and error->'replaced' is null and jsonb_array_length(moves) < ${limits.executionMovesMax})`

/**
 * Resumes an execution that is paused or failed for a temporary reason, with a new job, whose number is returned too, and optionally with
 * another cost limit. Undefined: it cannot be resumed.
 */
export async function resumeExecution(
  sql: Sql,
  resume: Place & { now: Date; maxCostMicros: number | null },
): Promise<(ExecutionState & { readonly job: number }) | undefined> {
  const [row] = await sql.query<StoredRow>(
    `update executions set status = 'enqueued', job_number = job_number + 1, job_attempt = -1,
       max_cost_micros = coalesce($4, max_cost_micros), lost_attempts = '{}', error = null, completed_at = null,
       usage = (usage::jsonb - 'message' - 'refusedMicros' - 'refusedBy')::json, ${withMove(3)}
     where workspace_id = $1 and id = $2 and ${isResumableRow} returning ${columns}, job_number as job`,
    [resume.workspaceId, resume.id, moveParam('enqueued', resume.now), resume.maxCostMicros],
  )
  return row && { ...stateOf(row), ...parsedRow(z.object({ job: z.number() }), row) }
}

/** Marks failed executions that new ones take the place of, which cannot be resumed any more. Returns their ids: others have not failed. */
export async function markReplaced(
  tx: Sql,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `update executions set error = (error::jsonb || '{"replaced": true}')::json
     where workspace_id = $1 and id = any($2::uuid[]) and status = 'failed' returning id`,
    [workspaceId, ids],
  )
  return rows.map(({ id }) => id)
}

/** Enqueues a pending execution with its first job, whose number is given. Undefined: it is no longer pending. */
export async function startPending(
  sql: Sql,
  start: Place & { now: Date },
): Promise<{ readonly job: number } | undefined> {
  const [row] = await sql.query<{ job: number }>(
    `update executions set status = 'enqueued', ${withMove(3)}
     where workspace_id = $1 and id = $2 and status = 'pending' returning job_number as job`,
    [start.workspaceId, start.id, moveParam('enqueued', start.now)],
  )
  return row
}

/** An execution that has started or ended no longer waits for uploads. */
export async function forgetAwaited(tx: Sql, { workspaceId, id }: Place): Promise<void> {
  await tx.query('delete from execution_uploads where workspace_id = $1 and execution_id = $2', [workspaceId, id])
}

/** Locks the row of an unfinished execution until the transaction ends. False: there is none. */
export async function lockUnended(tx: Sql, place: Place): Promise<boolean> {
  const rows = await tx.query(
    'select id from executions where workspace_id = $1 and id = $2 and status = any($3) for update',
    [place.workspaceId, place.id, allowedBefore('failed')],
  )
  return rows.length === 1
}

/** Ends an execution that `lockUnended` locked. */
export async function failExecution(
  tx: Sql,
  end: Place & { now: Date; error: ExecutionError; usage: Usage },
): Promise<ExecutionState> {
  const [row] = await tx.query<StoredRow>(
    `update executions set status = 'failed', error = $3, usage = $4, held_ending = null, completed_at = ${endTime(5)}, ${withMove(6)}
     where workspace_id = $1 and id = $2 returning ${columns}`,
    [end.workspaceId, end.id, jsonb(end.error), jsonb(end.usage), end.now, moveParam('failed', end.now)],
  )
  assert(row !== undefined, 'the row is locked')
  return stateOf(row)
}

const statusAndMoves = executionState.pick({ status: true, error: true }).extend({ moves: z.array(move) })

/** The moves of an execution and its status. */
export async function findMoves(
  sql: Sql,
  place: Place,
): Promise<
  { readonly status: Status; readonly error: ExecutionError | null; readonly moves: readonly Move[] } | undefined
> {
  const [row] = await sql.query<StoredRow>(
    'select id, status, error, moves from executions where workspace_id = $1 and id = $2',
    [place.workspaceId, place.id],
  )
  return row && parsedRow(statusAndMoves, row)
}

/** Position of a reader of events: moves and steps it has seen. */
export interface Seen {
  readonly moves: number
  readonly step: number
}

/** The indexes in `readers` of those with new events. */
export async function findNews(sql: Sql, readers: readonly (Place & { seen: Seen })[]): Promise<readonly number[]> {
  const rows = await sql.query<{ place: number }>(
    `select (reader.place - 1)::integer as place
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) with ordinality
       as reader (workspace_id, id, moves, step, place)
     join executions using (workspace_id, id)
     where jsonb_array_length(executions.moves) > reader.moves or exists (
       select 1 from steps
       where steps.workspace_id = reader.workspace_id and steps.execution_id = reader.id and steps.seq > reader.step)`,
    [
      readers.map((reader) => reader.workspaceId),
      readers.map((reader) => reader.id),
      readers.map((reader) => reader.seen.moves),
      readers.map((reader) => reader.seen.step),
    ],
  )
  return rows.map((row) => row.place)
}
