import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { Micros } from '../../core/money.ts'
import type { KnownCase } from './bundle-cases.ts'
import type { Arm } from './report.ts'
import type { EvaluationReport } from './report-wire.ts'

/** A skill with all its versions, as a workspace sees it. */
export interface SkillPlace {
  readonly workspaceId: string
  /** The workspace that owns the skill. */
  readonly ownerId: string
  readonly name: string
}

export interface StoredCase extends KnownCase {
  readonly executionId: string | null
  readonly createdAt: Date
}

export async function insertCase(sql: Sql, place: SkillPlace, known: StoredCase): Promise<void> {
  await sql.query(
    `insert into skill_cases (id, workspace_id, owner_id, skill_name, inputs, config, response, execution_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      known.id,
      place.workspaceId,
      place.ownerId,
      place.name,
      await largeJsonb(known.inputs),
      jsonb(known.config),
      jsonb(known.response),
      known.executionId,
      known.createdAt,
    ],
  )
}

/** Oldest first. */
export async function selectCases(sql: Sql, place: SkillPlace): Promise<readonly StoredCase[]> {
  return sql.query<StoredCase>(
    `select id, inputs, config, response, execution_id as "executionId", created_at as "createdAt" from skill_cases
     where workspace_id = $1 and owner_id = $2 and skill_name = $3 order by place`,
    [place.workspaceId, place.ownerId, place.name],
  )
}

export async function countCases(sql: Sql, place: SkillPlace): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::integer as count from skill_cases where workspace_id = $1 and owner_id = $2 and skill_name = $3',
    [place.workspaceId, place.ownerId, place.name],
  )
  return row?.count ?? 0
}

/** Deletes a case and returns it; undefined if the skill has no case of this id. */
export async function deleteCase(sql: Sql, place: SkillPlace, id: string): Promise<StoredCase | undefined> {
  const rows = await sql.query<StoredCase>(
    `delete from skill_cases where workspace_id = $1 and owner_id = $2 and skill_name = $3 and id = $4
     returning id, inputs, config, response, execution_id as "executionId", created_at as "createdAt"`,
    [place.workspaceId, place.ownerId, place.name, id],
  )
  return rows[0]
}

/** Deletes the cases that came from an execution. */
export async function deleteCasesOf(sql: Sql, place: SkillPlace, executionId: string): Promise<void> {
  await sql.query(
    'delete from skill_cases where workspace_id = $1 and owner_id = $2 and skill_name = $3 and execution_id = $4',
    [place.workspaceId, place.ownerId, place.name, executionId],
  )
}

/** An evaluation without its cases. */
export interface Evaluation {
  readonly id: string
  readonly workspaceId: string
  readonly ownerId: string
  readonly skillName: string
  readonly skillId: string
  readonly number: number
  readonly skillVersion: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly model: string | null
  readonly beforeId: string | null
  readonly beforeNumber: number | null
  readonly gate: Json
  readonly error: { readonly code: string; readonly message: string } | null
  readonly report: EvaluationReport | null
  readonly runsPlanned: number
  readonly createdAt: Date
  readonly completedAt: Date | null
}

/** The input of an evaluation. */
export interface EvaluationPlan {
  readonly keyId: string
  readonly maxCostMicros: Micros | null
  readonly cases: readonly KnownCase[]
}

const columns = `id, workspace_id as "workspaceId", owner_id as "ownerId", skill_name as "skillName", skill_id as "skillId", number,
  skill_version as "skillVersion", status, model, before_id as "beforeId", before_number as "beforeNumber", gate, error, report,
  runs_planned as "runsPlanned", created_at as "createdAt", completed_at as "completedAt"`

export async function insertEvaluation(sql: Sql, one: Evaluation & EvaluationPlan): Promise<void> {
  await sql.query(
    `insert into evaluations (id, workspace_id, owner_id, skill_name, skill_id, number, skill_version, status, key_id, model,
       max_cost_micros, cases, runs_planned, before_id, before_number, gate, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'running', $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      one.id,
      one.workspaceId,
      one.ownerId,
      one.skillName,
      one.skillId,
      one.number,
      one.skillVersion,
      one.keyId,
      one.model,
      one.maxCostMicros,
      await largeJsonb({ cases: one.cases }),
      one.runsPlanned,
      one.beforeId,
      one.beforeNumber,
      one.gate === null ? null : jsonb(one.gate),
      one.createdAt,
    ],
  )
}

export async function findEvaluation(
  sql: Sql,
  of: { workspaceId: string; id: string },
): Promise<Evaluation | undefined> {
  const rows = await sql.query<Evaluation>(`select ${columns} from evaluations where workspace_id = $1 and id = $2`, [
    of.workspaceId,
    of.id,
  ])
  return rows[0]
}

/** Newest first. */
export async function listEvaluations(sql: Sql, place: SkillPlace, limit: number): Promise<readonly Evaluation[]> {
  return sql.query<Evaluation>(
    `select ${columns} from evaluations where workspace_id = $1 and owner_id = $2 and skill_name = $3
     order by created_at desc, id desc limit $4`,
    [place.workspaceId, place.ownerId, place.name, limit],
  )
}

/** The input of an evaluation; only its job reads it, because it may hold documents. */
export async function findPlan(sql: Sql, of: { workspaceId: string; id: string }): Promise<EvaluationPlan | undefined> {
  const rows = await sql.query<EvaluationPlan>(
    `select key_id as "keyId", max_cost_micros as "maxCostMicros", cases->'cases' as cases from evaluations where workspace_id = $1 and id = $2`,
    [of.workspaceId, of.id],
  )
  return rows[0]
}

/** One run of an evaluation. */
export interface EvaluationRun {
  readonly caseNumber: number
  readonly arm: Arm
  /** Null: it could not start. */
  readonly executionId: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export async function insertRun(sql: Sql, of: { workspaceId: string; id: string }, run: EvaluationRun): Promise<void> {
  await sql.query(
    `insert into evaluation_runs (workspace_id, evaluation_id, case_number, arm, execution_id, error)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [of.workspaceId, of.id, run.caseNumber, run.arm, run.executionId, run.error === null ? null : jsonb(run.error)],
  )
}

export async function listRuns(sql: Sql, of: { workspaceId: string; id: string }): Promise<readonly EvaluationRun[]> {
  return sql.query<EvaluationRun>(
    `select case_number as "caseNumber", arm, execution_id as "executionId", error from evaluation_runs
     where workspace_id = $1 and evaluation_id = $2 order by case_number, arm`,
    [of.workspaceId, of.id],
  )
}

/** Started runs of an evaluation, and whether one is unfinished. */
export async function countRuns(
  sql: Sql,
  of: { workspaceId: string; id: string },
): Promise<{ readonly begun: number; readonly open: number }> {
  const [row] = await sql.query<{ begun: number; open: number }>(
    `select count(*)::integer as begun,
       (count(*) filter (where e.status in ('pending', 'enqueued', 'running')))::integer as open
     from evaluation_runs r left join executions e on e.workspace_id = r.workspace_id and e.id = r.execution_id
     where r.workspace_id = $1 and r.evaluation_id = $2`,
    [of.workspaceId, of.id],
  )
  return row ?? { begun: 0, open: 0 }
}

/** Ends an evaluation. False: it has ended already. */
export async function endEvaluation(
  sql: Sql,
  of: { workspaceId: string; id: string; now: Date },
  end: { status: 'completed' | 'failed'; report: EvaluationReport | null; error: Evaluation['error'] },
): Promise<boolean> {
  const rows = await sql.query(
    `update evaluations set status = $3, report = $4, error = $5, completed_at = $6
     where workspace_id = $1 and id = $2 and status = 'running' returning id`,
    [
      of.workspaceId,
      of.id,
      end.status,
      end.report === null ? null : jsonb(end.report),
      end.error === null ? null : jsonb(end.error),
      of.now,
    ],
  )
  return rows.length === 1
}
