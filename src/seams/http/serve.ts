import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { Fault } from '../../kit/fault.ts'
import { newRandomId } from '../../kit/ids.ts'
import type { Log } from '../../kit/log.ts'
import { readJson } from './body.ts'
import { bugSentence, retryAfterSeconds, statusOf } from './faults.ts'
import type { RateLimit } from './rate.ts'
import type { Caller, Reply, Route } from './route.ts'
import { parsePart, ValidationFailure } from './validation.ts'

type Bindings = { Bindings: { incoming: IncomingMessage; outgoing: ServerResponse } }

/** What the HTTP seam needs of the rest of the house. */
export interface HttpParts {
  readonly routes: readonly Route[]
  /** The caller whose key this is, or undefined for a key that is unknown, expired or revoked. */
  readonly authenticate: (key: string) => Promise<Caller | undefined>
  readonly rate: RateLimit
  readonly log: Log
  /** Turns a record into the shape that the calling client can read; see `X-Response-Shape`. */
  readonly shape?: (json: unknown, headers: Readonly<Record<string, string | undefined>>) => unknown
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string
  /** Takes no new connection, lets the open requests end until `signal` aborts, then cuts them. */
  close(signal: AbortSignal): Promise<void>
}

/** Serves the routes on `host:port` (port 0 takes a free one). Rejects when the port cannot be had. */
export async function serveHttp(parts: HttpParts, address: { host: string; port: number }): Promise<HttpServer> {
  const stopping = new AbortController()
  const listener = getRequestListener(appOf(parts, stopping.signal).fetch)
  const server = createServer(
    { maxHeaderSize: 16 * 1024, requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (incoming, outgoing) => {
      capitaliseHeaderNames(outgoing)
      void listener(incoming, outgoing)
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return { url: `http://${host}:${port}`, close: (signal) => closeServer(server, stopping, signal) }
}

async function closeServer(server: Server, stopping: AbortController, signal: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  stopping.abort(new Fault('unavailable', 'stopping', 'The server is stopping'))
  signal.addEventListener('abort', () => server.closeAllConnections(), { once: true })
  if (signal.aborted) server.closeAllConnections()
  await closed
}

/** One client copies headers into a case-sensitive map and reads `Content-Type`: names go out capitalised. */
function capitaliseHeaderNames(outgoing: ServerResponse): void {
  const capitalised = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  const setHeader = outgoing.setHeader.bind(outgoing)
  outgoing.setHeader = (name, value) => setHeader(capitalised(name), value)
  const writeHead = outgoing.writeHead.bind(outgoing) as (status: number, ...rest: unknown[]) => ServerResponse
  outgoing.writeHead = ((status: number, ...rest: unknown[]) => {
    const headers = rest.at(-1)
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) {
      rest[rest.length - 1] = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [capitalised(name), value]),
      )
    }
    return writeHead(status, ...rest)
  }) as typeof outgoing.writeHead
}

function appOf(parts: HttpParts, stopping: AbortSignal): Hono<Bindings> {
  const app = new Hono<Bindings>({ strict: false })
  const methods = new Map<string, string[]>()
  for (const route of parts.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()])
    app.on(route.method.toUpperCase(), path, (context) => serveRoute(route, context, parts, stopping))
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      const detail = `${context.req.method} is not allowed here; allowed: ${allowed.join(', ')}`
      return send(context, { status: 405, json: { detail }, headers: { Allow: allowed.join(', ') } }, newRandomId())
    })
  }
  app.notFound((context) =>
    send(
      context,
      {
        status: 404,
        json: {
          detail: `There is no route ${context.req.method} ${context.req.path.slice(0, 200)}; GET /openapi.json lists them`,
        },
      },
      newRandomId(),
    ),
  )
  return app
}

async function serveRoute(
  route: Route,
  context: Context<Bindings>,
  parts: HttpParts,
  stopping: AbortSignal,
): Promise<Response> {
  const requestId = newRandomId()
  const { incoming, outgoing } = context.env
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Fault('unavailable', 'client_gone', 'The client went away'))
  })
  const headers: Record<string, string> = {}
  try {
    const caller = await callerOf(route, incoming, parts, headers)
    const params = route.params ? parsePart(route.params, context.req.param(), 'path') : {}
    const query = route.query ? parsePart(route.query, context.req.query(), 'query') : {}
    const body =
      typeof route.body === 'object'
        ? parsePart(route.body, await readJson(incoming, incoming.headers['content-type']), 'body')
        : undefined
    const reply = await route.handle({
      caller: caller as Caller,
      params,
      query,
      body,
      requestId,
      stream: incoming,
      headers: incoming.headers as Record<string, string | undefined>,
      signal: AbortSignal.any([gone.signal, stopping]),
    })
    const json =
      parts.shape && reply.json !== undefined
        ? parts.shape(reply.json, incoming.headers as Record<string, string | undefined>)
        : reply.json
    return await send(
      context,
      { ...reply, status: reply.status ?? route.reply.status, json, headers: { ...headers, ...reply.headers } },
      requestId,
    )
  } catch (error) {
    return send(context, failureReply(error, { requestId, route, log: parts.log }, headers), requestId)
  }
}

async function callerOf(
  route: Route,
  incoming: IncomingMessage,
  parts: HttpParts,
  headers: Record<string, string>,
): Promise<Caller | undefined> {
  if (route.scope === 'public') return undefined
  const shown = incoming.headersDistinct['authorization'] ?? []
  if (shown.length > 1)
    throw new Fault('unauthenticated', 'two_keys', 'The request has more than one Authorization header; send one')
  const key = /^Bearer +(\S+)$/i.exec(shown[0] ?? '')?.[1]
  if (!key) throw new Fault('unauthenticated', 'no_key', 'This route needs the header Authorization: Bearer <key>')
  const caller = await parts.authenticate(key)
  if (!caller) throw new Fault('unauthenticated', 'bad_key', 'The key is not valid: it is unknown, expired or revoked')
  const rate = parts.rate.count(caller.keyId)
  headers['X-RateLimit-Limit'] = String(rate.limit)
  headers['X-RateLimit-Remaining'] = String(rate.remaining)
  headers['X-RateLimit-Reset'] = String(rate.resetSeconds)
  if (rate.exceeded) {
    headers['Retry-After'] = String(rate.resetSeconds)
    throw new Fault('limited', 'rate_limited', `More than ${rate.limit} requests a minute with this key`)
  }
  if (route.scope !== 'any' && !caller.scopes.includes(route.scope) && !caller.scopes.includes('admin')) {
    throw new Fault(
      'forbidden',
      'scope_missing',
      `This route needs a key with the scope ${route.scope}; this one has ${caller.scopes.join(', ') || 'none'}`,
    )
  }
  return caller
}

function failureReply(
  error: unknown,
  where: { requestId: string; route: Route; log: Log },
  headers: Record<string, string>,
): Reply {
  if (error instanceof ValidationFailure) return { status: 422, json: { detail: error.details }, headers }
  if (error instanceof Fault) {
    const status = statusOf[error.kind]
    if ((status === 429 || status === 503) && !headers['Retry-After'])
      headers['Retry-After'] = String(retryAfterSeconds)
    return { status, json: { detail: error.message }, headers }
  }
  where.log.error({ requestId: where.requestId, operation: where.route.operation, error }, 'a request met a bug')
  return { status: 500, json: { detail: bugSentence }, headers }
}

async function send(
  context: Context<Bindings>,
  reply: Reply & { status?: number },
  requestId: string,
): Promise<Response> {
  const { incoming, outgoing } = context.env
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
  }
  if (
    !incoming.complete &&
    incoming.headers['content-length'] !== '0' &&
    incoming.method !== 'GET' &&
    incoming.method !== 'HEAD'
  )
    headers['Connection'] = 'close'
  if (reply.stream) {
    outgoing.writeHead(reply.status ?? 200, headers)
    // A client that goes away in the middle is its own affair; the stream is destroyed either way.
    await pipeline(reply.stream, outgoing).catch(() => undefined)
    return RESPONSE_ALREADY_SENT
  }
  const payload = Buffer.from(JSON.stringify(reply.json ?? null))
  outgoing.writeHead(reply.status ?? 200, {
    'Content-Type': 'application/json',
    'Content-Length': String(payload.length),
    ...headers,
  })
  outgoing.end(incoming.method === 'HEAD' ? undefined : payload)
  if (headers['Connection'] === 'close') discardRest(incoming)
  return RESPONSE_ALREADY_SENT
}

/** Lets a client that is still sending read the reply before the connection goes, but not for ever. */
function discardRest(incoming: IncomingMessage): void {
  const patienceMs = 2_000
  incoming.resume()
  setTimeout(() => incoming.destroy(), patienceMs).unref()
}
