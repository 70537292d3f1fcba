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

/** An execution as a run takes it up. */
export interface StartedExecution extends Execution {
  readonly moves: readonly Move[]
  /** Attempts that were taken over because their leases had lapsed, by number, each with the process that held it. */
  readonly lostAttempts: Readonly<Record<string, string>>
}

const started = z.object({ moves: z.array(move), lostAttempts: z.record(z.string(), z.string()) })

/**
 * Starts a run of an execution in a process and gives it with its new attempt number. Undefined: the execution has ended or waits, or
 * its job was given out again since (a newer job than number `job`, or a later attempt of it than `jobAttempt`). An attempt that is
 * taken over from another process is noted with that process, which may have crashed or only stood still.
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

/** Gives a run that was not finished back, so that another worker takes it up. Says whether it was this run's to give. */
export async function returnRun(sql: Sql, fence: RunFence, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `update executions set status = 'enqueued', ${withMove(4)}
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' returning id`,
    [fence.workspaceId, fence.id, fence.attempt, moveParam('enqueued', now)],
  )
  return rows.length === 1
}

/** Says of an attempt that may have been taken over that its process did not crash. */
export async function clearLostAttempt(sql: Sql, fence: RunFence): Promise<void> {
  await sql.query(
    `update executions set lost_attempts = lost_attempts - $3
     where workspace_id = $1 and id = $2 and lost_attempts ? $3`,
    [fence.workspaceId, fence.id, String(fence.attempt)],
  )
}

/** Records which engine answers, and by which rule it was chosen. */
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
  /** The program that answered, what it said, how long it took, and what falls to its run. */
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

/** The large values of an ending as they are written. */
export interface EndingTexts {
  readonly response: string
  readonly evidence: string | null
}

/** Writes the large values of an ending, before the transaction that waits for nothing but its statements. */
export async function textsOf({ response, evidence }: Pick<Ending, 'response' | 'evidence'>): Promise<EndingTexts> {
  return {
    response: await legibleText(response),
    evidence: evidence && (await legibleText(asJson(evidence))),
  }
}

/** An answer is sent back to us one day, as a known answer or in a conversation: it holds nothing that we refuse. */
async function legibleText(value: Json): Promise<string> {
  const text = await largeJsonb(value)
  return isLegibleText(text) ? text : jsonb(legible(value))
}

/** Writes the end and gives the ended execution. Undefined: the run had lost its lease, or the execution had ended otherwise; nothing was written. */
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

/** Says of a new execution that it is run beside another. */
export async function markShadow(sql: Sql, of: Place & { shadowOf: string }): Promise<void> {
  await sql.query('update executions set shadow_of = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    of.shadowOf,
  ])
}
