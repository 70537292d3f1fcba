import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import type { Recent } from '../../core/demotion.ts'
import type { PinnedSkill } from '../skills/skills.ts'
import type { Drift } from './drift/drift.ts'
import type { Books } from './economics.ts'
import type { GateReport } from './gate.ts'
import type { Guard } from './guard.ts'
import type { FieldJudgements, Judgements } from './judgement.ts'
import { type InputShape, type ProgramStatus, programStatusesBefore } from './program.ts'

/** The sources to compile from: executions and cases by id; without either, all cases. */
export type CompileFrom = {
  readonly executionIds: readonly string[] | null
  readonly caseIds: readonly string[] | null
  /** The program that was tested with another version of the reader, and is tested again as this one. */
  readonly replaces?: string
}

/** A program as stored, without its source. */
export interface Program extends Books {
  readonly id: string
  readonly workspaceId: string
  readonly skillId: string
  readonly ownerId: string
  readonly skillName: string
  readonly skillVersion: string
  readonly skills: readonly PinnedSkill[]
  readonly skillsSha256: string
  readonly schema: JsonSchema | null
  readonly schemaSha256: string
  readonly inputShape: InputShape | null
  readonly status: ProgramStatus
  readonly origin: 'embedded' | 'agent'
  readonly executionId: string | null
  /** The engine that wrote it, `embedded` or `provider/model`; null: unknown. */
  readonly writtenBy: string | null
  readonly asked: CompileFrom
  readonly sha256: string | null
  readonly gate: GateReport | null
  readonly guard: Guard | null
  /** Why the program was rejected or demoted, in one sentence. */
  readonly reason: string | null
  readonly runMs: number
  readonly shadowRuns: number
  readonly shadowWrong: number
  readonly judgements: Judgements
  /** The judgements of its separate fields. */
  readonly fieldJudgements: FieldJudgements
  /** Its latest checked answers, without the lost fields. */
  readonly recent: Recent
  /** Fields that it leaves to an agent since too many of its latest answers to them were wrong. */
  readonly lost: readonly string[]
  readonly drift: Drift | null
  /** What no document of the cases has, but others had whose answers were judged right. */
  readonly accepted: readonly string[]
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

/** SQL: the part of a sum in runs that are not yet added to it. */
const uncounted = (sum: string): string =>
  `(select ${sum} from program_runs r where r.workspace_id = programs.workspace_id and r.program_id = programs.id and not r.is_counted)`
const runsNow = `(runs + ${uncounted('count(*)')})::integer as runs`

/** SQL: the columns of a `Program`. */
export const columns = `id, workspace_id as "workspaceId", skill_id as "skillId", owner_id as "ownerId", skill_name as "skillName",
  skill_version as "skillVersion", skills, skills_sha256 as "skillsSha256", schema, schema_sha256 as "schemaSha256",
  input_shape as "inputShape", status, origin, execution_id as "executionId", asked, sha256, gate, guard, reason,
  compile_micros::float8 as "compileMicros", ${runsNow},
  (run_micros + ${uncounted('coalesce(sum(micros), 0)')})::float8 as "runMicros",
  (run_ms + ${uncounted('coalesce(sum(ms), 0)')})::float8 as "runMs",
  agent_runs as "agentRuns", agent_micros::float8 as "agentMicros", shadow_runs as "shadowRuns",
  shadow_wrong as "shadowWrong", judgements, field_judgements as "fieldJudgements", written_by as "writtenBy", shadow_recent as recent, lost_fields as lost, drift, accepted, created_at as "createdAt", decided_at as "decidedAt"`

/** Identifies a program. */
export interface ProgramPlace {
  readonly workspaceId: string
  readonly id: string
}

export type NewProgram = Pick<
  Program,
  | 'id'
  | 'workspaceId'
  | 'skillId'
  | 'ownerId'
  | 'skillName'
  | 'skillVersion'
  | 'skills'
  | 'skillsSha256'
  | 'schema'
  | 'schemaSha256'
  | 'status'
  | 'origin'
  | 'executionId'
  | 'writtenBy'
  | 'asked'
  | 'compileMicros'
  | 'agentRuns'
  | 'agentMicros'
  | 'createdAt'
> & { readonly source: string | null; readonly sha256: string | null }

export async function insertProgram(sql: Sql, program: NewProgram): Promise<Program> {
  const rows = await sql.query<Program>(
    `insert into programs (id, workspace_id, skill_id, owner_id, skill_name, skill_version, skills, skills_sha256, schema,
       schema_sha256, status, origin, execution_id, asked, source, sha256, created_at, compile_micros, agent_runs,
       agent_micros, written_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) returning ${columns}`,
    [
      program.id,
      program.workspaceId,
      program.skillId,
      program.ownerId,
      program.skillName,
      program.skillVersion,
      jsonb(program.skills),
      program.skillsSha256,
      program.schema === null ? null : jsonb(program.schema),
      program.schemaSha256,
      program.status,
      program.origin,
      program.executionId,
      jsonb(program.asked),
      program.source,
      program.sha256,
      program.createdAt,
      program.compileMicros,
      program.agentRuns,
      program.agentMicros,
      program.writtenBy,
    ],
  )
  return rows[0] as Program
}

export async function findProgram(sql: Sql, of: ProgramPlace): Promise<Program | undefined> {
  const rows = await sql.query<Program>(
    `select ${columns} from programs where workspace_id = $1 and id = $2 and deleted_at is null`,
    [of.workspaceId, of.id],
  )
  return rows[0]
}

/** A ready program, locked until the transaction ends. */
export async function lockReady(tx: Sql, of: ProgramPlace): Promise<Program | undefined> {
  const rows = await tx.query<Program>(
    `select ${columns} from programs where workspace_id = $1 and id = $2 and status = 'ready' and deleted_at is null for update`,
    [of.workspaceId, of.id],
  )
  return rows[0]
}

export async function findSource(sql: Sql, of: ProgramPlace): Promise<string | null> {
  const rows = await sql.query<{ source: string | null }>(
    'select source from programs where workspace_id = $1 and id = $2',
    [of.workspaceId, of.id],
  )
  return rows[0]?.source ?? null
}

/** The programs of all versions of a skill, newest first, with their sources. */
export async function listPrograms(
  sql: Sql,
  of: { workspaceId: string; ownerId: string; skillName: string; limit: number },
): Promise<readonly (Program & { readonly source: string | null })[]> {
  return sql.query<Program & { source: string | null }>(
    `select ${columns}, source from programs
     where workspace_id = $1 and owner_id = $2 and skill_name = $3 and deleted_at is null
     order by created_at desc, id desc limit $4`,
    [of.workspaceId, of.ownerId, of.skillName, of.limit],
  )
}

/** The key of programs for a request: hashes of its skills, schema and shape. */
export interface ProgramKey {
  readonly workspaceId: string
  readonly skillsSha256: string
  readonly schemaSha256: string
  readonly shapeSha256: string
}

/** The serving program in its current state. */
export type Standing = Pick<Program, 'id' | 'runs' | 'recent' | 'lost' | 'accepted'> & { readonly sha256: string }

const readyOne = `select id, sha256, ${runsNow}, shadow_recent as recent, lost_fields as lost, accepted from programs
     where workspace_id = $1 and skills_sha256 = $2 and schema_sha256 = $3 and shape_sha256 = $4 and status = 'ready'
       and deleted_at is null`

/** The ready program of a key. */
export async function findReady(sql: Sql, key: ProgramKey): Promise<Standing | undefined> {
  const rows = await sql.query<Standing>(readyOne, [
    key.workspaceId,
    key.skillsSha256,
    key.schemaSha256,
    key.shapeSha256,
  ])
  return rows[0]
}

/** The content of a ready program, which never changes. */
export interface ReadyContent {
  readonly source: string
  readonly guard: Guard | null
}

/** The content and hash of a program that is or was ready; undefined once deleted. */
export async function findContent(
  sql: Sql,
  of: ProgramPlace,
): Promise<(ReadyContent & { readonly sha256: string }) | undefined> {
  const [row] = await sql.query<ReadyContent & { sha256: string }>(
    `select source, guard, sha256 from programs where workspace_id = $1 and id = $2 and source is not null`,
    [of.workspaceId, of.id],
  )
  return row
}

/** The states of programs for other requests with these skills and schema: they explain why none serves this one. */
export async function listStates(
  sql: Sql,
  key: Omit<ProgramKey, 'shapeSha256'>,
): Promise<readonly Pick<Program, 'status' | 'inputShape'>[]> {
  return sql.query<Pick<Program, 'status' | 'inputShape'>>(
    `select status, input_shape as "inputShape" from programs
     where workspace_id = $1 and skills_sha256 = $2 and schema_sha256 = $3 and deleted_at is null
     order by created_at desc limit 20`,
    [key.workspaceId, key.skillsSha256, key.schemaSha256],
  )
}

/** The gate's decision. */
export interface Decision {
  readonly status: 'ready' | 'rejected'
  readonly source: string | null
  readonly sha256: string | null
  readonly inputShape: InputShape | null
  readonly shapeSha256: string | null
  readonly gate: GateReport | null
  readonly guard: Guard | null
  readonly reason: string | null
  readonly now: Date
}

/** Records the gate's decision, and demotes the previous program of the same key. False: it was decided already, or deleted. */
export async function decideProgram(tx: Sql, place: ProgramPlace, decision: Decision): Promise<boolean> {
  const { workspaceId, id } = place
  if (decision.status === 'ready')
    await tx.query(
      `update programs old set status = 'demoted', reason = 'A newer program took its place', decided_at = $4
       from programs new where new.workspace_id = $1 and new.id = $2 and new.status = any($5) and new.deleted_at is null
         and old.workspace_id = $1 and old.id <> $2 and old.status = 'ready' and old.deleted_at is null and old.skills_sha256 = new.skills_sha256
         and old.schema_sha256 = new.schema_sha256 and old.shape_sha256 = $3`,
      [workspaceId, id, decision.shapeSha256, decision.now, programStatusesBefore('ready')],
    )
  const rows = await tx.query(
    `update programs set status = $3, source = $4, sha256 = $5, input_shape = $6, shape_sha256 = $7, gate = $8, guard = $9,
       reason = $10, decided_at = $11
     where workspace_id = $1 and id = $2 and status = any($12) and deleted_at is null returning id`,
    [
      workspaceId,
      id,
      decision.status,
      decision.source,
      decision.sha256,
      decision.inputShape === null ? null : jsonb(decision.inputShape as JsonObject),
      decision.shapeSha256,
      decision.gate === null ? null : jsonb(decision.gate),
      decision.guard === null ? null : jsonb(decision.guard),
      decision.reason,
      decision.now,
      programStatusesBefore(decision.status),
    ],
  )
  return rows.length > 0
}

/** Leaves fields of a ready program to an agent. `recent`: its latest checked answers without them. False: it was not ready any more. */
export async function loseFields(
  tx: Sql,
  of: ProgramPlace & { readonly lost: readonly string[]; readonly recent: Recent },
): Promise<boolean> {
  const rows = await tx.query(
    `update programs set lost_fields = $3, shadow_recent = $4
     where workspace_id = $1 and id = $2 and status = 'ready' and deleted_at is null returning id`,
    [of.workspaceId, of.id, jsonb(of.lost), jsonb(of.recent)],
  )
  return rows.length > 0
}

/**
 * Leaves to a program what it is tested again for: it gives up the same fields, and the replaced one serves no longer. `reason`: why that went.
 */
export async function replaceProgram(
  tx: Sql,
  of: ProgramPlace & { readonly replaced: string; readonly reason: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update programs set lost_fields = old.lost_fields from programs old
     where programs.workspace_id = $1 and programs.id = $2 and old.workspace_id = $1 and old.id = $3`,
    [of.workspaceId, of.id, of.replaced],
  )
  await demoteProgram(tx, { ...of, id: of.replaced })
}

/** Demotes a program. False: it was not ready any more. */
export async function demoteProgram(tx: Sql, of: ProgramPlace & { reason: string; now: Date }): Promise<boolean> {
  const rows = await tx.query(
    `update programs set status = 'demoted', reason = $3, decided_at = $4
     where workspace_id = $1 and id = $2 and status = 'ready' and deleted_at is null returning id`,
    [of.workspaceId, of.id, of.reason, of.now],
  )
  return rows.length > 0
}

export async function deleteProgram(sql: Sql, of: ProgramPlace & { now: Date }): Promise<Program | undefined> {
  const rows = await sql.query<Program>(
    `update programs set deleted_at = $3 where workspace_id = $1 and id = $2 and deleted_at is null returning ${columns}`,
    [of.workspaceId, of.id, of.now],
  )
  return rows[0]
}
