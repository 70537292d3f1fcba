import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Fault, type FaultKind } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import type { Connection } from './connection.ts'
import { printable } from './render.ts'

/** One request to the server. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With `/v1`, and with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A body that is sent piece by piece, once: such a request can't be repeatable. */
  readonly stream?: { readonly body: AsyncIterable<Uint8Array>; readonly bytes: number; readonly contentType: string }
  /** A POST that may be sent again without harm, because it carries its own id. GETs may always. */
  readonly repeatable?: boolean
}

/** Sends requests and answers with replies that succeeded. */
export interface Http {
  readonly connection: Connection
  send(request: ApiRequest, signal: AbortSignal): Promise<Response>
  sendJson(request: ApiRequest, signal: AbortSignal): Promise<unknown>
}

/** A server that restarts is back within this many tries: about three seconds. */
const triesMax = 5
const firstPauseMs = 200
/** A server that takes a request without a file and says nothing for so long is taken for gone. */
const replyMsMax = 60_000
/** The longest wait that a server may ask for by Retry-After and be heard. */
const retryAfterMsMax = 30_000

const kindOf: Readonly<Record<number, FaultKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported',
  422: 'invalid',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export { version }

/**
 * Speaks with one server. Throws a Fault whose sentence may be shown: of the kind that the status says, or `unavailable`
 * when no server answers or the connection was cut; the signal's reason when it is aborted.
 */
export function createHttp(connection: Connection): Http {
  // Until it has answered once, a server that refuses connections is not there, and waiting for it helps nobody.
  let answered = false
  const send = async (request: ApiRequest, signal: AbortSignal): Promise<Response> => {
    const repeatable = request.method === 'GET' || request.repeatable === true
    for (let tries = 1; ; tries++) {
      const last = !repeatable || tries >= triesMax
      const pauseMs = firstPauseMs * 2 ** (tries - 1)
      const reply = await once(connection, request, signal).catch((error: unknown) => asCut(error, signal))
      if (reply instanceof Cut) {
        if (last || (reply.neverConnected && !answered)) throw cutFault(reply, connection)
        await pause(pauseMs, signal)
        continue
      }
      answered = true
      if (reply.ok) return reply
      if (last || ![429, 502, 503, 504].includes(reply.status)) throw await failureOf(reply, connection)
      await reply.body?.cancel()
      await pause(retryAfterMs(reply) ?? pauseMs, signal)
    }
  }
  const sendJson = async (request: ApiRequest, signal: AbortSignal): Promise<unknown> => {
    if (request.stream) return jsonOf(await send(request, signal), connection, signal)
    const silence = AbortSignal.timeout(replyMsMax)
    const either = AbortSignal.any([signal, silence])
    try {
      return await jsonOf(await send(request, either), connection, either)
    } catch (error) {
      if (signal.aborted || !silence.aborted || error instanceof Fault) throw error
      throw new Fault(
        'timeout',
        'no_reply',
        `The server at ${connection.url} accepted the request but did not reply within ${replyMsMax / 1000} s`,
      )
    }
  }
  return { connection, send, sendJson }
}

async function once(connection: Connection, request: ApiRequest, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { ...request.headers, 'User-Agent': `skillrun-cli/${version}` }
  if (connection.key) headers['Authorization'] = `Bearer ${connection.key}`
  if (request.json !== undefined) headers['Content-Type'] = 'application/json'
  if (request.stream) {
    headers['Content-Type'] = request.stream.contentType
    headers['Content-Length'] = String(request.stream.bytes)
  }
  const body = request.stream?.body ?? (request.json === undefined ? undefined : JSON.stringify(request.json))
  return fetch(connection.url + request.path, {
    method: request.method,
    headers,
    signal,
    redirect: request.method === 'GET' ? 'follow' : 'manual',
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    ...(request.stream ? { duplex: 'half' as const } : {}),
  })
}

/** No reply came: the connection could not be made, or it was cut. */
class Cut {
  readonly code: string
  constructor(code: string) {
    this.code = code
  }

  get neverConnected(): boolean {
    return /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EACCES|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(
      this.code,
    )
  }
}

function asCut(error: unknown, signal: AbortSignal): Cut {
  signal.throwIfAborted()
  if (error instanceof Fault) throw error
  const causes = [error, (error as { cause?: unknown }).cause] as { code?: unknown; errors?: { code?: unknown }[] }[]
  // The body of an upload failed here, not the connection: that file's own Fault says more.
  const own = causes.find((cause) => cause instanceof Fault)
  if (own) throw own
  if (!(error instanceof TypeError)) throw error
  const code = causes.map((cause) => cause?.code ?? cause?.errors?.[0]?.code).find((each) => typeof each === 'string')
  return new Cut(String(code ?? 'no reply'))
}

function cutFault({ code, neverConnected }: Cut, { url, urlFrom }: Connection): Fault {
  if (code === 'ECONNREFUSED') {
    return new Fault(
      'unavailable',
      'no_server',
      `No server responds at ${url} (from ${urlFrom}); start one with "skillrun serve", or give another address with --url`,
    )
  }
  if (code === 'ENOTFOUND')
    return new Fault('unavailable', 'no_host', `The host of ${url} (from ${urlFrom}) cannot be resolved`)
  if (neverConnected)
    return new Fault('unavailable', 'no_connection', `Cannot connect to ${url} (from ${urlFrom}): ${code}`)
  return new Fault(
    'unavailable',
    'connection_cut',
    `The connection to ${url} ended before the reply was complete: ${code}`,
  )
}

async function failureOf(reply: Response, connection: Connection): Promise<Fault> {
  if (reply.status >= 300 && reply.status < 400) {
    return new Fault(
      'invalid',
      'redirected',
      `${connection.url} redirects to ${reply.headers.get('location')}; give that address with --url`,
    )
  }
  const kind = kindOf[reply.status] ?? 'upstream'
  const said = sentenceOf(await reply.json().catch(() => undefined))
  const sentence = said ?? `The server returned ${reply.status} without an explanation`
  if (reply.status === 401) return new Fault(kind, 'unauthorised', `${sentence} (${keyHint(connection)})`)
  if (reply.status >= 500) {
    const id = reply.headers.get('x-request-id')
    return new Fault(kind, `status_${reply.status}`, `${sentence}${id ? ` (X-Request-Id ${printable(id)})` : ''}`)
  }
  return new Fault(kind, `status_${reply.status}`, sentence)
}

const keyHint = ({ keyFrom }: Connection): string =>
  keyFrom === undefined
    ? 'no key was given: use --key, SKILLRUN_API_KEY or "skillrun login"; the server prints a key at its first start'
    : `the key came from ${keyFrom}`

/** What a failure's body says: `{"detail": sentence}`, or each of a 422's details as `config.prompt: message`; or an error of OpenAI's form. */
function sentenceOf(body: unknown): string | undefined {
  const { detail, error } = isJsonObject(body) ? body : {}
  // As the routes in OpenAI's form say it.
  if (isJsonObject(error) && typeof error['message'] === 'string') return printable(error['message'])
  if (typeof detail === 'string') return printable(detail)
  if (!Array.isArray(detail)) return undefined
  const lines = detail.filter(isJsonObject).map((each) => {
    const steps: readonly unknown[] = Array.isArray(each['loc']) ? each['loc'] : []
    const inside = ['body', 'query', 'path', 'header'].includes(String(steps[0])) ? steps.slice(1) : steps
    const message = String(each['msg'] ?? 'not valid')
    return printable(inside.length > 0 ? `${inside.join('.')}: ${message}` : message)
  })
  return lines.length > 0 ? lines.join('\n') : undefined
}

function retryAfterMs(reply: Response): number | undefined {
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, retryAfterMsMax) : undefined
}

async function jsonOf(reply: Response, connection: Connection, signal: AbortSignal): Promise<unknown> {
  try {
    return await reply.json()
  } catch (error) {
    if (error instanceof SyntaxError) throw notSkillrun(connection.url)
    throw cutFault(asCut(error, signal), connection)
  }
}

/** The bytes of a reply as they come. Throws Fault `unavailable` when the connection is cut before they are all there. */
export async function* bytesOf(
  reply: Response,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!reply.body) return
  try {
    yield* reply.body
  } catch (error) {
    throw cutFault(asCut(error, signal), connection)
  }
}

/** What answers there speaks HTTP, but is something else. */
export const notSkillrun = (url: string): Fault =>
  new Fault('upstream', 'not_skillrun', `${url} is not a Skillrun server: its reply has an unexpected form`)

/** Waits, or throws the signal's reason when it is aborted first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}
