import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { makeHttp, neverConnected } from '@skillrun/client/http.ts'
import { clientOf, type Skillrun } from '@skillrun/client/skillrun.ts'
import { Fault, type FaultKind } from '@skillrun/core/fault.ts'
import type { Connection } from './connection.ts'
import { version } from './installation.ts'
import { printable } from './render.ts'

/** The server of a command line. Its functions throw a Fault whose message can be shown, or the reason of the signal. */
export interface Client extends Skillrun {
  readonly connection: Connection
  /** Resolves when the server responds and accepts the key. */
  checkKey(): Promise<void>
  /** The bytes of a reply, streamed. */
  content(reply: Promise<Response>): AsyncGenerator<Uint8Array>
}

/** How long a server may take to reply to a request that has no file and is not slow before it counts as unreachable. */
const replyMsMax = 60_000

const kindOf: Readonly<Record<number, FaultKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'missing',
  408: 'stalled',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported',
  422: 'invalid',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
}

/** `fetch` that waits for a reply as long as the server works on it: the platform's ends after five minutes. */
const fetchWithoutLimit: typeof fetch = async (input, init) => {
  const { Agent, EnvHttpProxyAgent, fetch } = await import('undici')
  const bounds = { headersTimeout: 0, bodyTimeout: 0 }
  const dispatcher = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(bounds) : new Agent(bounds)
  const { status, headers, body } = await fetch(String(input), { ...(init as RequestInit), dispatcher } as object)
  return new Response(body, { status, headers: [...headers] })
}

/** Creates a client for a connection; `signal` aborts its requests. */
export function createClient(connection: Connection, signal: AbortSignal): Client {
  const headers = { 'User-Agent': `skillrun-cli/${version}` }
  const terms = { ...connection, headers, signal, retries: 'after_reply' } as const
  const http = makeHttp({ ...terms, replyMsMax })
  const slow = makeHttp({ ...terms, fetch: fetchWithoutLimit })
  const explain = (error: unknown): never => {
    signal.throwIfAborted()
    throw error instanceof SkillrunFailure ? faultOf(error, connection) : error
  }
  const client = clientOf({
    ...http,
    send: (path, asking) => http.send(path, asking).catch(explain),
    json: <T>(path: string, asking?: Parameters<typeof http.json>[1]) =>
      (asking?.slow ? slow : http).json<T>(path, asking).catch(explain),
    bytes: (path, asking) => http.bytes(path, asking).catch(explain),
  })
  return {
    ...client,
    connection,
    checkKey: async () => {
      const { status } = await client.call<{ status?: unknown }>('/v1/health')
      if (typeof status !== 'string') throw notSkillrun(connection)
    },
    async *content(reply) {
      const { body } = await reply
      if (!body) return
      try {
        yield* body
      } catch (error) {
        signal.throwIfAborted()
        const { cause } = error as { cause?: { code?: string } }
        throw error instanceof TypeError ? connectionCut(cause?.code, connection) : error
      }
    },
  }
}

/** Converts an API error to a Fault, with what the user can do about it. */
function faultOf(failure: SkillrunFailure, connection: Connection): Fault {
  const { status, details, message, requestId, code } = failure
  if (status === 0) return withoutReply(failure, connection)
  const sentence = details.length > 0 ? message.split('\n').map(printable).join('\n') : printable(message)
  if (status < 400) return new Fault('invalid', 'redirected', `${sentence}; give that address with --url`)
  const kind = kindOf[status] ?? 'upstream'
  if (status === 401) return new Fault(kind, 'unauthorised', `${sentence} (${keyHint(connection)})`)
  const id = status >= 500 && requestId ? ` (X-Request-Id ${printable(requestId)})` : ''
  return new Fault(kind, code ?? `status_${status}`, sentence + id, { cause: failure })
}

function withoutReply({ code, message }: SkillrunFailure, connection: Connection): Fault {
  const { url, urlFrom } = connection
  if (code === 'file_changed') return new Fault('invalid', code, message)
  if (code === 'bad_reply') return notSkillrun(connection)
  if (code === 'no_reply') return new Fault('timeout', code, message)
  if (code === 'ECONNREFUSED')
    return new Fault(
      'unavailable',
      'no_server',
      `No server responds at ${url} (from ${urlFrom}); start one with "skillrun serve", or give another address with --url`,
    )
  if (code === 'ENOTFOUND')
    return new Fault('unavailable', 'no_host', `The host of ${url} (from ${urlFrom}) cannot be resolved`)
  if (code && neverConnected.test(code))
    return new Fault('unavailable', 'no_connection', `Cannot connect to ${url} (from ${urlFrom}): ${code}`)
  return connectionCut(code, connection)
}

const connectionCut = (code: string | undefined, { url }: Connection): Fault =>
  new Fault(
    'unavailable',
    'connection_cut',
    `The connection to ${url} ended before the reply was complete: ${code ?? 'no reply'}`,
  )

const keyHint = ({ keyFrom }: Connection): string =>
  keyFrom === undefined
    ? 'no key was given: use --key, SKILLRUN_API_KEY or "skillrun login"; the server prints a key at its first start'
    : `the key came from ${keyFrom}`

/** The address belongs to another kind of server. */
const notSkillrun = ({ url }: Connection): Fault =>
  new Fault('upstream', 'not_skillrun', `${url} is not a Skillrun server: its reply has an unexpected form`)
