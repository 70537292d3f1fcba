import type { JsonObject } from '../../kit/json.ts'
import { jsonb, type Sql } from '../../seams/db/db.ts'

export type EntityType = 'request' | 'agent_execution' | 'chat'

/** What somebody said of an answer. */
export interface Feedback {
  readonly id: string
  readonly entityType: EntityType
  readonly entity: string
  readonly response: JsonObject | null
  readonly notes: string | null
  readonly createdAt: Date
}

const columns = 'id, entity_type as "entityType", entity, response, notes, created_at as "createdAt"'

export async function insertFeedback(
  sql: Sql,
  feedback: Feedback & { readonly workspaceId: string; readonly keyId: string },
): Promise<void> {
  await sql.query(
    `insert into feedback (id, workspace_id, key_id, entity_type, entity, response, notes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      feedback.id,
      feedback.workspaceId,
      feedback.keyId,
      feedback.entityType,
      feedback.entity,
      feedback.response === null ? null : jsonb(feedback.response),
      feedback.notes,
      feedback.createdAt,
    ],
  )
}

/** What was said of an entity, the newest first; `entityType` null: of whatever has this id. */
export async function listFeedback(
  sql: Sql,
  list: { workspaceId: string; entity: string; entityType: EntityType | null; limit: number; offset: number },
): Promise<readonly Feedback[]> {
  return sql.query<Feedback>(
    `select ${columns} from feedback
     where workspace_id = $1 and entity = $2 and ($3::text is null or entity_type = $3)
     order by created_at desc, id desc limit $4 offset $5`,
    [list.workspaceId, list.entity, list.entityType, list.limit, list.offset],
  )
}
