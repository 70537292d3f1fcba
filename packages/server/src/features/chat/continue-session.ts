import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { type ConversationMessage, withoutInstructions } from '../../agent/conversation.ts'
import { askedOf, findAsked, findOriginal, type Place } from '../executions/executions.ts'
import { type Conversation, makeNamer, readMessages } from './read-messages.ts'
import { listSessionMessages, messageOfReply, type SessionMessage } from './session.ts'
import { findTurns, replyOf } from './turn.ts'
import type { WireMessage } from './wire.ts'

/** A request within its session: the messages for the model, and those that the session does not have yet. */
export interface Continued extends Conversation {
  readonly added: readonly ConversationMessage[]
}

/**
 * Appends the messages of a request to its session. A request with an assistant message carries its own history and is used as is: only the
 * messages after that one are new. A request without one continues the session.
 */
export async function continueSession(
  sql: Sql,
  of: { workspaceId: string; sessionId: string; sent: Conversation },
): Promise<Continued> {
  const { workspaceId, sent } = of
  const known = await listSessionMessages(sql, of)
  if (known.length === 0) return { ...sent, added: sent.messages }
  const at = sent.messages.findLastIndex((message) => message.role === 'assistant')
  const fresh = withoutKnownInstructions(sent.messages.slice(at + 1), known)
  if (at >= 0) return { ...sent, added: fresh }
  const nameOf = makeNamer()
  const inputs: Record<string, Json> = {}
  const earlier: ConversationMessage[] = []
  for (const [executionId, messages] of Map.groupBy(known, (one) => one.executionId)) {
    const rename = await renamerOf(sql, { workspaceId, executionId, messages, nameOf, inputs })
    earlier.push(...messages.map((one) => rename(one.message)))
  }
  const rename = renamer(nameOf, (name) => sent.inputs[name], inputs)
  const added = fresh.map(rename)
  return { messages: [...earlier, ...added], inputs, added }
}

/**
 * Appends the messages of a request to an earlier turn and its reply. Drops the instructions of that turn, since each request has its own.
 * Undefined when the workspace has no such turn, or no longer its content.
 */
export async function continueTurn(
  sql: Sql,
  of: Place & { messages: readonly WireMessage[] },
): Promise<(Continued & { readonly sessionId: string | null }) | undefined> {
  const execution = await findOriginal(sql, of)
  const turn = (await findTurns(sql, { workspaceId: of.workspaceId, ids: [of.id] })).get(of.id)
  const reply = turn && replyOf(turn)
  const chat = execution?.request.chat
  if (!execution || !chat || !reply) return undefined
  const earlier = withoutInstructions(chat)
  const asked = askedOf(execution).inputs
  const named = earlier.flatMap((one) => (one.role === 'user' ? one.parts : []))
  const kept = named.flatMap((part) => ('input' in part ? [[part.input, asked[part.input] ?? null] as const] : []))
  const sent = readMessages(of.messages, makeNamer(kept.map(([name]) => name)))
  return {
    messages: [...earlier, messageOfReply(reply), ...sent.messages],
    inputs: { ...Object.fromEntries(kept), ...sent.inputs },
    added: sent.messages,
    sessionId: execution.sessionId,
  }
}

/** Instructions that the session already has verbatim are not added again with each turn. */
function withoutKnownInstructions(
  fresh: readonly ConversationMessage[],
  session: readonly SessionMessage[],
): readonly ConversationMessage[] {
  const known = session.filter(({ message }) => message.role === 'system')
  return fresh.filter((one) => one.role !== 'system' || !known.some((old) => isDeepStrictEqual(old.message, one)))
}

type Rename = (message: ConversationMessage) => ConversationMessage

async function renamerOf(
  sql: Sql,
  turn: {
    workspaceId: string
    executionId: string
    messages: readonly SessionMessage[]
    nameOf: (kind: string) => string
    inputs: Record<string, Json>
  },
): Promise<Rename> {
  const hasInputs = turn.messages.some(
    ({ message }) => message.role === 'user' && message.parts.some((part) => 'input' in part),
  )
  if (!hasInputs) return (message) => message
  const asked = await findAsked(sql, { workspaceId: turn.workspaceId, id: turn.executionId })
  return renamer(turn.nameOf, (name) => asked?.inputs[name], turn.inputs)
}

/** Renames and collects the documents of messages in the order of the whole conversation. A missing one is replaced by a note. */
function renamer(
  nameOf: (kind: string) => string,
  itemOf: (name: string) => Json | undefined,
  inputs: Record<string, Json>,
): Rename {
  return (message) => {
    if (message.role !== 'user') return message
    const parts = message.parts.map((part) => {
      if ('text' in part) return part
      const item = itemOf(part.input)
      if (item === undefined) return { text: `[${part.input} was not retained]` }
      const input = nameOf(part.input.replace(/-\d+$/, ''))
      inputs[input] = item
      return { input }
    })
    return { role: 'user', parts }
  }
}
