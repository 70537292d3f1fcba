import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { follow } from '../../core/deadline.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { isDiskFull } from '../blobs/blobs.ts'
import type { Db } from '../db/db.ts'
import { readJson } from './body.ts'
import { type CallerParts, callerOf, watchCaller } from './caller.ts'
import { type Connections, followConnections } from './connections.ts'
import { expectationFailure, failureBody, invalidStatusOf, refusesUnknownQuery } from './failure-form.ts'
import { bugSentence, retryAfterSeconds, statusOf } from './faults.ts'
import { ignoredHeader, refuseUnknownQuery } from './ignored-fields.ts'
import { inTurn } from './in-turn.ts'
import { networkOf } from './network.ts'
import { hasTwoHosts, originOf } from './origin.ts'
import { capitaliseHeaderNames, writeReply } from './reply.ts'
import type { Caller, Reply, Route } from './route.ts'
import type { StallBounds } from './stall.ts'
import { queryOf, refuseBadPath } from './url.ts'
import { parsePart, ValidationFailure } from './validation.ts'

type Bindings = { Bindings: { incoming: IncomingMessage; outgoing: ServerResponse } }

/** Dependencies of the HTTP server. */
export interface HttpParts extends CallerParts {
  readonly routes: readonly Route[]
  /** Sees every workspace; a handler gets it confined to the workspace of its caller. */
  readonly db: Db
  readonly log: Log
  /** Called when a request starts; the returned function is called with the status after the reply was written. */
  readonly follow?: (route: Route, requestId: string) => (status: number, about?: Reply['about']) => void
  /** Timeouts for JSON bodies; default: those of the limits. */
  readonly bodyBounds?: StallBounds
}

/** A listening server. */
export interface HttpServer {
  readonly url: string
  /** Accepts no new connections, waits for open requests until `signal` aborts, then closes their connections. */
  close(signal: AbortSignal): Promise<void>
}

/** Serves the routes on `host:port` (port 0: a free one). Rejects when the port is not available. */
export async function serveHttp(parts: HttpParts, address: { host: string; port: number }): Promise<HttpServer> {
  const stopping = new AbortController()
  const app = appOf(parts, stopping.signal)
  const serve = async (request: Request, env: Bindings['Bindings']): Promise<Response> => {
    const response = await app.fetch(request, env)
    // For HEAD the framework wraps our response in its own, although it was already written.
    return env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : response
  }
  const listener = getRequestListener((request, env) => serve(request, env as Bindings['Bindings']), {
    errorHandler: (error) => replyOutsideRoutes(error, parts.log),
    // `writeReply` reads the rest of a body.
    autoCleanupIncoming: false,
  })
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      requestTimeout: 0,
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      // Checked by the listener, so that the rejection has the usual format.
      requireHostHeader: false,
    },
    inTurn((incoming, outgoing) => {
      capitaliseHeaderNames(outgoing)
      if (hasTwoHosts(incoming)) refuseTwoHosts(incoming, outgoing)
      else void listener(incoming, outgoing)
    }, refuseMore),
  )
  server.on('checkExpectation', refuseExpectation)
  const connections = followConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return { url: `http://${host}:${port}`, close: (signal) => closeServer({ server, connections, stopping }, signal) }
}

async function closeServer(
  { server, connections, stopping }: { server: Server; connections: Connections; stopping: AbortController },
  signal: AbortSignal,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.endIdle()
  stopping.abort(new Fault('unavailable', 'stopping', 'The server is stopping'))
  signal.addEventListener('abort', () => server.closeAllConnections(), { once: true })
  if (signal.aborted) server.closeAllConnections()
  await closed
}

function appOf(parts: HttpParts, stopping: AbortSignal): Hono<Bindings> {
  const app = new Hono<Bindings>({ strict: false })
  const methods = new Map<string, string[]>()
  for (const route of parts.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()])
    app.on(route.method.toUpperCase(), path, (context) => serveRoute(route, context, parts, stopping))
  }
  const answer = async (context: Context<Bindings>, reply: Reply & { status: number }): Promise<Response> => {
    await writeReply(context.env, reply, { requestId: newRandomId(), stopping })
    return RESPONSE_ALREADY_SENT
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      const detail = `${context.req.method} is not allowed here; allowed: ${allowed.join(', ')}`
      const json = failureBody(context.req.path, { status: 405, code: 'not_allowed', message: detail })
      return answer(context, { status: 405, json, headers: { Allow: allowed.join(', ') } })
    })
  }
  app.onError((error, context) => {
    parts.log.error({ error }, 'internal error while replying')
    const json = failureBody(context.req.path, { status: 500, code: 'internal', message: bugSentence })
    if (!context.env.outgoing.headersSent) return answer(context, { status: 500, json })
    // Part of the reply is sent: only closing the connection shows the client that it is incomplete.
    context.env.outgoing.destroy()
    return RESPONSE_ALREADY_SENT
  })
  app.notFound((context) => {
    const address = `${context.req.method} ${context.req.path.slice(0, 200)}`
    const message = `There is no route ${address}; GET /openapi.json lists them`
    const json = failureBody(context.req.path, { status: 404, code: 'unknown_route', message })
    return answer(context, { status: 404, json })
  })
  return app
}

const noQuery = z.object({})

async function serveRoute(
  route: Route,
  context: Context<Bindings>,
  parts: HttpParts,
  stopping: AbortSignal,
): Promise<Response> {
  const requestId = newRandomId()
  const replied = parts.follow?.(route, requestId)
  const { incoming, outgoing } = context.env
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Fault('unavailable', 'client_gone', 'The client disconnected'))
  })
  const headers: Record<string, string> = {}
  const end = { requestId, stopping }
  let about: Reply['about']
  let stopWatching = () => {}
  const unfollow = follow(stopping, gone)
  try {
    const { signal } = gone
    const caller = await callerOf(parts, { route, incoming }, headers)
    stopWatching = watchCaller(parts, { route, caller }, (reason) => gone.abort(reason))
    const sent = { path: context.req.param(), query: queryOf(incoming.url ?? '') }
    refuseBadPath(incoming.url ?? '', sent.path)
    refuseEncodedBody(incoming, headers)
    const params = route.params ? parsePart(route.params, sent.path, 'path') : {}
    const query = route.query ? parsePart(route.query, sent.query, 'query') : {}
    if (refusesUnknownQuery(route.path)) refuseUnknownQuery(route.query ?? noQuery, sent.query)
    const bounds = parts.bodyBounds ?? { idleMs: limits.jsonBodyIdleMs, wallMs: limits.jsonBodyWallMs }
    const isJson = typeof route.body === 'object'
    const sentBody = isJson
      ? await readJson({ stream: incoming, headers: incoming.headers, signal, bounds })
      : undefined
    const body = typeof route.body === 'object' ? parsePart(route.body, sentBody, 'body') : undefined
    const ignored = ignoredHeader([
      { part: 'query', schema: route.query ?? noQuery, sent: sent.query },
      { part: 'body', schema: isJson ? (route.body as z.ZodType) : undefined, sent: sentBody },
    ])
    if (ignored !== undefined) headers['X-Ignored-Fields'] = ignored
    const reply = await route.handle({
      caller: caller as Caller,
      db: caller ? parts.db.within(caller.workspaceId) : parts.db,
      params,
      query,
      body,
      sentBody,
      requestId,
      stream: incoming,
      headers: incoming.headers as Record<string, string | undefined>,
      origin: originOf(incoming),
      network: (parts.networkOf ?? networkOf)(incoming),
      signal,
    })
    about = reply.about
    const status = reply.status ?? route.reply.status
    await writeReply(context.env, { ...reply, status, headers: { ...headers, ...reply.headers } }, end)
  } catch (error) {
    await writeReply(context.env, failureReply(error, { requestId, route, log: parts.log }, headers), end)
  } finally {
    stopWatching()
    unfollow()
  }
  replied?.(outgoing.statusCode, about)
  return RESPONSE_ALREADY_SENT
}

/** Compressed bodies are rejected: unpacking could turn a small request into a large one. */
function refuseEncodedBody(
  { headers: { 'content-encoding': encoding } }: IncomingMessage,
  headers: Record<string, string>,
) {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  headers['Accept-Encoding'] = 'identity'
  throw new Fault(
    'unsupported',
    'encoded_body',
    `Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not supported: send the body uncompressed; a file may itself be a zip or gzip archive`,
  )
}

/** Answers 429 on a connection with too many pipelined requests. */
function refuseMore(incoming: IncomingMessage, outgoing: ServerResponse): void {
  capitaliseHeaderNames(outgoing)
  const message = `This connection sent more than ${limits.waitingPerConnection} requests ahead; wait for replies before sending more`
  const json = failureBody(incoming.url ?? '', { status: 429, code: 'too_many_ahead', message })
  const headers = { 'Retry-After': String(retryAfterSeconds), Connection: 'close' }
  const end = { requestId: newRandomId(), stopping: AbortSignal.abort() }
  void writeReply({ incoming, outgoing }, { status: 429, json, headers }, end)
}

function refuseTwoHosts(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const message = 'The request has more than one Host header; send one'
  const json = failureBody(incoming.url ?? '', { status: 400, code: 'two_hosts', message })
  const end = { requestId: newRandomId(), stopping: AbortSignal.abort() }
  void writeReply({ incoming, outgoing }, { status: 400, json, headers: { Connection: 'close' } }, end)
}

function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  capitaliseHeaderNames(outgoing)
  const json = failureBody(incoming.url ?? '', expectationFailure)
  const end = { requestId: newRandomId(), stopping: AbortSignal.abort() }
  void writeReply({ incoming, outgoing }, { status: 417, json, headers: { Connection: 'close' } }, end)
}

/** The reply to a request that did not reach a route: it has no valid address, or an internal error occurred. */
function replyOutsideRoutes(error: unknown, log: Log): Response {
  const isTheirs = error instanceof RequestError
  const requestId = newRandomId()
  if (!isTheirs) log.error({ requestId, error }, 'internal error')
  const detail = isTheirs
    ? 'The address of the request is not valid: it needs one Host header and a path that begins with /'
    : bugSentence
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId, Connection: 'close' }
  return new Response(JSON.stringify({ detail }), { status: isTheirs ? 400 : 500, headers })
}

function failureReply(
  failure: unknown,
  where: { requestId: string; route: Route; log: Log },
  headers: Record<string, string>,
): Reply & { status: number } {
  const { path } = where.route
  const isFull = isDiskFull(failure)
  if (isFull)
    where.log.error(
      { requestId: where.requestId, operation: where.route.operation, error: failure },
      'the disk is full',
    )
  const error = isFull ? diskFull(failure) : failure
  if (error instanceof ValidationFailure) {
    const status = invalidStatusOf(path)
    const failure = { status, code: 'validation', message: error.message, details: error.details }
    return { status, json: failureBody(path, failure), headers }
  }
  if (error instanceof Fault) {
    const status = statusOf[error.kind]
    if ((status === 429 || status === 503) && !headers['Retry-After'])
      headers['Retry-After'] = String(retryAfterSeconds)
    if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
    return { status, json: failureBody(path, { status, code: error.code, message: error.message }), headers }
  }
  where.log.error({ requestId: where.requestId, operation: where.route.operation, error }, 'internal error')
  return { status: 500, json: failureBody(path, { status: 500, code: 'internal', message: bugSentence }), headers }
}

/** A route could not write to the disk. */
const diskFull = (cause: unknown): Fault =>
  new Fault('unavailable', 'storage_full', "The server's disk is full; the request needs space on it", { cause })
