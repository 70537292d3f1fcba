import { each, jsonb, type Sql } from '../../../adapters/db/db.ts'
import type { Step } from '../execution.ts'
import { fewGiven, type Place, type RunFence } from './execution-row.ts'

interface FencedStep {
  readonly fence: RunFence
  readonly step: Omit<Step, 'attempt'>
}

type OpenStatus = 'running' | 'paused' | 'enqueued'

/** A run that was paused, or resumed but not yet claimed, may still record its current step. */
const insertion = `with given as (
       select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::json[], $8::json[], $9::bigint[], $10::timestamptz[], $11::timestamptz[])
         with ordinality as given (workspace_id, id, attempt, seq, kind, name, detail, result, cost, started, ended, place)
         where ${fewGiven}
     ), fenced as (
       select e.id, e.workspace_id, e.attempt, e.status, given.place from given join executions e
         on e.workspace_id = given.workspace_id and e.id = given.id and e.attempt = given.attempt and e.status in ('running', 'paused', 'enqueued')
         for update of e
     ), written as (
       insert into steps (execution_id, seq, workspace_id, attempt, kind, name, detail, result, cost_micros, started_at, ended_at)
       select fenced.id, seq, fenced.workspace_id, fenced.attempt, kind, name, detail, result, cost, started, ended
       from given join fenced using (place)
     )
     select (place - 1)::integer as at, status from fenced`

/** Adds steps of several runs; gives the status of each execution, or undefined where nothing was written. */
async function insertFenced(sql: Sql, all: readonly FencedStep[]): Promise<readonly (OpenStatus | undefined)[]> {
  const rows = await sql.query<{ at: number; status: OpenStatus }>(insertion, [
    all.map(({ fence }) => fence.workspaceId),
    all.map(({ fence }) => fence.id),
    all.map(({ fence }) => fence.attempt),
    all.map(({ step }) => step.seq),
    all.map(({ step }) => step.kind),
    all.map(({ step }) => step.name),
    all.map(({ step }) => jsonb(step.detail)),
    all.map(({ step }) => jsonb(step.result)),
    all.map(({ step }) => step.costMicros),
    all.map(({ step }) => step.startedAt),
    all.map(({ step }) => step.endedAt),
  ])
  const statuses: (OpenStatus | undefined)[] = all.map(() => undefined)
  for (const { at, status } of rows) statuses[at] = status
  return statuses
}

/**
 * Adds a step to the transcript of a run and gives the status beside it. Undefined: the run had lost its lease, or the execution
 * has ended; nothing was written.
 */
export const insertStep = (sql: Sql, fence: RunFence, step: Omit<Step, 'attempt'>): Promise<OpenStatus | undefined> =>
  each(sql, insertFenced, { fence, step })

/** Appends several steps, as `insertStep` does each; gives the status beside the last. */
export async function insertSteps(
  sql: Sql,
  fence: RunFence,
  steps: readonly Omit<Step, 'attempt'>[],
): Promise<OpenStatus | undefined> {
  if (steps.length === 0) return undefined
  const statuses = await (sql.each
    ? Promise.all(steps.map((step) => insertStep(sql, fence, step)))
    : insertFenced(
        sql,
        steps.map((step) => ({ fence, step })),
      ))
  return statuses.at(-1)
}

/** The status of an execution whose step `seq` this run recorded, if it still holds the execution. */
export async function findStepStatus(sql: Sql, fence: RunFence, seq: number): Promise<OpenStatus | undefined> {
  const [row] = await sql.query<{ status: OpenStatus }>(
    `select e.status from executions e join steps s on s.workspace_id = e.workspace_id and s.execution_id = e.id
     where e.workspace_id = $1 and e.id = $2 and e.attempt = $3 and s.attempt = $3 and s.seq = $4
       and e.status in ('running', 'paused', 'enqueued')`,
    [fence.workspaceId, fence.id, fence.attempt, seq],
  )
  return row?.status
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
