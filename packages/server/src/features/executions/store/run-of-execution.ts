import { asJson, isLegibleText, type Json, legible } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { z } from 'zod'
import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import {
  allowedBefore,
  type Execution,
  type ExecutionError,
  type ExecutionState,
  type Move,
  move,
  type Usage,
} from '../execution.ts'
import { columns, type Place, parsedRow, type RunFence, type StoredRow, stateOf } from './execution-row.ts'
import { endTime, moveParam, withMove } from './move-sql.ts'
import { originalOf } from './stored-request.ts'

/** An execution at the start of a run. */
export interface StartedExecution extends Execution {
  readonly moves: readonly Move[]
  /** Attempts taken over after their leases lapsed, by number, each with the process that held it. */
  readonly lostAttempts: Readonly<Record<string, string>>
}

const started = z.object({ moves: z.array(move), lostAttempts: z.record(z.string(), z.string()) })

/**
 * Starts a run of an execution in a process and returns it with its new attempt number. Undefined: the execution has ended or waits, or its
 * job was claimed again (a newer job than number `job`, or a later attempt of it than `jobAttempt`). Records the process of an attempt that
 * is taken over, which may have crashed or only stalled.
 */
export async function startRun(
  sql: Sql,
  run: Place & { job: number; jobAttempt: number; processId: string; now: Date },
): Promise<StartedExecution | undefined> {
  const [row] = await sql.query<StoredRow>(
    `update executions set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $4),
       process_id = $6, job_attempt = $7,
       lost_attempts = case when status = 'running' and process_id <> $6
         then lost_attempts || jsonb_build_object(attempt::text, process_id) else lost_attempts end,
       ${withMove(5, 'attempt + 1')}
     where workspace_id = $1 and id = $2 and job_number = $3 and job_attempt < $7 and status in ('enqueued', 'running')
     returning ${columns}, request, moves, lost_attempts as "lostAttempts"`,
    [run.workspaceId, run.id, run.job, run.now, moveParam('running', run.now), run.processId, run.jobAttempt],
  )
  return row && { ...originalOf(row), ...parsedRow(started, row) }
}

/** Returns an unfinished run to the queue for another worker. False: this run no longer held it. */
export async function returnRun(sql: Sql, fence: RunFence, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `update executions set status = 'enqueued', ${withMove(4)}
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' returning id`,
    [fence.workspaceId, fence.id, fence.attempt, moveParam('enqueued', now)],
  )
  return rows.length === 1
}

/** Records that the process of an attempt, which may have been taken over, did not crash. */
export async function clearLostAttempt(sql: Sql, fence: RunFence): Promise<void> {
  await sql.query(
    `update executions set lost_attempts = lost_attempts - $3
     where workspace_id = $1 and id = $2 and lost_attempts ? $3`,
    [fence.workspaceId, fence.id, String(fence.attempt)],
  )
}

/** Records the engine and the rule that chose it. */
export async function markAnswering(
  sql: Sql,
  fence: RunFence,
  chosen: { answeredBy: string; reason: string | null },
): Promise<void> {
  await sql.query(
    `update executions set answered_by = $4, chosen_by = $5 where workspace_id = $1 and id = $2 and attempt = $3`,
    [fence.workspaceId, fence.id, fence.attempt, chosen.answeredBy, chosen.reason],
  )
}

/** The end of a run. */
export interface Ending {
  readonly status: 'completed' | 'failed'
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  readonly completeness?: Completeness | null
  readonly usage: Usage
  readonly now: Date
  /** The program that answered, its answer and duration, and the bookkeeping that its run causes. */
  readonly program?: Readonly<{
    id: string
    sha256: string
    response: Json
    ms: number
    isShadowed: boolean
    isCounting: boolean
  }>
}

const finishing = `update executions set status = $4, held_ending = null, response = $5, evidence = $6, error = $7, usage = $8, completed_at = ${endTime(9)}, ${withMove(11)},
         completeness = $13,
         warnings = warnings || (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements($14::jsonb) one
           where not executions.warnings @> jsonb_build_array(one)),
         program = $12, execution_mode = case when $12::json is null then execution_mode else 'program' end
     where workspace_id = $1 and id = $2 and attempt = $3 and status = any($10) returning ${columns}`

/** The serialised large values of an ending. */
export interface EndingTexts {
  readonly response: string
  readonly evidence: string | null
}

/** Serialises the large values of an ending before the transaction, which then only runs its statements. */
export async function textsOf({ response, evidence }: Pick<Ending, 'response' | 'evidence'>): Promise<EndingTexts> {
  return {
    response: await legibleText(response),
    evidence: evidence && (await legibleText(asJson(evidence))),
  }
}

/** An answer may come back in a request, as a case or in a conversation, so it must not contain anything that requests refuse. */
async function legibleText(value: Json): Promise<string> {
  const text = await largeJsonb(value)
  return isLegibleText(text) ? text : jsonb(legible(value))
}

/**
 * Writes the end and returns the ended execution. Undefined: the run had lost its lease, or the execution had ended otherwise; nothing was
 * written.
 */
export async function finishRun(
  sql: Sql,
  fence: RunFence,
  ending: Ending & { readonly warnings: readonly Warning[] },
  given?: EndingTexts,
): Promise<ExecutionState | undefined> {
  const texts = given ?? (await textsOf(ending))
  const [row] = await sql.query<StoredRow>(finishing, [
    fence.workspaceId,
    fence.id,
    fence.attempt,
    ending.status,
    texts.response,
    texts.evidence,
    ending.error === null ? null : jsonb(legible(ending.error)),
    jsonb(ending.usage),
    ending.now,
    allowedBefore(ending.status),
    moveParam(ending.status, ending.now),
    ending.program ? jsonb({ id: ending.program.id, sha256: ending.program.sha256 }) : null,
    ending.completeness ? jsonb(ending.completeness) : null,
    jsonb(legible(ending.warnings)),
  ])
  return row && stateOf(row)
}

/** Marks a new execution as the shadow of another. */
export async function markShadow(sql: Sql, of: Place & { shadowOf: string }): Promise<void> {
  await sql.query('update executions set shadow_of = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    of.shadowOf,
  ])
}
