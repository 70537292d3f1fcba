import type { Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { ConversationMessage } from '../../agent/conversation.ts'

/** A message of a session, which came with a turn. */
export interface KeptMessage {
  readonly executionId: string
  readonly message: ConversationMessage
  readonly createdAt: Date
}

/** Appends messages to a session. */
export async function insertMessages(
  sql: Sql,
  turn: {
    workspaceId: string
    sessionId: string
    executionId: string
    messages: readonly ConversationMessage[]
    now: Date
  },
): Promise<void> {
  if (turn.messages.length === 0) return
  await sql.query(
    `insert into messages (workspace_id, session_id, execution_id, message, created_at)
     select $1, $2, $3, one.message, $5 from json_array_elements($4::json) with ordinality as one (message, place) order by one.place`,
    [turn.workspaceId, turn.sessionId, turn.executionId, await largeJsonb(turn.messages), turn.now],
  )
}

/** The messages of the newest turns of a session, oldest first. */
export async function listMessages(
  sql: Sql,
  of: { workspaceId: string; sessionId: string; turnsMax: number },
): Promise<readonly KeptMessage[]> {
  return sql.query<KeptMessage>(
    `select execution_id as "executionId", message, created_at as "createdAt" from messages
     where workspace_id = $1 and session_id = $2 and execution_id in (
       select execution_id from messages where workspace_id = $1 and session_id = $2
       group by execution_id order by max(id) desc limit $3)
     order by id`,
    [of.workspaceId, of.sessionId, of.turnsMax],
  )
}

/** Deletes the messages that came with a turn of a session. */
export async function deleteMessages(sql: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  await sql.query('delete from messages where workspace_id = $1 and execution_id = $2', [
    of.workspaceId,
    of.executionId,
  ])
}
