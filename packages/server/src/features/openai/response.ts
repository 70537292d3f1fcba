import type { JsonObject } from '@skillrun/core/json.ts'
import { priceOfTurn, replyOf, type TurnReply, type TurnState } from '../chat/chat.ts'
import { callItemId, messageId, responseId } from './ids.ts'
import type { ResponseObject } from './wire.ts'

type Item = ResponseObject['output'][number]

/** The response object of a turn in its current state. `echo` holds the request fields that it repeats. */
export function responseOf(turn: TurnState, echo: JsonObject): ResponseObject {
  const reply = replyOf(turn)
  const status = statusOf(turn, reply)
  return {
    ...echo,
    id: responseId(turn.id),
    object: 'response',
    created_at: seconds(turn.createdAt),
    completed_at: turn.completedAt && status === 'completed' ? seconds(turn.completedAt) : null,
    status,
    model: turn.model,
    output: reply ? outputOf(turn.id, reply) : [],
    error: errorOf(turn, status),
    incomplete_details: status === 'incomplete' ? { reason: reply ? 'max_output_tokens' : 'paused' } : null,
    service_tier: turn.tier,
    usage: turn.completedAt === null && turn.status !== 'paused' ? null : usageOf(turn),
    execution_id: turn.id,
    session_id: turn.sessionId ?? '',
  }
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

function statusOf(turn: TurnState, reply: TurnReply | undefined): ResponseObject['status'] {
  if (reply) return reply.finish === 'length' ? 'incomplete' : 'completed'
  switch (turn.status) {
    case 'pending':
    case 'enqueued':
      return 'queued'
    case 'running':
      return 'in_progress'
    case 'paused':
      return 'incomplete'
    default:
      return turn.error?.code === 'cancelled' ? 'cancelled' : 'failed'
  }
}

function errorOf(turn: TurnState, status: ResponseObject['status']): ResponseObject['error'] {
  if (status === 'incomplete' && turn.status === 'paused') {
    const why = turn.usage.message ?? 'it was paused through the API'
    return {
      code: 'paused',
      message: `The execution was paused: ${why}; POST /v1/agent/executions/${turn.id}/resume resumes it`,
    }
  }
  if (status !== 'failed') return null
  return { code: turn.error?.code ?? 'server_error', message: turn.error?.message ?? 'The response is not available' }
}

/** The items of a reply in order: text or refusal, then function calls. */
export function outputOf(id: string, reply: TurnReply): Item[] {
  const { content, refusal, toolCalls, finish } = reply
  const parts = partsOf({ content, refusal })
  const isEmpty = parts.length === 0 && toolCalls.length === 0
  const message: Item = {
    type: 'message',
    id: messageId(id),
    role: 'assistant',
    status: finish === 'length' ? 'incomplete' : 'completed',
    content: isEmpty ? [textPart('')] : parts,
  }
  return [...(parts.length > 0 || isEmpty ? [message] : []), ...toolCalls.map((call, index) => callOf(id, call, index))]
}

const partsOf = ({ content, refusal }: Pick<TurnReply, 'content' | 'refusal'>): JsonObject[] => [
  ...(content === null || content === '' ? [] : [textPart(content)]),
  ...(refusal === null ? [] : [{ type: 'refusal', refusal }]),
]

export const textPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function callOf(id: string, call: JsonObject, index: number): Item {
  const called = call['function'] as { name: string; arguments: string }
  return {
    type: 'function_call',
    id: callItemId(id, index),
    call_id: String(call['id']),
    name: called.name,
    arguments: called.arguments,
    status: 'completed',
  }
}

function usageOf(turn: TurnState): NonNullable<ResponseObject['usage']> {
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } = turn.usage
  const { credits_used, cost_dollars } = priceOfTurn(turn)
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: {
      reasoning_tokens: turn.replies.reduce((sum, one) => sum + one.usage.reasoningTokens, 0),
    },
    total_tokens: inputTokens + outputTokens,
    credits_used,
    cost_dollars,
  }
}
