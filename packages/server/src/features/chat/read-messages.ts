import { asJson, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ToolCall } from '../../adapters/models/model.ts'
import type { ConversationMessage, ConversationPart } from '../../agent/conversation.ts'
import type { UserPart, WireMessage } from './wire.ts'

/** A conversation as internal messages, with its documents by name. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[]
  /** Input items by their names in the messages. */
  readonly inputs: JsonObject
}

/** The name of the next document of a conversation, deterministic for the same conversation. `taken` names are in use. */
export function makeNamer(taken: readonly string[] = []): (kind: string) => string {
  const counts = new Map<string, number>()
  for (const name of taken) {
    const [, kind = name, number] = /^(.*)-(\d+)$/.exec(name) ?? []
    counts.set(kind, Math.max(counts.get(kind) ?? 0, Number(number ?? 0)))
  }
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${kind}-${count}`
  }
}

/** Reads the messages of a request. Throws a ValidationFailure for a conversation without a question. */
export function readMessages(messages: readonly WireMessage[], nameOf = makeNamer()): Conversation {
  const last = messages.at(-1)
  if (last?.role !== 'user' && last?.role !== 'tool' && !messages.some(({ role }) => role === 'user'))
    throw invalid(['body', 'messages'], 'The conversation must contain a user message', { type: 'missing' })
  const inputs: Record<string, Json> = {}
  const place = (kind: string, item: Json): ConversationPart => {
    const input = nameOf(kind)
    inputs[input] = item
    return { input }
  }
  return { messages: messages.map((message) => conversationMessageOf(message, place)), inputs }
}

type Place = (kind: string, item: Json) => ConversationPart

function conversationMessageOf(message: WireMessage, place: Place): ConversationMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(message.content) }
    case 'user': {
      const { content } = message
      const parts = typeof content === 'string' ? [{ text: content }] : content.map((part) => partOf(part, place))
      return { role: 'user', parts }
    }
    case 'assistant':
      return {
        role: 'assistant',
        text: textOf(message.content ?? message.refusal ?? ''),
        toolCalls: (message.tool_calls ?? []).map(callOf),
      }
    case 'tool':
      return { role: 'tool', id: message.tool_call_id, text: textOf(message.content) }
  }
}

type TextContent = string | readonly ({ type: 'text'; text: string } | { type: 'refusal'; refusal: string })[]

const textOf = (content: TextContent): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : part.refusal)).join('\n')

function partOf(part: UserPart, place: Place): ConversationPart {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'input_audio': {
      const { data, format } = part.input_audio
      return place('audio', { type: 'audio_url', audio_url: { url: `data:audio/${format};base64,${data}` } })
    }
    case 'file': {
      const { file_id, file_data } = part.file
      if (file_id) return place('file', { type: 'input_file', file_id })
      return place('file', { type: 'file_url', file_url: { url: file_data ?? '' } })
    }
    case 'input_file':
      return place('file', asJson(part))
    default:
      return place(part.type.replace('_url', ''), asJson(part))
  }
}

function callOf(call: { id: string; function: { name: string; arguments: string } }): ToolCall {
  const { name, arguments: text } = call.function
  try {
    return { id: call.id, name, input: text.trim() === '' ? {} : (JSON.parse(text) as Json) }
  } catch {
    return { id: call.id, name, input: text }
  }
}
