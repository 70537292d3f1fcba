import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { moment } from '../../adapters/http/query.ts'
import { eventStreamHeaders } from '../../adapters/http/reply.ts'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { microsOf } from '../../core/money.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import type { CreateParts } from './accept/accept.ts'
import { createExecution } from './accept/create.ts'
import { ignoredInBody } from './accept/ignored.ts'
import { rerunExecution } from './accept/rerun.ts'
import { cancel, pause, resume, resumeMany } from './control.ts'
import type { ExecutionState } from './execution.ts'
import type { EventStreams } from './follow/event-stream.ts'
import { nothingSeen, parseEventId, readEvents } from './follow/events.ts'
import { waitForEnd } from './follow/wait-for-end.ts'
import { type Endings, workspaceKey } from './follow/waiting.ts'
import { listExecutions } from './list.ts'
import { recordOf, shapedRecord, stepOf } from './present.ts'
import { readOnce, withoutAnswer } from './retention.ts'
import { loadExecution } from './store/find-execution.ts'
import { listSteps } from './store/steps.ts'
import { eventsQuery, listQuery, resumedMany, resumeManyRequest, resumeRequest } from './wire/query.ts'
import { type ExecutionRecord, eventList, executionRecord, listedExecution, stepList } from './wire/record.ts'
import { executeRequest } from './wire/request.ts'

export interface ExecutionRouteParts extends Omit<CreateParts, 'db'> {
  readonly endings: Endings
  readonly eventStreams: EventStreams
  /** Public scheme and host of this server; undefined: take them from the request. */
  readonly publicUrl: string | undefined
  /** Longest wait of a `batch: false` call, in milliseconds. */
  readonly syncWaitMs: number
}

const byId = z.object({ id: z.string() })
const record = { description: 'The execution', schema: executionRecord }

/** Executes agents and reads executions back. */
export function executionRoutes(parts: ExecutionRouteParts): Route[] {
  return [
    executeRoute(parts),
    findRoute(parts),
    listRoute(),
    stepsRoute(),
    eventsRoute(parts),
    changesRoute(parts),
    controlRoute(parts, { verb: 'cancel', does: cancel, summary: 'Cancel an execution' }),
    controlRoute(parts, {
      verb: 'pause',
      does: pause,
      summary: 'Pause an execution after its current step',
    }),
    resumeRoute(parts),
    resumeManyRoute(parts),
    rerunRoute(parts),
  ]
}

function executeRoute(parts: ExecutionRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/execute',
    operation: 'executeAgent',
    tag: 'executions',
    scope: 'execute',
    summary: 'Execute an agent on inputs; with `batch: false` the reply waits for the end',
    body: executeRequest,
    reply: { status: 201, ...record },
    failures: [404, 409],
    handle: async ({ db, caller, body, sentBody, headers, origin: reached, signal }) => {
      const ignored = ignoredInBody(sentBody)
      const idempotencyKey = idempotencyKeyOf(headers)
      const origin = parts.publicUrl ?? reached
      const created = await createExecution({ ...parts, db }, { caller, body, ignored, idempotencyKey, origin, signal })
      return replyToCreated({ ...parts, db }, created, { waits: body.batch === false, headers, signal })
    },
  })
}

/** The reply to a request that created an execution, at its end if the caller waits for that. */
export async function replyToCreated(
  parts: ExecutionRouteParts & { readonly db: Db },
  created: ExecutionState,
  of: { waits: boolean; headers: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<Reply<ExecutionRecord>> {
  parts.endings.wake(workspaceKey(created.workspaceId))
  const wait = { waitMs: parts.syncWaitMs, signal: of.signal }
  const execution = of.waits ? await waitForEnd(parts, created, wait) : created
  const json = shapedRecord(recordOf(await readOnce(parts, execution)), of.headers)
  return { json, about: { execution: created.id } }
}

function rerunRoute(parts: ExecutionRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/executions/{id}/rerun',
    operation: 'rerunExecution',
    tag: 'executions',
    scope: 'execute',
    summary:
      'Run the request of an execution again as a new execution; fields of the body replace those of the original request',
    params: byId,
    body: executeRequest.nullish(),
    reply: { status: 201, ...record },
    failures: [404, 409],
    handle: async ({ db, caller, params, body: given, sentBody, headers, origin: reached, signal }) => {
      const body = given ?? {}
      const ignored = ignoredInBody(sentBody)
      const idempotencyKey = idempotencyKeyOf(headers)
      const origin = parts.publicUrl ?? reached
      const created = await rerunExecution(
        { ...parts, db },
        { caller, id: params.id, body, ignored, idempotencyKey, origin, signal },
      )
      return replyToCreated({ ...parts, db }, created, { waits: body.batch === false, headers, signal })
    },
  })
}

function controlRoute(
  parts: ExecutionRouteParts,
  control: { verb: 'cancel' | 'pause'; does: typeof cancel; summary: string },
): Route {
  return route({
    method: 'post',
    path: `/v1/agent/executions/{id}/${control.verb}`,
    operation: `${control.verb}Execution`,
    tag: 'executions',
    scope: 'execute',
    summary: control.summary,
    params: byId,
    reply: { status: 200, ...record },
    failures: [404, 409],
    handle: async ({ db, caller, params, headers }) => ({
      json: shapedRecord(
        recordOf(await control.does({ ...parts, db }, { workspaceId: caller.workspaceId, id: params.id })),
        headers,
      ),
    }),
  })
}

function resumeRoute(parts: ExecutionRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/executions/{id}/resume',
    operation: 'resumeExecution',
    tag: 'executions',
    scope: 'execute',
    summary:
      'Let an execution go on from its transcript that is paused, or that failed as poison, timeout or provider_…, with another max_cost_dollars where one is given',
    params: byId,
    body: resumeRequest,
    reply: { status: 200, ...record },
    failures: [404, 409],
    handle: async ({ db, caller, params, body, headers }) => {
      const maxCostMicros = microsOf(body?.max_cost_dollars ?? null)
      const resumed = await resume({ ...parts, db }, { workspaceId: caller.workspaceId, id: params.id, maxCostMicros })
      return { json: shapedRecord(recordOf(resumed), headers) }
    },
  })
}

function resumeManyRoute(parts: ExecutionRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/executions/resume',
    operation: 'resumeExecutions',
    tag: 'executions',
    scope: 'execute',
    summary: 'Resume executions that are paused or failed with poison, timeout or provider_…, by ids or by a filter',
    body: resumeManyRequest,
    reply: { status: 200, description: 'How many were resumed, and which were not', schema: resumedMany },
    handle: async ({ db, caller: { workspaceId }, body }) => {
      const { ids, filter: query } = body
      if (!query) return { json: await resumeMany({ ...parts, db }, { workspaceId, ids: ids ?? [] }) }
      const after = query.cursor === undefined ? null : parseCursor(query.cursor)
      const { executions } = await listExecutions(db, { workspaceId, query, after, isResumable: true })
      return { json: await resumeMany({ ...parts, db }, { workspaceId, ids: executions.map(({ id }) => id) }) }
    },
  })
}

function eventsRoute({ eventStreams }: ExecutionRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}/events',
    operation: 'listExecutionEvents',
    tag: 'executions',
    scope: 'read',
    summary:
      'Stream the events of an execution as server-sent events until its end, or list them as JSON with Accept: application/json',
    params: byId,
    query: eventsQuery,
    reply: {
      status: 200,
      description: 'The events after the Last-Event-ID (or `after`), oldest first',
      schema: eventList,
      contentType: 'text/event-stream',
    },
    failures: [404],
    handle: async ({ db, caller, params, query, headers, signal }) => {
      const { workspaceId, id } = await loadExecution({ db }, { workspaceId: caller.workspaceId, id: params.id })
      // A malformed event id starts the stream from the beginning.
      const seen = parseEventId(headers['last-event-id'] ?? query.after ?? '') ?? nothingSeen
      const accepted = headers['accept'] ?? ''
      if (accepted.includes('application/json') && !accepted.includes('text/event-stream')) {
        const read = await readEvents(db, { workspaceId, id }, seen)
        return { json: (read?.events ?? []).slice(0, query.limit).map((event) => event.record) }
      }
      return {
        stream: eventStreams.open({ workspaceId, id }, seen, signal),
        headers: eventStreamHeaders,
      }
    },
  })
}

function changesRoute({ eventStreams }: ExecutionRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/agent/events',
    operation: 'followExecutions',
    tag: 'executions',
    scope: 'read',
    summary:
      'Stream a server-sent event whenever an execution of this workspace is created, starts or ends; then reload the list',
    reply: { status: 200, description: 'An event `changed`, at most three a second', contentType: 'text/event-stream' },
    handle: async ({ caller, signal }) => ({
      stream: eventStreams.openList(caller.workspaceId, signal),
      headers: eventStreamHeaders,
    }),
  })
}

function findRoute(parts: ExecutionRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}',
    operation: 'getExecution',
    tag: 'executions',
    scope: 'read',
    summary: 'Read an execution',
    params: byId,
    reply: { status: 200, ...record },
    failures: [404],
    handle: async ({ db, caller, params, headers }) => {
      const execution = await loadExecution({ db }, { workspaceId: caller.workspaceId, id: params.id })
      return { json: shapedRecord(recordOf(await readOnce({ ...parts, db }, execution)), headers) }
    },
  })
}

function stepsRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}/steps',
    operation: 'listExecutionSteps',
    tag: 'executions',
    scope: 'read',
    summary: 'Get the steps of an execution, with price and time of each',
    params: byId,
    reply: { status: 200, description: 'The steps, oldest first', schema: stepList },
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const execution = await loadExecution({ db }, { workspaceId: caller.workspaceId, id: params.id })
      return { json: (await listSteps(db, execution)).map(stepOf) }
    },
  })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions',
    operation: 'listExecutions',
    tag: 'executions',
    scope: 'read',
    summary: 'List the executions of this workspace, newest first',
    query: listQuery,
    reply: {
      status: 200,
      description: 'The executions; the Link header has the URL of the next page',
      schema: z.array(listedExecution),
    },
    handle: async ({ db, caller, query, headers }) => {
      const after = query.cursor === undefined ? null : parseCursor(query.cursor)
      const { executions, next } = await listExecutions(db, { workspaceId: caller.workspaceId, query, after })
      return {
        json: executions.map((execution) => ({
          ...shapedRecord(recordOf(withoutAnswer(execution)), headers),
          file_names: execution.fileNames,
          evaluation_id: execution.evaluationId,
        })),
        ...(next ? { headers: { Link: `<${nextPage(query, next)}>; rel="next"` } } : {}),
      }
    },
  })
}

/** A cursor is the creation time and id of the last execution seen, so pages neither miss nor repeat one. */
function nextPage(query: Readonly<Record<string, unknown>>, last: Pick<ExecutionState, 'createdAt' | 'id'>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && name !== 'skip' && name !== 'cursor')
      params.set(name, value instanceof Date ? value.toISOString() : String(value))
  params.set('cursor', `${last.createdAt.toISOString()}_${last.id}`)
  return `/v1/agent/executions?${params}`
}

function parseCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = '', ...rest] = cursor.split('_')
  const createdAt = moment().safeParse(time).data
  // Compare with the canonical form, so that each cursor has only one spelling.
  if (!createdAt || createdAt.toISOString() !== time || !isId(id) || rest.length > 0)
    throw invalid(['query', 'cursor'], 'Input should be a cursor from the Link header of an earlier page', {
      input: cursor,
    })
  return { createdAt, id }
}
