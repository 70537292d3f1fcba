import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { CasePlan, End, Improvement, ImprovementPlace, ImprovementRun, Proposal } from './improvement.ts'

const columns = `id, workspace_id as "workspaceId", skill_name as "skillName", skill_id as "skillId", number,
  skill_version as "skillVersion", status, key_id as "keyId", model, answered_by as "answeredBy", writer,
  budget_micros as "budgetMicros", proposals_max as "proposalsMax", training_cases as "trainingCases",
  judging_cases as "judgingCases", outcome, error, published_id as "publishedId",
  compared_by as "comparedBy", evaluation_id as "evaluationId", created_at as "createdAt",
  completed_at as "completedAt"`

/** False: another improvement of the skill is running. */
export async function insertImprovement(tx: Sql, one: Improvement, plan: CasePlan): Promise<boolean> {
  const rows = await tx.query(
    `insert into improvements (id, workspace_id, skill_name, skill_id, number, skill_version, status, key_id, model, answered_by, writer,
       budget_micros, proposals_max, training_cases, judging_cases, plan, created_at, compared_by)
     values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $9)
     on conflict (workspace_id, skill_name) where status = 'running' do nothing returning id`,
    [
      one.id,
      one.workspaceId,
      one.skillName,
      one.skillId,
      one.number,
      one.skillVersion,
      one.keyId,
      one.model,
      one.answeredBy,
      one.writer,
      one.budgetMicros,
      one.proposalsMax,
      one.trainingCases,
      one.judgingCases,
      await largeJsonb(plan),
      one.createdAt,
    ],
  )
  return rows.length === 1
}

export async function findImprovement(sql: Sql, of: ImprovementPlace): Promise<Improvement | undefined> {
  const rows = await sql.query<Improvement>(`select ${columns} from improvements where workspace_id = $1 and id = $2`, [
    of.workspaceId,
    of.id,
  ])
  return rows[0]
}

/** Newest first. */
export async function listImprovements(
  sql: Sql,
  of: { workspaceId: string; skillName: string; limit: number },
): Promise<readonly Improvement[]> {
  return sql.query<Improvement>(
    `select ${columns} from improvements where workspace_id = $1 and skill_name = $2
     order by created_at desc, id desc limit $3`,
    [of.workspaceId, of.skillName, of.limit],
  )
}

/** The cases of one that runs; only its job reads them, because they may hold documents. */
export async function findCasePlan(sql: Sql, of: ImprovementPlace): Promise<CasePlan | undefined> {
  const rows = await sql.query<{ plan: CasePlan }>(
    "select plan from improvements where workspace_id = $1 and id = $2 and status = 'running'",
    [of.workspaceId, of.id],
  )
  return rows[0]?.plan
}

/** Ends a running improvement, and drops its cases, whose executions may be kept no longer. False: it has ended already. */
export async function endImprovement(sql: Sql, of: ImprovementPlace & { now: Date }, end: End): Promise<boolean> {
  const rows = await sql.query(
    `update improvements set status = $3, outcome = $4, error = $5, published_id = $6, completed_at = $7, plan = $8
     where workspace_id = $1 and id = $2 and status = 'running' returning id`,
    [
      of.workspaceId,
      of.id,
      end.status,
      end.status === 'completed' ? jsonb(end.outcome) : null,
      end.status === 'failed' ? jsonb(end.error) : null,
      end.status === 'completed' ? (end.publishedId ?? null) : null,
      of.now,
      jsonb({ training: [], judging: [] }),
    ],
  )
  return rows.length === 1
}

/** In order of their numbers. */
export async function listProposals(sql: Sql, of: ImprovementPlace): Promise<readonly Proposal[]> {
  return sql.query<Proposal>(
    `select number, run_micros as "runMicros", instructions, summary, verdict, error, results from improvement_proposals
     where workspace_id = $1 and improvement_id = $2 order by number`,
    [of.workspaceId, of.id],
  )
}

/** Begins a proposal; the first job that does decides what its runs may cost. */
export async function insertProposal(
  sql: Sql,
  of: ImprovementPlace,
  one: { number: number; runMicros: number },
): Promise<void> {
  await sql.query(
    `insert into improvement_proposals (workspace_id, improvement_id, number, run_micros) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [of.workspaceId, of.id, one.number, one.runMicros],
  )
}

/** Sets what a model wrote, once. */
export async function writeProposal(
  sql: Sql,
  of: ImprovementPlace,
  one: Pick<Proposal, 'number' | 'instructions' | 'summary' | 'verdict' | 'error'>,
): Promise<void> {
  await sql.query(
    `update improvement_proposals set instructions = $4, summary = $5, verdict = $6, error = $7
     where workspace_id = $1 and improvement_id = $2 and number = $3 and instructions is null and verdict is null`,
    [
      of.workspaceId,
      of.id,
      one.number,
      one.instructions,
      one.summary,
      one.verdict,
      one.error === null ? null : jsonb(one.error),
    ],
  )
}

/** Sets the results of a proposal, once. */
export async function judgeProposal(
  sql: Sql,
  of: ImprovementPlace,
  one: Pick<Proposal, 'number' | 'verdict' | 'error' | 'results'>,
): Promise<void> {
  await sql.query(
    `update improvement_proposals set verdict = $4, results = $5, error = $6
     where workspace_id = $1 and improvement_id = $2 and number = $3 and results is null`,
    [
      of.workspaceId,
      of.id,
      one.number,
      one.verdict,
      jsonb(one.results ?? []),
      one.error === null ? null : jsonb(one.error),
    ],
  )
}

/** False: the improvement has ended. */
export async function insertImprovementRun(sql: Sql, of: ImprovementPlace, run: ImprovementRun): Promise<boolean> {
  const rows = await sql.query(
    `with running as (select from improvements where workspace_id = $1 and id = $2 and status = 'running' for share),
       added as (
         insert into improvement_runs (workspace_id, improvement_id, number, kind, case_number, execution_id, error)
         select $1, $2, $3, $4, $5, $6, $7 from running on conflict do nothing)
     select from running`,
    [
      of.workspaceId,
      of.id,
      run.number,
      run.kind,
      run.caseNumber,
      run.executionId,
      run.error === null ? null : jsonb(run.error),
    ],
  )
  return rows.length === 1
}

export async function listImprovementRuns(sql: Sql, of: ImprovementPlace): Promise<readonly ImprovementRun[]> {
  return sql.query<ImprovementRun>(
    `select number, kind, case_number as "caseNumber", execution_id as "executionId", error from improvement_runs
     where workspace_id = $1 and improvement_id = $2 order by number, kind, case_number`,
    [of.workspaceId, of.id],
  )
}

/** The newest improvement of each skill that published a version, in all workspaces. */
export async function listPublished(
  everywhere: Sql,
): Promise<readonly Pick<Improvement, 'workspaceId' | 'id' | 'model' | 'comparedBy'>[]> {
  return everywhere.query(
    `select distinct on (workspace_id, skill_name) workspace_id as "workspaceId", id, model, compared_by as "comparedBy"
     from improvements where published_id is not null order by workspace_id, skill_name, created_at desc, id desc`,
  )
}

/** Notes the evaluation that compares the published version under another engine. False: another process has begun it. */
export async function noteComparison(
  tx: Sql,
  of: ImprovementPlace,
  { was, now, evaluationId }: { was: string; now: string; evaluationId: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update improvements set compared_by = $4, evaluation_id = $5
     where workspace_id = $1 and id = $2 and compared_by = $3 returning id`,
    [of.workspaceId, of.id, was, now, evaluationId],
  )
  return rows.length === 1
}
