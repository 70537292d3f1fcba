import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { fieldHolding, separateFields } from '../../agent/programs/separate-fields.ts'
import { recentMax, withOutcome } from '../../core/demotion.ts'
import { type Drifted, driftAfter, driftedBy } from './drift/drift.ts'
import { type FieldJudgements, isIndependent, type Judge, mayRevise, outranks, withJudgement } from './judgement.ts'
import { columns, type Program, type ProgramPlace } from './store.ts'

/**
 * Books a run of a program, within the transaction that ends it. One whose answer was withheld served nobody, and is in no sum.
 */
export async function addProgramRun(
  tx: Sql,
  run: {
    workspaceId: string
    executionId: string
    programId: string
    shadowId: string | null
    isWithheld: boolean
    /** Fields that the program left to an agent. */
    left: readonly string[]
    micros: number
    ms: number
    now: Date
  },
): Promise<void> {
  await tx.query(
    `insert into program_runs (workspace_id, execution_id, program_id, shadow_id, micros, ms, is_counted, is_withheld, created_at, left_fields)
     values ($1, $2, $3, $4, $5, $6, $8, $8, $7, $9) on conflict do nothing`,
    [
      run.workspaceId,
      run.executionId,
      run.programId,
      run.shadowId,
      run.micros,
      Math.round(run.ms),
      run.now,
      run.isWithheld,
      jsonb(run.left),
    ],
  )
}

/** Runs added to the sums at once. */
const countedMax = 10_000

/** Adds the runs of a program that are not in its sums yet, except those that a concurrent call adds. */
export async function countRuns(tx: Sql, of: ProgramPlace): Promise<void> {
  await tx.query(
    `with next as (
       select execution_id from program_runs
       where workspace_id = $1 and program_id = $2 and not is_counted limit $3 for update skip locked
     ), counted as (
       update program_runs set is_counted = true from next
       where workspace_id = $1 and program_runs.execution_id = next.execution_id returning micros, ms
     ), added as (select count(*)::integer as runs, sum(micros)::bigint as micros, sum(ms)::bigint as ms from counted)
     update programs set runs = programs.runs + added.runs, run_micros = run_micros + added.micros, run_ms = run_ms + added.ms
     from added where added.runs > 0 and programs.workspace_id = $1 and programs.id = $2`,
    [of.workspaceId, of.id, countedMax],
  )
}

/** Books the cost of an agent run that a program could have served, at the standard rate. */
export async function addAgentRun(tx: Sql, of: ProgramPlace & { micros: number }): Promise<void> {
  await tx.query(
    `update programs set agent_runs = agent_runs + 1, agent_micros = agent_micros + $3 where workspace_id = $1 and id = $2`,
    [of.workspaceId, of.id, of.micros],
  )
}

/** The shadows of a program's runs: few compared with the runs. */
export async function listShadowIds(
  sql: Sql,
  of: { workspaceId: string; programId: string },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    'select shadow_id as id from program_runs where workspace_id = $1 and program_id = $2 and shadow_id is not null',
    [of.workspaceId, of.programId],
  )
  return rows.map(({ id }) => id)
}

/** A run that a program served, and the judgement of its answer. */
export interface ServedRun {
  readonly executionId: string
  readonly programId: string
  readonly disagreed: boolean | null
  readonly judge: Judge | null
  readonly isWithheld: boolean
  /** Fields that the program left to an agent. */
  readonly left: readonly string[]
}

/** The run that a program served, by its execution, or by its shadow's. */
export async function findProgramRun(
  sql: Sql,
  of: { workspaceId: string } & ({ executionId: string } | { shadowId: string }),
): Promise<ServedRun | undefined> {
  const [column, id] = 'shadowId' in of ? ['shadow_id', of.shadowId] : ['execution_id', of.executionId]
  const rows = await sql.query<ServedRun>(
    `select execution_id as "executionId", program_id as "programId", disagreed, judged_by as judge,
       is_withheld as "isWithheld", left_fields as left from program_runs where workspace_id = $1 and ${column} = $2`,
    [of.workspaceId, id],
  )
  return rows[0]
}

/** New values that are kept as familiar: the latest. */
const acceptedMax = 500
/** Of one document, so that it does not displace what others taught. */
const acceptedOfOneMax = 50

/** A judgement of an answer: its wrong fields, none if it is correct. */
export interface Judged {
  readonly workspaceId: string
  readonly executionId: string
  readonly judge: Judge
  readonly fields: readonly string[]
  /** The fields of which the judge says nothing: for these it is no independent one. Absent: none. */
  readonly silent?: readonly string[]
  /** Who seems to have drifted, where there are such fields. */
  readonly drifted?: Drifted
  /** What is new in the document, see `Program.accepted`. */
  readonly unseen?: readonly string[]
  readonly now: Date
}

/**
 * Records a judgement of a run's answer and counts it once: a later judge replaces an earlier one only if it is more independent, or takes
 * back its own word. Returns the updated program; undefined if nothing changed.
 */
export async function addOutcome(tx: Sql, of: Judged): Promise<Program | undefined> {
  const isWrong = of.fields.length > 0
  const [run] = await tx.query<JudgedRun>(
    `select program_id as "programId", disagreed, judged_by as judge, fields, silent_fields as silent, left_fields as left, created_at as "answeredAt" from program_runs
     where workspace_id = $1 and execution_id = $2 for update`,
    [of.workspaceId, of.executionId],
  )
  if (!run || !judgesAnew(run, of.judge)) return undefined
  if (run.judge === of.judge && isDeepStrictEqual(run.fields, of.fields)) return undefined
  await tx.query(
    `update program_runs set disagreed = $3, fields = $4, judged_by = $5, judged_at = $6, silent_fields = $7
     where workspace_id = $1 and execution_id = $2`,
    [of.workspaceId, of.executionId, isWrong, jsonb(of.fields), of.judge, of.now, jsonb(of.silent ?? [])],
  )
  const place = [of.workspaceId, run.programId]
  const [row] = await tx.query<
    Pick<Program, 'schema' | 'recent' | 'lost' | 'judgements' | 'fieldJudgements' | 'drift' | 'accepted'>
  >(
    'select schema, shadow_recent as recent, lost_fields as lost, judgements, field_judgements as "fieldJudgements", drift, accepted from programs where workspace_id = $1 and id = $2 for update',
    place,
  )
  if (!row) return undefined
  const earlier =
    run.disagreed === null || run.judge === null ? undefined : { judge: run.judge, isWrong: run.disagreed }
  const judgements = withJudgement(row.judgements, { judge: of.judge, isWrong }, earlier)
  const fieldJudgements = judgedFields(row.fieldJudgements, { schema: row.schema, run, of })
  // A right answer that was given before the doubt does not end it, however late it is judged.
  const isOlder = !isWrong && row.drift !== null && run.answeredAt.toISOString() < row.drift.since
  // Wrong in a field that it has lost by now says nothing of the others.
  const recent =
    earlier || isOlder
      ? (await recentAnswers(tx, { workspaceId: of.workspaceId, id: run.programId, order: 'doubt' })).map((one) =>
          isWrongIn(one, row.lost),
        )
      : withOutcome(row.recent, isWrongIn(of, row.lost))
  const drifted = driftedBy(of.judge, of.drifted ?? 'program')
  const drift = driftAfter(row.drift, { ...of, drifted }, recent)
  const accepted = !isWrong && isIndependent(of.judge) ? withAccepted(row.accepted, of.unseen ?? []) : row.accepted
  const rows = await tx.query<Program>(
    `update programs set shadow_runs = shadow_runs + $3, shadow_wrong = shadow_wrong + $4, shadow_recent = $5, judgements = $6,
       drift = $7, accepted = $8, field_judgements = $9
     where workspace_id = $1 and id = $2 returning ${columns}`,
    [
      ...place,
      earlier ? 0 : 1,
      (isWrong ? 1 : 0) - (earlier?.isWrong ? 1 : 0),
      jsonb(recent),
      jsonb(judgements as JsonObject),
      drift === null ? null : jsonb({ ...drift, fields: [...drift.fields] }),
      jsonb(accepted),
      jsonb(fieldJudgements as JsonObject),
    ],
  )
  return rows[0]
}

interface JudgedRun extends Pick<ServedRun, 'programId' | 'disagreed' | 'judge' | 'left'> {
  /** Its wrong fields, by its judge so far. */
  readonly fields: readonly string[] | null
  readonly silent: readonly string[]
  readonly answeredAt: Date
}

/** What was new in a document is familiar to its program from now on, if an independent judge gave the same answer. */
export async function acceptNew(
  tx: Sql,
  of: ProgramPlace & Pick<Judged, 'judge' | 'fields' | 'unseen'>,
): Promise<void> {
  const { workspaceId, id, judge, fields, unseen = [] } = of
  if (fields.length > 0 || !isIndependent(judge)) return
  const place = [workspaceId, id]
  const [row] = await tx.query<Pick<Program, 'accepted'>>(
    'select accepted from programs where workspace_id = $1 and id = $2 for update',
    place,
  )
  if (!row) return
  const accepted = withAccepted(row.accepted, unseen)
  await tx.query('update programs set accepted = $3 where workspace_id = $1 and id = $2', [...place, jsonb(accepted)])
}

const withAccepted = (before: readonly string[], unseen: readonly string[]): readonly string[] =>
  [...new Set([...before, ...unseen.slice(0, acceptedOfOneMax)])].slice(-acceptedMax)

/** The judgements of each field after that of a run: of every field that the program answered there. */
function judgedFields(
  before: FieldJudgements,
  { schema, run, of }: { schema: JsonSchema | null; run: JudgedRun; of: Judged },
): FieldJudgements {
  const answered = (separateFields(schema) ?? []).filter((field) => !run.left.includes(field))
  const judgement = (field: string, by: { judge: Judge; wrong: readonly string[]; silent: readonly string[] }) => {
    const isOf = (pointer: string): boolean => fieldHolding([field], pointer) !== undefined
    const isWrong = by.wrong.some(isOf)
    return { judge: !isWrong && by.silent.some(isOf) ? ('same_engine' as const) : by.judge, isWrong }
  }
  const next = (field: string) => judgement(field, { judge: of.judge, wrong: of.fields, silent: of.silent ?? [] })
  const after = answered.map((field) => {
    const earlier =
      run.disagreed === null || run.judge === null
        ? undefined
        : judgement(field, { judge: run.judge, wrong: run.fields ?? [], silent: run.silent })
    return [field, withJudgement(before[field] ?? {}, next(field), earlier)] as const
  })
  return { ...before, ...Object.fromEntries(after) }
}

/** Whether a judgement of a run's answer may change anything. */
export const judgesAnew = (
  run: { readonly disagreed: boolean | null; readonly judge: Judge | null },
  judge: Judge,
): boolean =>
  run.disagreed === null || outranks(judge, run.judge ?? 'same_engine') || (run.judge === judge && mayRevise(judge))

/** A checked answer of a program: its wrong fields, and those that it left to an agent. */
export type CheckedAnswer = Pick<Judged, 'fields'> & Pick<ServedRun, 'left'>

/** Whether a checked answer is wrong in a field that the program has not lost. */
export const isWrongIn = ({ fields }: Pick<CheckedAnswer, 'fields'>, lost: readonly string[]): boolean =>
  fields.some((pointer) => fieldHolding(lost, pointer) === undefined)

/**
 * Orders of checked answers. As they were judged, they show how often answers are wrong. With right ones as they were given, and wrong ones as
 * that was known, they show whether a doubt has ended.
 */
const orders = { judged: 'judged_at', doubt: 'case when disagreed then judged_at else created_at end' } as const

/** The latest checked answers of a program, oldest first. */
export async function recentAnswers(
  sql: Sql,
  of: ProgramPlace & { readonly order: keyof typeof orders },
): Promise<readonly CheckedAnswer[]> {
  const rows = await sql.query<CheckedAnswer>(
    `select coalesce(fields, '[]') as fields, left_fields as left from program_runs
     where workspace_id = $1 and program_id = $2 and disagreed is not null
     order by ${orders[of.order]} desc limit ${recentMax}`,
    [of.workspaceId, of.id],
  )
  return rows.toReversed()
}
