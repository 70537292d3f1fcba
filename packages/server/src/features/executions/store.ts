import { asJson, isLegibleText, type Json, legible } from '@skillrun/core/json.ts'
import type { Completeness } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import { usedSkills } from './accept/request-skills.ts'
import {
  allowedBefore,
  type Execution,
  type ExecutionError,
  type ExecutionState,
  fileIdsOf,
  type Move,
  type Status,
  type Step,
  type Usage,
} from './execution.ts'
import { requestOfRow, storedRequest } from './stored-request.ts'

// The request may hold megabytes of data URLs: only a run reads it.
export const columns = `id, workspace_id as "workspaceId", name, status, attempt, model, tier, session_id as "sessionId",
  key_id as "keyId", answered_by as "answeredBy", model_chosen_by as "modelChosenBy", chosen_by as "modelReason", agent_id as "agentId", client_id as "clientId", max_cost_micros as "maxCostMicros",
  callback_url as "callbackUrl", skills, evaluation_id as "evaluationId", batch_id as "batchId", execution_mode as "executionMode", program, shadow_of as "shadowOf", response, evidence, error, completeness, warnings, usage, created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt", is_retained as "isRetained", file_names as "fileNames"`

/** Where an execution stands. */
export interface Place {
  readonly workspaceId: string
  readonly id: string
}

/** A new execution, ready for a worker. */
export type NewExecution = Pick<
  Execution,
  | 'id'
  | 'workspaceId'
  | 'name'
  | 'agentId'
  | 'clientId'
  | 'request'
  | 'model'
  | 'modelChosenBy'
  | 'tier'
  | 'sessionId'
  | 'callbackUrl'
  | 'createdAt'
  | 'answeredBy'
> & {
  readonly keyId: string
  readonly evaluationId: string | null
  readonly batchId?: string | null
  /** What is to be said of the request itself. */
  readonly warnings?: readonly Warning[]
  /** The process that writes it and begins its first run with it; absent: it is enqueued. */
  readonly runningIn?: string | undefined
  /** It waits for an upload and has no job yet. */
  readonly isPending?: boolean
}

/** The moves of a new execution. */
export const firstMoves = ({
  createdAt,
  runningIn,
  isPending,
}: Pick<NewExecution, 'createdAt' | 'runningIn' | 'isPending'>): readonly Move[] => [
  moveTo(isPending ? 'pending' : 'enqueued', createdAt, 0),
  ...(runningIn ? [moveTo('running', createdAt, 1)] : []),
]

// Made once: a text that is put together anew is read through anew to find what it is prepared as.
const insertion = `insert into executions (id, workspace_id, key_id, agent_id, name, request, model, tier, session_id, created_at, moves, callback_url, answered_by, max_cost_micros, skills, evaluation_id, status, attempt, started_at, warnings, client_id, model_chosen_by, process_id, job_attempt, batch_id, file_names)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
       array(select coalesce(f.filename, u.filename) from unnest($26::uuid[]) with ordinality as input (id, place)
         left join files f on f.workspace_id = $2 and f.id = input.id left join uploads u on u.workspace_id = $2 and u.id = input.id
         where coalesce(f.filename, u.filename) is not null order by place)) returning ${columns}`

export async function insertExecution(sql: Sql, execution: NewExecution): Promise<ExecutionState> {
  const skills = execution.request.skills ?? []
  const rows = await sql.query<ExecutionState>(insertion, [
    execution.id,
    execution.workspaceId,
    execution.keyId,
    execution.agentId,
    execution.name,
    await largeJsonb(storedRequest(execution.request)),
    execution.model,
    execution.tier,
    execution.sessionId,
    execution.createdAt,
    jsonb(firstMoves(execution)),
    execution.callbackUrl,
    execution.answeredBy,
    execution.request.maxCostMicros ?? null,
    jsonb(usedSkills(skills)),
    execution.evaluationId,
    execution.isPending ? 'pending' : execution.runningIn ? 'running' : 'enqueued',
    execution.runningIn ? 1 : 0,
    execution.runningIn ? execution.createdAt : null,
    jsonb(execution.warnings ?? []),
    execution.clientId,
    execution.modelChosenBy,
    execution.runningIn ?? null,
    execution.runningIn ? 0 : -1,
    execution.batchId ?? null,
    fileIdsOf(execution.request),
  ])
  if (skills.length > 0) await insertSkills(sql, execution, skills)
  return rows[0] as ExecutionState
}

/** Writes by which skills an execution is found. */
async function insertSkills(sql: Sql, execution: NewExecution, skills: readonly PinnedSkill[]): Promise<void> {
  await sql.query(
    `insert into execution_skills (workspace_id, execution_id, position, skill_id, name, number, skill_version, created_at)
     select $1, $2, position, (skill->>'id')::uuid, skill->>'name', (skill->>'number')::integer, skill->>'skillVersion', $4
     from json_array_elements($3::json) with ordinality as list (skill, position)`,
    [
      execution.workspaceId,
      execution.id,
      jsonb(skills.map(({ id, name, number, skillVersion }) => ({ id, name, number, skillVersion }))),
      execution.createdAt,
    ],
  )
}

const moveTo = (status: Status, at: Date, attempt: number): Move => ({ status, at: at.toISOString(), attempt })

/**
 * SQL that adds a move to `moves`; `$place` holds the status and the time, the attempt is the row's own or the one given. A move is
 * never before the last one, whatever the clock says.
 */
export const withMove = (place: number, attempt = 'attempt'): string =>
  `moves = moves || ($${place}::jsonb || jsonb_build_object('attempt', ${attempt}, 'at', greatest(($${place}::jsonb->>'at') collate "C", moves->-1->>'at')))`

/** SQL of the time of an end: `$place`, but not before the last move. */
export const endTime = (place: number): string => `greatest($${place}::timestamptz, (moves->-1->>'at')::timestamptz)`

/** The param of `withMove`. */
export const moveParam = (status: Status, at: Date): string => jsonb({ status, at: at.toISOString() })

export async function findExecution(
  sql: Sql,
  execution: { workspaceId: string; id: string },
): Promise<ExecutionState | undefined> {
  const rows = await sql.query<ExecutionState>(
    `select ${columns} from executions where workspace_id = $1 and id = $2`,
    [execution.workspaceId, execution.id],
  )
  return rows[0]
}

/** An execution with what was asked, to ask again. */
export async function findOriginal(sql: Sql, execution: Place): Promise<Execution | undefined> {
  const [row] = await sql.query<Execution>(
    `select ${columns}, request from executions where workspace_id = $1 and id = $2`,
    [execution.workspaceId, execution.id],
  )
  return row && { ...row, request: requestOfRow(row.request) }
}

/** An execution as a run takes it up. */
export interface StartedExecution extends Execution {
  readonly moves: readonly Move[]
  /** Attempts that were taken over because their leases had lapsed, by number, each with the process that held it. */
  readonly lostAttempts: Readonly<Record<string, string>>
}

/**
 * Starts a run of an execution in a process and gives it with its new attempt number. Undefined: the execution has ended or waits, or
 * its job was given out again since (a newer job than number `job`, or a later attempt of it than `jobAttempt`). An attempt that is
 * taken over from another process is noted with that process, which may have crashed or only stood still.
 */
export async function startRun(
  sql: Sql,
  run: Place & { job: number; jobAttempt: number; processId: string; now: Date },
): Promise<StartedExecution | undefined> {
  const [row] = await sql.query<StartedExecution>(
    `update executions set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $4),
       process_id = $6, job_attempt = $7,
       lost_attempts = case when status = 'running' and process_id <> $6
         then lost_attempts || jsonb_build_object(attempt::text, process_id) else lost_attempts end,
       ${withMove(5, 'attempt + 1')}
     where workspace_id = $1 and id = $2 and job_number = $3 and job_attempt < $7 and status in ('enqueued', 'running')
     returning ${columns}, request, moves, lost_attempts as "lostAttempts"`,
    [run.workspaceId, run.id, run.job, run.now, moveParam('running', run.now), run.processId, run.jobAttempt],
  )
  return row && { ...row, request: requestOfRow(row.request) }
}

/** The one run that may write: a run whose number no longer stands in the row finds nothing to write. */
export interface RunFence {
  readonly workspaceId: string
  readonly id: string
  readonly attempt: number
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

const finishing = `update executions set status = $4, response = $5, evidence = $6, error = $7, usage = $8, completed_at = ${endTime(9)}, ${withMove(11)},
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
  const rows = await sql.query<ExecutionState>(finishing, [
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
  return rows[0]
}

/** Says of a new execution that it is run beside another. */
export async function markShadow(sql: Sql, of: Place & { shadowOf: string }): Promise<void> {
  await sql.query('update executions set shadow_of = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    of.shadowOf,
  ])
}

/**
 * Adds a step to the transcript of a run and gives the status beside it. A run that was paused, or resumed but not yet
 * taken up, may still record what it was about to. Undefined: the run had lost its lease, or the execution has ended;
 * nothing was written.
 */
export async function insertStep(
  sql: Sql,
  fence: RunFence,
  step: Omit<Step, 'attempt'>,
): Promise<'running' | 'paused' | 'enqueued' | undefined> {
  const rows = await sql.query<{ status: 'running' | 'paused' | 'enqueued' }>(
    `with fenced as (
       select id, workspace_id, attempt, status from executions
       where workspace_id = $1 and id = $2 and attempt = $3 and status in ('running', 'paused', 'enqueued') for update
     ), written as (
       insert into steps (execution_id, seq, workspace_id, attempt, kind, name, detail, result, cost_micros, started_at, ended_at)
       select id, $4, workspace_id, attempt, $5, $6, $7, $8, $9, $10, $11 from fenced
     )
     select status from fenced`,
    [
      fence.workspaceId,
      fence.id,
      fence.attempt,
      step.seq,
      step.kind,
      step.name,
      jsonb(step.detail),
      jsonb(step.result),
      step.costMicros,
      step.startedAt,
      step.endedAt,
    ],
  )
  return rows[0]?.status
}

/** The status of an execution whose step `seq` was recorded by this run, which still has it. */
export async function findStepStatus(
  sql: Sql,
  fence: RunFence,
  seq: number,
): Promise<'running' | 'paused' | 'enqueued' | undefined> {
  const [row] = await sql.query<{ status: 'running' | 'paused' | 'enqueued' }>(
    `select e.status from executions e join steps s on s.workspace_id = e.workspace_id and s.execution_id = e.id
     where e.workspace_id = $1 and e.id = $2 and e.attempt = $3 and s.attempt = $3 and s.seq = $4
       and e.status in ('running', 'paused', 'enqueued')`,
    [fence.workspaceId, fence.id, fence.attempt, seq],
  )
  return row?.status
}

/** Appends several steps in one statement, as `insertStep` does each. */
export async function insertSteps(sql: Sql, fence: RunFence, steps: readonly Omit<Step, 'attempt'>[]): Promise<void> {
  if (steps.length === 0) return
  await sql.query(
    `with fenced as (
       select id, workspace_id, attempt from executions
       where workspace_id = $1 and id = $2 and attempt = $3 and status in ('running', 'paused', 'enqueued') for update
     )
     insert into steps (execution_id, seq, workspace_id, attempt, kind, name, detail, result, cost_micros, started_at, ended_at)
     select fenced.id, one.seq, fenced.workspace_id, fenced.attempt, one.kind, one.name, one.detail, one.result, one.cost, one.started, one.ended
     from fenced, unnest($4::integer[], $5::text[], $6::text[], $7::json[], $8::json[], $9::bigint[], $10::timestamptz[], $11::timestamptz[])
       as one (seq, kind, name, detail, result, cost, started, ended)`,
    [
      fence.workspaceId,
      fence.id,
      fence.attempt,
      steps.map(({ seq }) => seq),
      steps.map(({ kind }) => kind),
      steps.map(({ name }) => name),
      steps.map(({ detail }) => jsonb(detail)),
      steps.map(({ result }) => jsonb(result)),
      steps.map(({ costMicros }) => costMicros),
      steps.map(({ startedAt }) => startedAt),
      steps.map(({ endedAt }) => endedAt),
    ],
  )
}

export async function listSteps(sql: Sql, execution: { workspaceId: string; id: string }): Promise<readonly Step[]> {
  return sql.query<Step>(
    `select seq, attempt, kind, name, detail, result, cost_micros as "costMicros", started_at as "startedAt", ended_at as "endedAt"
     from steps where workspace_id = $1 and execution_id = $2 order by seq`,
    [execution.workspaceId, execution.id],
  )
}
