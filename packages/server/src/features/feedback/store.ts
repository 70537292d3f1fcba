import { hashedName, isId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'

export type EntityType = 'request' | 'agent_execution' | 'chat'

/** One piece of feedback. */
export interface Feedback {
  readonly id: string
  readonly entityType: EntityType
  readonly entity: string
  readonly response: JsonObject | null
  readonly notes: string | null
  readonly createdAt: Date
}

const columns = 'id, entity_type as "entityType", entity, response, notes, created_at as "createdAt"'

/** The stored form of an entity: an execution id as is, a client's own name for a request as its hash. Older rows hold the name. */
const writtenOf = (entity: string): string => (isId(entity.replace(/^chatcmpl-/, '')) ? entity : hashedName(entity))

/** Stores feedback; `executionId` is the execution that it is on, if there is one. */
export async function insertFeedback(
  sql: Sql,
  feedback: Feedback & {
    readonly workspaceId: string
    readonly keyId: string
    readonly executionId: string | null
  },
): Promise<void> {
  await sql.query(
    `insert into feedback (id, workspace_id, key_id, entity_type, entity, response, notes, created_at, execution_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      feedback.id,
      feedback.workspaceId,
      feedback.keyId,
      feedback.entityType,
      writtenOf(feedback.entity),
      feedback.response === null ? null : jsonb(feedback.response),
      feedback.notes,
      feedback.createdAt,
      feedback.executionId,
    ],
  )
}

/** Feedback by its id. */
export async function findFeedback(sql: Sql, of: { workspaceId: string; id: string }): Promise<Feedback | undefined> {
  const rows = await sql.query<Feedback>(`select ${columns} from feedback where workspace_id = $1 and id = $2`, [
    of.workspaceId,
    of.id,
  ])
  return rows[0]
}

/** Feedback on an entity, newest first; `entityType` null: any type with this id. */
export async function listFeedback(
  sql: Sql,
  list: { workspaceId: string; entity: string; entityType: EntityType | null; limit: number; offset: number },
): Promise<readonly Feedback[]> {
  return sql.query<Feedback>(
    `select ${columns} from feedback
     where workspace_id = $1 and entity in ($2, $6) and ($3::text is null or entity_type = $3)
     order by created_at desc, id desc limit $4 offset $5`,
    [list.workspaceId, writtenOf(list.entity), list.entityType, list.limit, list.offset, list.entity],
  )
}

/** Drops the content of feedback on an execution, in the transaction that drops the execution's content. That there was feedback stays. */
export async function forgetFeedback(tx: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  await tx.query('update feedback set response = null, notes = null where workspace_id = $1 and execution_id = $2', [
    of.workspaceId,
    of.executionId,
  ])
}

/** The same for a new execution that must not be kept: drops earlier feedback under its ids. Later feedback finds the execution. */
export async function forgetFeedbackOn(
  tx: Sql,
  of: { workspaceId: string; executionId: string; names: readonly string[] },
): Promise<void> {
  const { workspaceId, executionId, names } = of
  await tx.query(
    `update feedback set response = null, notes = null, execution_id = $2
     where workspace_id = $1 and entity = any($3::text[])`,
    [workspaceId, executionId, [...names, ...names.map(writtenOf), executionId, `chatcmpl-${executionId}`]],
  )
}
