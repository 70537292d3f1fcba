import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { eventStreamHeaders } from '../../adapters/http/reply.ts'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { acceptTurn } from './accept-turn.ts'
import { awaitTurn, endOfTurn, type Following, within } from './await-turn.ts'
import { completionOf, headOf, type ReplyContext, turnFailure } from './completion.ts'
import { streamCompletion } from './stream.ts'
import { replyOf, type TurnParts } from './turn.ts'
import { type ChatCompletion, chatCompletion, chatRequest, openAiModel } from './wire.ts'

export interface ChatRouteParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for a reply, in milliseconds. */
  readonly chatWaitMs: number
}

/** OpenAI's chat completions and models. */
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
      const execution = await acceptTurn({ ...parts, db }, { caller, body, idempotencyKey, signal })
      const place = { workspaceId: caller.workspaceId, id: execution.id }
      const awaited = awaitTurn({ ...parts, db }, place, {
        waitMs: parts.chatWaitMs,
        signal,
        goesOn: Boolean(idempotencyKey),
      })
      const followed = { ...awaited, head: headOf(execution), path }
      const reply = await (body.stream ? streamed(followed) : whole(followed))
      return { ...reply, about: { execution: execution.id } }
    },
  })
}

async function whole({ following, ...at }: Followed): Promise<Reply<ChatCompletion | FailureBody>> {
  const turn = await endOfTurn(following)
  const reply = turn && replyOf(turn)
  if (!turn || !reply) return turnFailure(at, turn)
  return { json: completionOf(at.head, turn, reply) }
}

interface Followed extends ReplyContext {
  readonly following: Following
}

/** A failure before the first text has its own HTTP status, so the reply waits a while for either. */
async function streamed({ following, ...at }: Followed): Promise<Reply<FailureBody>> {
  const first = following.next()
  const begun = await within(first, limits.chatOpeningMs)
  if (begun?.done && !(begun.value && replyOf(begun.value))) return turnFailure(at, begun.value)
  return {
    stream: streamCompletion({ ...at, first, following }),
    headers: eventStreamHeaders,
  }
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

/** Models have no creation date here, but OpenAI's format has one. */
const madeAt = Date.UTC(2026, 10, 21) / 1000
