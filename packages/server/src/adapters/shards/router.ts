import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { newRandomId } from '@skillrun/core/ids.ts'
import type { Log } from '../../core/log.ts'
import { keyIn } from '../http/caller.ts'
import { followConnections } from '../http/connections.ts'
import { expectationFailure, type Failure, failureBody } from '../http/failure-form.ts'
import { retryAfterSeconds } from '../http/faults.ts'
import { inTurn } from '../http/in-turn.ts'
import { type Knowledge, makeShardFinder, type Shard } from './find-shard.ts'

/** A router that listens. */
export interface Router {
  readonly url: string
  /** Accepts no new connections, waits for open requests until `signal` aborts, then closes their connections. */
  stop(signal: AbortSignal): Promise<void>
}

/** A shard that has not answered whether it knows a key counts as silent. */
const askMs = 3_000
const connectMs = 5_000
/** Less than a server keeps an idle connection, so that no request is sent on one that is closing. */
const idleMs = 30_000

/** Headers of one connection (RFC 9110 section 7.6.1). */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect'],
])
const cookieHeaders = new Set(['cookie', 'set-cookie'])
/** The cookie of a browser whose person chose a shard, and how long it is kept. */
const choice = { name: 'skillrun-shard', seconds: 365 * 24 * 60 * 60 }

/**
 * Serves several shards under one address: each request goes to the shard that knows its key, with its body and its reply passed through as
 * they come. A path below `/shards/NAME` goes to that shard: signed URLs, which need no key. `/shards/NAME/` chooses the shard for people: their
 * browser's requests without a key go there, with their cookies. Other requests without a key go to the first shard that answers, which says what
 * every other would: what is public, or 401.
 */
export async function openRouter(
  {
    shards,
    log,
    answerMs,
  }: {
    readonly shards: readonly [Shard, ...Shard[]]
    readonly log: Log
    /** The longest wait for a reply to begin, after the last byte of the request. */
    readonly answerMs: number
  },
  address: { readonly host: string; readonly port: number },
): Promise<Router> {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: idleMs }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: idleMs }),
  }

  /** A request to a shard, whose connection has to be there in time. */
  const send = ({ url }: Shard, options: RequestOptions) => {
    const isSecure = url.protocol === 'https:'
    const sent = (isSecure ? secureRequest : plainRequest)({
      ...options,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      agent: agents[isSecure ? 'https:' : 'http:'],
    })
    sent.once('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(() => sent.destroy(new Error('no connection in time')), connectMs)
      socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    })
    return sent
  }

  /** The status and headers of a GET; undefined when the shard does not answer. */
  const look = (shard: Shard, path: string, headers: Record<string, string>) =>
    new Promise<IncomingMessage | undefined>((resolve) => {
      const options = { path, headers: { Host: shard.url.host, ...headers }, signal: AbortSignal.timeout(askMs) }
      send(shard, options)
        .once('response', (response) => {
          response.on('error', () => undefined).resume()
          resolve(response)
        })
        .once('error', (error) => {
          log.warn({ shard: shard.name, error: error.message }, 'a shard does not answer')
          resolve(undefined)
        })
        .end()
    })

  const ask = async (shard: Shard, key: string, client: string): Promise<Knowledge> => {
    const answer = await look(shard, '/v1/me', { Authorization: `Bearer ${key}`, [forwardedFor]: client })
    const status = answer?.statusCode ?? 500
    if (status >= 500) return 'silent'
    // A known key above its rate has the headers of that rate; a refused one may be a bad key too many from this address.
    const isCounted = answer?.headers['x-ratelimit-limit'] !== undefined
    return status === 200 || isCounted ? 'known' : 'unknown'
  }
  const finder = makeShardFinder(shards, ask)

  let open = shards[0]
  /** The same as long as it answers, so that the files of a page fit each other. */
  const firstThatAnswers = async (): Promise<Shard | undefined> => {
    for (const shard of new Set([open, ...shards])) {
      if ((await look(shard, '/healthz', {}))?.statusCode !== 200) continue
      open = shard
      return shard
    }
    return undefined
  }

  const reply = (incoming: IncomingMessage, outgoing: ServerResponse, failure: Failure) => {
    const body = JSON.stringify(failureBody(pathOf(incoming), failure))
    outgoing.writeHead(failure.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(failure.status === 503 ? { 'Retry-After': String(retryAfterSeconds) } : {}),
      'X-Request-Id': newRandomId(),
    })
    outgoing.end(body)
  }
  const refuseSilent = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    reply(incoming, outgoing, {
      status: 503,
      code: 'shard_unavailable',
      message: 'The part of this service that this request is for does not answer; try again',
    })

  const forward = (
    { shard, path, withCookies }: { shard: Shard; path: string | undefined; withCookies: boolean },
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    onRefused: () => void,
  ) => {
    const headers = [...forwardedHeaders(incoming, withCookies), forwardedFor, clientOf(incoming)]
    const isChunked = incoming.headers['transfer-encoding'] !== undefined
    if (isChunked) headers.push('Transfer-Encoding', 'chunked')
    const sent = send(shard, { method: incoming.method, path, headers })
    const timer = setTimeout(() => {
      const seconds = answerMs / 1_000
      const message = `The part of this service that this request is for took it, and did not answer within ${seconds} seconds; it may have done the work`
      log.warn({ shard: shard.name, seconds }, 'a shard took a request and did not answer')
      if (outgoing.destroyed) return
      // Before the connection to the shard breaks, which would have an answer of its own.
      reply(incoming, outgoing, { status: 504, code: 'shard_timeout', message })
      sent.destroy()
    }, answerMs)
    sent.on('error', (error) => {
      clearTimeout(timer)
      if (outgoing.writableEnded || outgoing.destroyed) return
      log.warn({ shard: shard.name, error: error.message }, 'a shard did not answer a request')
      // Part of the reply is sent: only closing the connection shows the client that it is incomplete.
      if (outgoing.headersSent) outgoing.destroy()
      else refuseSilent(incoming, outgoing)
    })
    sent.once('response', (response) => {
      clearTimeout(timer)
      if (response.statusCode === 401) onRefused()
      outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, forwardedHeaders(response, withCookies))
      // The first event of a stream may be a while away.
      outgoing.flushHeaders()
      response.on('error', () => outgoing.destroy())
      response.pipe(outgoing)
    })
    outgoing.once('close', () => {
      clearTimeout(timer)
      if (!outgoing.writableFinished) sent.destroy()
    })
    incoming.on('error', () => sent.destroy())
    // Nothing is written after the headers of a request that announces no body (RFC 9112, section 6.3).
    if (isChunked || incoming.headers['content-length'] !== undefined)
      incoming.on('data', () => timer.refresh()).pipe(sent)
    else sent.end()
  }

  const whereToSignIn = `People sign in at a part of this service, each of which has its own users. Open one of ${shards.map(({ name }) => `/shards/${name}/`).join(', ')}`

  /** Nothing secret: the name of a shard. Lax, because an OpenID provider sends people back from another site. */
  const choose = ({ name }: Shard, incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.resume()
    const cookie = `${choice.name}=${name}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${choice.seconds}`
    outgoing.writeHead(303, { Location: '/', 'Set-Cookie': cookie, 'Content-Length': 0 }).end()
  }

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = pathOf(incoming)
    if (path === '/healthz') return answerJson(outgoing, 200, { status: 'ok' })
    if (path === '/readyz') {
      const states = await Promise.all(
        shards.map(async (shard) => [shard.name, (await look(shard, '/readyz', {}))?.statusCode === 200] as const),
      )
      const isReady = states.some(([, is]) => is)
      const named = states.map(([name, is]) => [name, is ? 'ready' : 'unavailable'])
      return answerJson(outgoing, isReady ? 200 : 503, { shards: Object.fromEntries(named) })
    }
    const chosen = shards.find(({ name }) => name === chosenIn(incoming))
    const [, named, below] = /^\/shards\/([^/?]*)(.*)$/.exec(incoming.url ?? '') ?? []
    if (named !== undefined) {
      const shard = shards.find(({ name }) => name === named)
      if (!shard)
        return reply(incoming.resume(), outgoing, { status: 404, code: 'unknown_route', message: 'No such shard' })
      if (/^\/?$/.test(below ?? '')) return choose(shard, incoming, outgoing)
      if (below?.startsWith('/'))
        return forward({ shard, path: below, withCookies: shard === chosen }, incoming, outgoing, () => undefined)
    }
    const key = plainKeyIn(path, incoming)
    if (key === undefined && chosen)
      return forward({ shard: chosen, path: incoming.url, withCookies: true }, incoming, outgoing, () => undefined)
    if (key === undefined && path.startsWith('/v1/sign-in') && !(path === '/v1/sign-in' && incoming.method === 'GET'))
      return reply(incoming.resume(), outgoing, { status: 409, code: 'no_shard_chosen', message: whereToSignIn })
    const found = key === undefined ? await firstThatAnswers() : await finder.find(key, clientsOf(incoming))
    if (outgoing.destroyed) return
    if (found === undefined) return refuseSilent(incoming, outgoing)
    if (found === 'silent') return refuseSilent(incoming, outgoing)
    if (found === 'several')
      return reply(incoming, outgoing, {
        status: 503,
        code: 'key_of_two_shards',
        message: 'Two parts of this service know this key; the operator has to revoke one of them',
      })
    const forget = () => key !== undefined && finder.forget(key)
    const shard = found === 'unknown' ? shards[0] : found
    forward({ shard, path: incoming.url, withCookies: false }, incoming, outgoing, forget)
  }

  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      requestTimeout: 0,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    inTurn(
      (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()),
      (_incoming, outgoing) => outgoing.destroy(),
    ),
  )
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.setHeader('Connection', 'close')
    reply(incoming.resume(), outgoing, expectationFailure)
  })
  const connections = followConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return {
    url: `http://${host}:${port}`,
    async stop(signal) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.endIdle()
      signal.addEventListener('abort', () => server.closeAllConnections(), { once: true })
      if (signal.aborted) server.closeAllConnections()
      await closed
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

const forwardedFor = 'X-Forwarded-For'
const clientOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown'
/** The client's address behind those that proxies before this router named. */
const clientsOf = (incoming: IncomingMessage): string =>
  [...(incoming.headersDistinct['x-forwarded-for'] ?? []), clientOf(incoming)].join(', ')

/** The key of a request, as every server finds it; undefined without one, and with several, which every server refuses alike. */
function plainKeyIn(path: string, incoming: IncomingMessage): string | undefined {
  try {
    const key = keyIn(path, incoming)
    return /^[\x21-\x7e]+$/.test(key ?? '') ? key : undefined
  } catch {
    return undefined
  }
}

/** The shard that a person chose in this browser; undefined without a choice, and with several. */
function chosenIn({ headersDistinct }: IncomingMessage): string | undefined {
  const cookies = (headersDistinct['cookie'] ?? []).flatMap((header) => header.split(';').map((one) => one.trim()))
  const [one, ...others] = cookies.filter((cookie) => cookie.startsWith(`${choice.name}=`))
  return others.length === 0 ? one?.slice(choice.name.length + 1) : undefined
}

/**
 * The headers that concern the other end, in their order and spelling. What a sender lists in `Connection` stays: without its Content-Length a body
 * would be read as the next request of a connection that others use, and without its key a request would be another's.
 */
function forwardedHeaders({ rawHeaders }: IncomingMessage, withCookies: boolean): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (ofConnection.has(lower) || (!withCookies && cookieHeaders.has(lower))) continue
    kept.push(name, value)
  }
  return kept
}

function answerJson(outgoing: ServerResponse, status: number, json: object): void {
  const body = JSON.stringify(json)
  outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  outgoing.end(body)
}
