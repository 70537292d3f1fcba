import { asJson, type JsonObject } from '@skillrun/core/json.ts'
import { type FailureBody, failureBody } from '../../adapters/http/failure-form.ts'
import { priceOfTurn, type TurnReply, type TurnState } from './turn.ts'
import type { ChatCompletion } from './wire.ts'

/** Fields of every object of one completion. */
export interface Head {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly session_id: string
  readonly service_tier: string
}

/** How to send a reply. */
export interface ReplyContext {
  readonly head: Head
  readonly path: string
  /** Whether the wait ended because the server is stopping. */
  readonly isStopping: () => boolean
  /** Whether the turn goes on without a client that waits. */
  readonly goesOn: boolean
}

/** The fields that all objects of a turn's completion share. */
export const headOf = (turn: {
  id: string
  createdAt: Date
  model: string
  sessionId: string | null
  tier: string
}): Head => ({
  id: `chatcmpl-${turn.id}`,
  created: Math.floor(turn.createdAt.getTime() / 1000),
  model: turn.model,
  session_id: turn.sessionId ?? '',
  service_tier: turn.tier,
})

/** A complete completion. */
export const completionOf = (head: Head, turn: TurnState, reply: TurnReply): ChatCompletion => ({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: reply.content,
        refusal: reply.refusal,
        ...(reply.toolCalls.length === 0 ? {} : { tool_calls: reply.toolCalls as ({ id: string } & JsonObject)[] }),
      },
      logprobs: null,
      finish_reason: reply.finish,
    },
  ],
  usage: usageOf(turn),
})

/** The usage of a turn, with its cost in the tier that it ran in. */
function usageOf(turn: TurnState): ChatCompletion['usage'] {
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } = turn.usage
  const price = priceOfTurn(turn)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: {
      reasoning_tokens: turn.replies.reduce((sum, one) => sum + one.usage.reasoningTokens, 0),
    },
    credits_used: price.credits_used,
    cost_dollars: price.cost_dollars,
  }
}

/** One event of a streamed completion. */
export const chunkOf = (head: Head, delta: object, finish: TurnReply['finish'] | null = null): JsonObject => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: delta as JsonObject, logprobs: null, finish_reason: finish }],
})

/** The last event, with the usage. */
export const usageChunkOf = (head: Head, turn: TurnState): JsonObject => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [],
  usage: asJson(usageOf(turn)),
})

const statuses: Readonly<Record<string, number>> = { cancelled: 409, budget_spent: 402 }

/** What failures mean that are not the caller's fault: the type of the error says so, although the status does not. */
const meanings: Readonly<Record<string, number>> = {
  provider_failed: 500,
  provider_limited: 429,
  provider_timeout: 504,
  timeout: 504,
  not_in_time: 504,
  stopping: 503,
  poison: 500,
  internal: 500,
}

/**
 * The failure of an accepted turn. Its status must not trigger a client's automatic retry: the work was done, and only a person should
 * decide to repeat it.
 */
export function turnFailure(
  { path, isStopping, goesOn }: Omit<ReplyContext, 'head'>,
  turn: TurnState | undefined,
): { status: number; json: FailureBody; headers: typeof doNotRetry } {
  const { code, message } = turn ? reasonOf(turn) : isStopping() ? stopping : notInTime(goesOn)
  const status = statuses[code] ?? 400
  const json = failureBody(path, { status, code, message, meaning: meanings[code] ?? status })
  return { status, json, headers: doNotRetry }
}

/** Tells client libraries not to repeat a turn that was executed. */
const doNotRetry = { 'X-Should-Retry': 'false' }

const notInTime = (goesOn: boolean) => ({
  code: 'not_in_time',
  message: `The reply took too long${goesOn ? '; it goes on: ask for it again later' : ' and was stopped'}`,
})
const stopping = {
  code: 'stopping',
  message: 'The server is shutting down; the turn continues, and its session will contain the reply',
}

function reasonOf(turn: TurnState): { code: string; message: string } {
  if (turn.error) return turn.error
  if (turn.isForgotten) return { code: 'not_kept', message: 'The reply was not retained and has already been read' }
  const why = turn.usage.message ?? 'it was paused through the API'
  const how = `POST /v1/agent/executions/${turn.id}/resume resumes it`
  return { code: 'budget_spent', message: `The turn was paused: ${why}; ${how}` }
}
