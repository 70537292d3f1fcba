import { jsonb, type Sql } from '../../../adapters/db/db.ts'
import type { Step } from '../execution.ts'
import type { Place, RunFence } from './execution-row.ts'

/**
 * Appends a step to the transcript of a run and returns the status. A run that was paused, or resumed but not yet claimed, may still record
 * its current step. Undefined: the run had lost its lease, or the execution has ended; nothing was written.
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

/** The status of an execution whose step `seq` this run recorded, if it still holds the execution. */
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

/** Appends several steps in one statement, each as `insertStep` does. */
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

/** Steps after this number, without their results. */
export async function listStepsAfter(sql: Sql, place: Place, seq: number): Promise<readonly Omit<Step, 'result'>[]> {
  return sql.query<Omit<Step, 'result'>>(
    `select seq, attempt, kind, name, detail, cost_micros as "costMicros", started_at as "startedAt", ended_at as "endedAt"
     from steps where workspace_id = $1 and execution_id = $2 and seq > $3 order by seq`,
    [place.workspaceId, place.id, seq],
  )
}
