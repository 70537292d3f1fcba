import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { ToolCall } from '../../adapters/models/model.ts'
import type { ConversationMessage } from '../../agent/conversation.ts'
import { limits } from '../../core/limits.ts'
import { listSession, type SessionExecution } from './session-history.ts'
import { listMessages } from './store.ts'
import { findTurns, replyOf, type TurnReply } from './turn.ts'

export type { SessionExecution } from './session-history.ts'

/** A message of a session, with the turn that it came with or replies to. */
export interface SessionMessage {
  readonly executionId: string
  readonly message: ConversationMessage
}

/** The content of a session: messages, executions, and the schemas of answers. */
export interface SessionHistory {
  readonly messages: readonly SessionMessage[]
  readonly executions: readonly SessionExecution[]
  readonly schemas: readonly JsonObject[]
}

/** The messages of a session with replies, oldest first, without failed turns. Empty for an unknown session. */
export async function listSessionMessages(
  sql: Sql,
  of: { workspaceId: string; sessionId: string },
): Promise<readonly SessionMessage[]> {
  const { workspaceId } = of
  const kept = await listMessages(sql, { ...of, turnsMax: limits.chatTurnsMax })
  const turns = await findTurns(sql, { workspaceId, ids: [...new Set(kept.map((one) => one.executionId))] })
  // Clients repeat a failed request, so failed turns are not part of the history.
  const valid = kept.filter(({ executionId }) => {
    const turn = turns.get(executionId)
    return turn !== undefined && (turn.status !== 'failed' || replyOf(turn) !== undefined)
  })
  return valid.flatMap(({ executionId, message }, index) => {
    if (valid[index + 1]?.executionId === executionId) return [{ executionId, message }]
    const turn = turns.get(executionId)
    const reply = turn && replyOf(turn)
    return [{ executionId, message }, ...(reply ? [{ executionId, message: messageOfReply(reply) }] : [])]
  })
}

/** The history of a session of a workspace: its newest turns and executions. */
export async function loadSession(sql: Sql, of: { workspaceId: string; sessionId: string }): Promise<SessionHistory> {
  const messages = await listSessionMessages(sql, of)
  const executions = await listSession(sql, { ...of, limit: limits.chatTurnsMax })
  const schemas = executions.flatMap(({ config }) => {
    const schema = config['json_schema']
    return isJsonObject(schema) ? [schema] : []
  })
  return { messages, executions, schemas }
}

/** A reply as a message for the next turn. */
export const messageOfReply = ({ content, refusal, toolCalls }: TurnReply): ConversationMessage => ({
  role: 'assistant',
  text: content ?? refusal ?? '',
  toolCalls: toolCalls.map(callOf),
})

function callOf(call: JsonObject): ToolCall {
  const called = call['function'] as { name: string; arguments: string }
  return { id: String(call['id']), name: called.name, input: parsed(called.arguments) }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
