import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { priceOfTurn, type TurnReply, type TurnState } from '../chat/chat.ts'
import { citationsOf, textBlocks } from './citations.ts'
import type { CitedDocument } from './read-request.ts'
import type { MessageObject } from './wire.ts'

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

/** A complete message. */
export const messageOf = (turn: TurnState, reply: TurnReply, cited: readonly CitedDocument[]): MessageObject => ({
  ...opening(turn),
  content: contentOf(turn, reply, cited),
  stop_reason: stopReasons[reply.finish],
  usage: usageOf(turn),
})

/** A message without content yet. */
export const opening = (turn: TurnState): MessageObject => ({
  id: `msg_${turn.id}`,
  type: 'message',
  role: 'assistant',
  model: turn.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  execution_id: turn.id,
  session_id: turn.sessionId ?? '',
})

/** The blocks of a reply: its text or the refusal, then its tool calls. */
export function contentOf(
  turn: Pick<TurnState, 'evidence'>,
  { content, refusal, toolCalls }: TurnReply,
  cited: readonly CitedDocument[],
): MessageObject['content'] {
  const text = content ?? refusal ?? ''
  return [
    ...(text === '' ? [] : textBlocks(text, citationsOf(turn.evidence ?? {}, cited))),
    ...toolCalls.map((call) => {
      const { name, arguments: given } = call['function'] as { name: string; arguments: string }
      return { type: 'tool_use', id: String(call['id']), name, input: inputOf(given) }
    }),
  ]
}

/** The input of a tool is an object; any other model output goes into one as text. */
function inputOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : { value }
  } catch {
    return { text }
  }
}

function usageOf(turn: TurnState): MessageObject['usage'] {
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } = turn.usage
  const { credits_used, cost_dollars } = priceOfTurn(turn)
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    service_tier: turn.tier,
    credits_used,
    cost_dollars,
  }
}
