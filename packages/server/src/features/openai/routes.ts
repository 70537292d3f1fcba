import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { optionalQueryInteger, queryBoolean, queryInteger } from '../../adapters/http/query.ts'
import { eventStreamHeaders } from '../../adapters/http/reply.ts'
import { type Caller, type Reply, type Route, route, withAliases } from '../../adapters/http/route.ts'
import { unsupported } from '../../adapters/http/schemas.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import {
  acceptTurn,
  awaitTurn,
  continueTurn,
  endOfTurn,
  findTurns,
  forgetElsewhere,
  replyOf,
  type TurnParts,
  type TurnState,
  turnFailure,
} from '../chat/chat.ts'
import { cancel, type Execution, findOriginal, hasEnded, purgeExecution } from '../executions/executions.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import { streamResponse } from './events.ts'
import { executionOfResponse, responseId } from './ids.ts'
import { inputItemsOf } from './input-items.ts'
import { placeInRequest, readResponsesRequest } from './read-request.ts'
import { responseOf } from './response.ts'
import { type ResponseObject, type ResponsesRequest, responseObject, responsesRequest } from './wire.ts'

export interface ResponsesParts extends Omit<TurnParts, 'db'> {
  /** Longest wait for a reply, in milliseconds. */
  readonly chatWaitMs: number
}

/** OpenAI's Responses API on top of executions, below `/v1/openai` and, as aliases, below `/v1`. */
export function responsesRoutes(parts: ResponsesParts): Route[] {
  const routes = [createRoute, getRoute, deleteRoute, cancelRoute, inputItemsRoute].map((routeOf) => routeOf(parts))
  return withAliases(routes, '/v1/openai', { Short: '/v1' })
}

const base = '/v1/openai/responses'

const byId = z.object({ id: z.string().max(200) })
const reply = (description: string) => ({ status: 200, description, schema: responseObject })

function createRoute(parts: ResponsesParts): Route {
  return route({
    method: 'post',
    path: base,
    operation: 'createResponse',
    tag: 'openai',
    scope: 'execute',
    summary: "Create a response (OpenAI's Responses API), at once, streamed or in the background",
    body: responsesRequest,
    reply: reply('The response; with `stream: true`, server-sent events'),
    failures: [400, 402, 404, 409],
    handle: async ({ db, caller, body, headers, signal }): Promise<Reply<ResponseObject | FailureBody>> => {
      const own = { ...parts, db }
      const { execution, echo } = await accept(own, { caller, body, headers, signal })
      const place = { workspaceId: caller.workspaceId, id: execution.id }
      const about = { execution: execution.id }
      const turn: TurnState = { ...execution, isForgotten: false, replies: [] }
      if (body.background && !body.stream) return { json: await stateOf(db, place, { turn, echo }), about }
      const goesOn = body.background === true || Boolean(idempotencyKeyOf(headers))
      const awaited = awaitTurn(own, place, { waitMs: parts.chatWaitMs, signal, goesOn })
      if (body.stream)
        return { stream: streamResponse({ ...awaited, turn, echo, path: base }), headers: eventStreamHeaders, about }
      const ended = await endOfTurn(awaited.following)
      if (!ended || !replyOf(ended)) return { ...turnFailure({ ...awaited, path: base }, ended), about }
      return { json: responseOf(ended, echo), about }
    },
  })
}

/** The current response: a repeated idempotency key may have one that has ended. */
async function stateOf(
  db: Db,
  place: { workspaceId: string; id: string },
  known: { turn: TurnState; echo: JsonObject },
): Promise<ResponseObject> {
  const turn = (await findTurns(db, { workspaceId: place.workspaceId, ids: [place.id] })).get(place.id)
  return responseOf(turn ?? known.turn, known.echo)
}

async function accept(
  parts: TurnParts,
  call: {
    caller: Caller
    body: ResponsesRequest
    headers: Readonly<Record<string, string | undefined>>
    signal: AbortSignal
  },
): Promise<{ execution: Awaited<ReturnType<typeof acceptTurn>>; echo: JsonObject }> {
  const { caller, body, headers, signal } = call
  const { workspaceId } = caller
  try {
    const { chat, echo } = await readResponsesRequest(parts.db, { workspaceId, body })
    const earlier = body.previous_response_id
      ? await previous(parts, { workspaceId, id: body.previous_response_id, chat })
      : undefined
    const dialect = {
      sessionId: earlier?.sessionId ?? newRandomId(),
      ...(earlier ? { conversation: earlier } : {}),
      echo: { ...echo, api: 'responses' },
      sameAs: body,
    }
    const idempotencyKey = idempotencyKeyOf(headers)
    return { execution: await acceptTurn(parts, { caller, body: chat, idempotencyKey, signal, dialect }), echo }
  } catch (error) {
    if (!(error instanceof ValidationFailure)) throw error
    throw new ValidationFailure(error.details.map((detail) => ({ ...detail, loc: placeInRequest(detail.loc, body) })))
  }
}

/** The conversation that a request continues. */
async function previous(
  { db }: Pick<TurnParts, 'db'>,
  of: { workspaceId: string; id: string; chat: Parameters<typeof acceptTurn>[1]['body'] },
) {
  const { workspaceId } = of
  const id = executionOfResponse(of.id)
  const turn = id === undefined ? undefined : (await findTurns(db, { workspaceId, ids: [id] })).get(id)
  if (turn && !hasEnded(turn.status))
    throw new Fault(
      'invalid',
      'previous_response_not_completed',
      `The response ${JSON.stringify(of.id)} has not ended; wait until it is completed`,
    )
  const found = id === undefined ? undefined : await continueTurn(db, { workspaceId, id, messages: of.chat.messages })
  if (!found)
    throw new Fault(
      'missing',
      'previous_response_not_found',
      `There is no response ${JSON.stringify(of.id.slice(0, 200))} to go on with: it is unknown, failed or was not stored`,
    )
  return found
}

/** A response of the workspace with its request; Fault `missing` for an unknown one or one without content. */
async function load(
  db: Db,
  of: { workspaceId: string; id: string },
): Promise<{ execution: Execution; echo: JsonObject; turn: TurnState }> {
  const { workspaceId } = of
  const id = executionOfResponse(of.id)
  const execution = id === undefined ? undefined : await findOriginal(db, { workspaceId, id })
  const turn = execution && (await findTurns(db, { workspaceId, ids: [execution.id] })).get(execution.id)
  const { api, ...echo } = execution?.request.chat?.echo ?? {}
  if (!execution || !turn || turn.isForgotten || api !== 'responses')
    throw new Fault('missing', 'response_not_found', `Response with id ${JSON.stringify(of.id)} not found`)
  return { execution, echo, turn }
}

const retrieveQuery = z.object({
  stream: queryBoolean(false, 'Replays the response as server-sent events, and follows it to its end'),
  starting_after: optionalQueryInteger(
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    'With `stream=true`: sends the events after this `sequence_number`; only for responses in the background',
  ),
  include_obfuscation: unsupported('the stream has no obfuscation', ['false']),
  include: unsupported('everything is included; leave include out'),
  'include[]': unsupported('everything is included; leave include out'),
})

function getRoute(parts: ResponsesParts): Route {
  const path = `${base}/{id}`
  return route({
    method: 'get',
    path,
    operation: 'getResponse',
    tag: 'openai',
    scope: 'read',
    summary: 'Retrieve a response, also while it runs',
    params: byId,
    query: retrieveQuery,
    reply: reply('The response; with `stream=true`, server-sent events'),
    failures: [404],
    handle: async ({ db, caller, params, query, signal }): Promise<Reply<ResponseObject | FailureBody>> => {
      const { workspaceId } = caller
      const { execution, echo, turn } = await load(db, { workspaceId, id: params.id })
      const startingAfter = query.starting_after
      if (startingAfter !== undefined) refuseStartingAfter({ isStreamed: query.stream, echo })
      if (!query.stream) return { json: responseOf(turn, echo) }
      const place = { workspaceId, id: execution.id }
      const awaited = awaitTurn({ ...parts, db }, place, { waitMs: parts.chatWaitMs, signal, goesOn: true })
      return { stream: streamResponse({ ...awaited, turn, echo, path, startingAfter }), headers: eventStreamHeaders }
    },
  })
}

function refuseStartingAfter({ isStreamed, echo }: { isStreamed: boolean; echo: JsonObject }): void {
  const place = ['query', 'starting_after']
  if (!isStreamed) throw invalid(place, 'starting_after needs stream=true')
  if (echo['background'] !== true)
    throw invalid(place, 'Only a response that was created with background: true is streamed from the middle')
}

function cancelRoute(parts: ResponsesParts): Route {
  return route({
    method: 'post',
    path: `${base}/{id}/cancel`,
    operation: 'cancelResponse',
    tag: 'openai',
    scope: 'execute',
    summary: 'Cancel a response; does nothing if it has ended',
    params: byId,
    reply: reply('The response'),
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const { workspaceId } = caller
      const found = await load(db, { workspaceId, id: params.id })
      const place = { workspaceId, id: found.execution.id }
      if (!hasEnded(found.turn.status)) await endUnlessEnded({ ...parts, db }, place)
      return { json: await stateOf(db, place, found) }
    },
  })
}

async function endUnlessEnded(parts: TurnParts, place: { workspaceId: string; id: string }): Promise<void> {
  await cancel(parts, place).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.kind !== 'conflict') throw error
  })
}

function deleteRoute(parts: ResponsesParts): Route {
  return route({
    method: 'delete',
    path: `${base}/{id}`,
    operation: 'deleteResponse',
    tag: 'openai',
    scope: 'execute',
    summary: 'Delete the content of a response, and cancel it if it is running. Its cost stays in the execution record',
    params: byId,
    reply: {
      status: 200,
      description: 'The deletion',
      schema: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
    },
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const { workspaceId } = caller
      const { execution, turn } = await load(db, { workspaceId, id: params.id })
      const { isRetained } = execution
      const place = { workspaceId, id: execution.id }
      if (!hasEnded(turn.status)) await endUnlessEnded({ ...parts, db }, place)
      const purge = () =>
        purgeExecution(db, { ...place, isRetained, now: parts.clock.now(), olderThan: null }, forgetElsewhere)
      // It may have failed and be resumed meanwhile. Once cancelled, it can no longer be resumed.
      while (!(await purge())) await endUnlessEnded({ ...parts, db }, place)
      return { json: { id: responseId(execution.id), object: 'response' as const, deleted: true as const } }
    },
  })
}

const itemsQuery = z.object({
  limit: queryInteger({ min: 1, max: 100, fallback: 20 }, 'Maximum number of items to return'),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().max(200).optional().describe('The id of the last item that was already seen'),
  include: unsupported('everything is included; leave include out'),
  'include[]': unsupported('everything is included; leave include out'),
})

function inputItemsRoute(): Route {
  return route({
    method: 'get',
    path: `${base}/{id}/input_items`,
    operation: 'listResponseInputItems',
    tag: 'openai',
    scope: 'read',
    summary: 'List the input items of a response: the conversation up to it, without its instructions',
    params: byId,
    query: itemsQuery,
    reply: {
      status: 200,
      description: 'The items',
      schema: z.object({
        object: z.literal('list'),
        data: z.array(z.looseObject({})),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    failures: [404],
    handle: async ({ db, caller, params, query }) => {
      const { execution } = await load(db, { workspaceId: caller.workspaceId, id: params.id })
      const items = inputItemsOf(execution)
      const ordered = query.order === 'asc' ? items : items.toReversed()
      const from = query.after === undefined ? 0 : ordered.findIndex((item) => item['id'] === query.after) + 1
      const data = ordered.slice(from, from + query.limit)
      return {
        json: {
          object: 'list' as const,
          data,
          first_id: idOf(data[0]),
          last_id: idOf(data.at(-1)),
          has_more: from + data.length < ordered.length,
        },
      }
    },
  })
}

const idOf = (item: JsonObject | undefined): string | null => (item ? String(item['id']) : null)
