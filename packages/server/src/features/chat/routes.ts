import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { type Caller, type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { strayResult } from '../../agent/conversation.ts'
import { limits } from '../../core/limits.ts'
import { completionOf, headOf, type Told, turnFailure } from './completion.ts'
import { continueSession } from './continue-session.ts'
import { readMessages } from './read-messages.ts'
import { asSent, chatTurnOf, executeBodyOf, sessionNamed } from './request.ts'
import { insertMessages } from './store.ts'
import { type Following, streamCompletion } from './stream.ts'
import { followTurn, giveUpTurn, replyOf, startTurn, type TurnParts } from './turn.ts'
import { type ChatCompletion, type ChatRequest, chatCompletion, chatRequest, openAiModel } from './wire.ts'

export interface ChatRouteParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for a reply, in milliseconds. */
  readonly chatWaitMs: number
}

/** What OpenAI's clients call. */
export function chatRoutes(parts: ChatRouteParts): Route[] {
  return [
    chatRoute(parts, { path: '/v1/openai/chat/completions', operation: 'createChatCompletion' }),
    chatRoute(parts, { path: '/v1/chat/completions', operation: 'createChatCompletionShort' }),
    ...modelRoutes(parts),
  ]
}

function chatRoute(parts: ChatRouteParts, { path, operation }: { path: string; operation: string }): Route {
  return route({
    method: 'post',
    path,
    operation,
    tag: 'chat',
    scope: 'execute',
    summary:
      'Create a chat completion (compatible with OpenAI), with documents, skills, server tools and your own tools; streamed or complete',
    body: chatRequest,
    reply: { status: 200, description: 'The reply; with `stream: true`, server-sent events', schema: chatCompletion },
    failures: [400, 402, 404, 409],
    handle: async ({ db, caller, body, headers, signal }) => {
      const idempotencyKey = headers['idempotency-key']
      if (idempotencyKey && idempotencyKey.length > 255)
        throw invalid(['header', 'idempotency-key'], 'Input should have at most 255 characters')
      const execution = await accept({ ...parts, db }, { caller, body, idempotencyKey, signal })
      const place = { workspaceId: caller.workspaceId, id: execution.id }
      const head = headOf(execution)
      const waiting = new AbortController()
      const timer = setTimeout(() => waiting.abort(), parts.chatWaitMs)
      timer.unref()
      const either = AbortSignal.any([signal, waiting.signal])
      const following = cleared(
        followTurn({ ...parts, db }, place, { silenceMs: limits.eventHeartbeatMs, signal: either }),
        () => {
          clearTimeout(timer)
          // When the server stops, another goes on with the turn; when nobody is left to hear it, nobody does.
          if (waiting.signal.aborted || isGone(signal)) void giveUpTurn({ ...parts, db }, place)
        },
      )
      const followed = { head, path, following, isStopping: () => signal.aborted && !isGone(signal) }
      const reply = await (body.stream ? streamed(followed) : whole(followed))
      return { ...reply, about: { execution: execution.id } }
    },
  })
}

const isGone = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Fault && reason.code === 'client_gone'

/** Accepts the turn of a request within its session. */
async function accept(
  parts: TurnParts,
  call: { caller: Caller; body: ChatRequest; idempotencyKey: string | undefined; signal: AbortSignal },
): ReturnType<typeof startTurn> {
  const { caller, body, idempotencyKey, signal } = call
  const { workspaceId } = caller
  const named = sessionNamed(body)
  const sessionId = named ?? newRandomId()
  const sent = readMessages(body.messages)
  const { messages, inputs, added } =
    named === undefined
      ? { ...sent, added: sent.messages }
      : await continueSession(parts.db, { workspaceId, sessionId, sent })
  const stray = strayResult(messages)
  if (stray !== undefined)
    throw invalid(
      ['body', 'messages'],
      `The tool message for ${JSON.stringify(stray.slice(0, 100))} has no matching tool call in an earlier assistant message`,
    )
  const turn = chatTurnOf(body, messages)
  const route = body.model ? parts.intake.models.route(body.model) : undefined
  const readsWords = (route ?? parts.intake.models.route('svc-agent-1:auto')).fixed?.kind === 'embedded'
  const isKept = (body.metadata as { allow_retention?: unknown } | null | undefined)?.allow_retention !== false
  return startTurn(parts, {
    caller,
    body: executeBodyOf(body, { sessionId, turn, inputs, readsWords }),
    idempotencyKey,
    signal,
    chat: {
      turn,
      sameAs: body,
      alongside: async (tx, { id, createdAt }) => {
        if (isKept)
          await insertMessages(tx, { workspaceId, sessionId, executionId: id, messages: added, now: createdAt })
      },
    },
  }).catch((failure: unknown) => {
    throw asSent(failure, body)
  })
}

/** What is followed, with something to do when that ends, however it ends. */
async function* cleared(following: Following, clear: () => void): Following {
  try {
    return yield* following
  } finally {
    clear()
  }
}

/** Clients that know the header do not send again what was worked on already. */
const final = { 'X-Should-Retry': 'false' }

async function whole({ following, ...at }: Followed): Promise<Reply<ChatCompletion | FailureBody>> {
  let next = await following.next()
  while (!next.done) next = await following.next()
  const turn = next.value
  const reply = turn && replyOf(turn)
  if (!turn || !reply) return { ...turnFailure(at, turn), headers: final }
  return { json: completionOf(at.head, turn, reply) }
}

interface Followed extends Told {
  readonly following: Following
}

/** A failure before the first word has a status of its own; so it is waited for, for a while. */
async function streamed({ following, ...at }: Followed): Promise<Reply<FailureBody>> {
  const first = following.next()
  const begun = await within(first, limits.chatOpeningMs)
  if (begun?.done && !(begun.value && replyOf(begun.value))) return { ...turnFailure(at, begun.value), headers: final }
  return {
    stream: streamCompletion({ ...at, first, following }),
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  }
}

/** What a promise gives, or undefined where it takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function modelRoutes({ intake: { models } }: ChatRouteParts): Route[] {
  const modelOf = (id: string, engine: string) => ({
    id,
    object: 'model' as const,
    created: madeAt,
    owned_by: 'skillrun',
    engine,
  })
  const engineOf = (id: string): string => {
    try {
      return models.route(id).engine
    } catch (error) {
      if (!(error instanceof ValidationFailure)) throw error
      throw new Fault('missing', 'model_not_found', `This server has no model named ${JSON.stringify(id)}`)
    }
  }
  return [
    route({
      method: 'get',
      path: '/v1/openai/models',
      operation: 'listOpenAiModels',
      tag: 'chat',
      scope: 'any',
      summary: 'List the models of this server (compatible with OpenAI)',
      reply: {
        status: 200,
        description: 'The models',
        schema: z.object({ object: z.literal('list'), data: z.array(openAiModel) }),
      },
      handle: async () => ({
        json: { object: 'list' as const, data: models.routes.map(({ model, engine }) => modelOf(model, engine)) },
      }),
    }),
    route({
      method: 'get',
      path: '/v1/openai/models/{id}',
      operation: 'getOpenAiModel',
      tag: 'chat',
      scope: 'any',
      summary: 'Get a model of this server (compatible with OpenAI)',
      params: z.object({ id: z.string().max(255) }),
      reply: { status: 200, description: 'The model', schema: openAiModel },
      failures: [404],
      handle: async ({ params }) => ({ json: modelOf(params.id, engineOf(params.id)) }),
    }),
  ]
}

/** The routes have no date of their own: that of the interface. */
const madeAt = Date.UTC(2026, 10, 21) / 1000
