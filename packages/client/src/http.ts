import { failureOf, SkillrunFailure } from './failure.ts'

/** The server, the key, and the retry behaviour. */
export interface Connection {
  /** Such as `http://127.0.0.1:8080`; a trailing `/v1` is removed. */
  readonly url: string
  /** Without a key, requests have none, and the server refuses most of them. */
  readonly key?: string | undefined
  /** Replaces the global `fetch`; in a browser, an upload with `onProgress` uses XMLHttpRequest. */
  readonly fetch?: typeof fetch
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a browser sends its cookies for this server, the origin of the page. */
  readonly cookies?: boolean
  /** Aborts requests without a signal. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether a repeatable request is retried when the server is absent or overloaded: `always` (the default), `after_reply`, which
   * gives up at once on a server that has never replied and refuses connections, or `never`.
   */
  readonly retries?: 'always' | 'after_reply' | 'never'
  /** How long each try of `json` waits for its reply, in milliseconds; without it there is no limit. */
  readonly replyMsMax?: number
}

/** A request that can be aborted: it then throws the signal's reason. */
export interface Stoppable {
  readonly signal?: AbortSignal | undefined
}

/** One request to a server. */
export interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of `body`. */
  readonly content?: NonNullable<RequestInit['body']>
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the request can be repeated without harm. GETs always can. */
  readonly repeatable?: boolean
  /** Whether the reply may take minutes, so that `replyMsMax` does not apply. */
  readonly slow?: boolean
  /** Whether to wait up to `awayMsMax` for a server that is away, because it was there before. */
  readonly patient?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Speaks HTTP with one server. */
export interface Http {
  readonly base: string
  /** Sent with every request: the key, and the headers of the connection. */
  readonly headers: Readonly<Record<string, string>>
  /** The reply, with a status of 200–299. Throws SkillrunFailure, or the reason of the signal. */
  send(path: string, asking?: Asking): Promise<Response>
  json<T>(path: string, asking?: Asking): Promise<T>
  bytes(path: string, asking?: Asking): Promise<Uint8Array<ArrayBuffer>>
}

/** Retries that bridge a server's restart: about three seconds. */
const triesMax = 5
const firstPauseMs = 200
/** How long a patient request is retried: longer than a restart or an upgrade takes. */
const awayMsMax = 5 * 60_000
const pauseMsMax = 10_000
/** Longest Retry-After to obey. */
const retryAfterMsMax = 30_000
const passing = new Set([0, 429, 502, 503, 504])
/** Error codes before a connection existed. */
export const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EACCES|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** A step of a path that an empty id leaves, or that names another path. */
const strayStep = /^[^?]*\/\.{0,2}(?:\/|\?|$)/

const badKey = /[^!-~]/

export function makeHttp(connection: Connection): Http {
  const { url, key, retries = 'always', replyMsMax } = connection
  const base = url.replace(/\/+$/, '').replace(/\/v1$/, '')
  if (!/^https?:\/\//.test(base)) throw new SkillrunFailure(`${url} is not an http or https URL`, { status: 0 })
  const ownHeaders = { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...connection.headers }
  let hasReplied = false

  async function once(path: string, asking: Asking, signal: AbortSignal | undefined): Promise<Response> {
    const { method = 'GET', query, body, content, headers } = asking
    const sent = content ?? (body === undefined ? undefined : JSON.stringify(body))
    try {
      const reply = await (connection.fetch ?? fetch)(base + path + queryText(query), {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...ownHeaders,
          ...headers,
        },
        credentials: connection.cookies ? 'same-origin' : 'omit',
        // A redirected POST would become a GET.
        redirect: method === 'GET' ? 'follow' : 'manual',
        ...(sent === undefined ? {} : { body: sent }),
        ...(sent instanceof ReadableStream ? { duplex: 'half' } : {}),
        ...(signal ? { signal } : {}),
      } as RequestInit)
      hasReplied = true
      return reply
    } catch (cause) {
      signal?.throwIfAborted()
      // An error while reading the content says more than that of the request that it ended.
      throw causesOf(cause).find((each) => each instanceof SkillrunFailure) ?? noReply(base, cause)
    }
  }

  /** `signalOf` returns the signal of one try; the caller's also ends the pauses between tries. */
  async function ask(path: string, asking: Asking, signalOf: () => AbortSignal | undefined): Promise<Response> {
    const mistake = strayStep.test(path)
      ? `An id is empty or only dots: ${path} is the address of something else`
      : badKey.test(key ?? '')
        ? 'The key contains a space, line break or other character that a header cannot have'
        : undefined
    if (mistake !== undefined) throw new SkillrunFailure(mistake, { status: 0 })
    const mayRepeat = retries !== 'never' && (asking.repeatable ?? (asking.method ?? 'GET') === 'GET')
    const begunAt = performance.now()
    for (let tries = 1; ; tries++) {
      const reply = await once(path, asking, signalOf()).catch((error: unknown) => {
        if (error instanceof SkillrunFailure) return error
        throw error
      })
      if (!(reply instanceof SkillrunFailure) && reply.ok) return reply
      const failure = reply instanceof SkillrunFailure ? reply : await failureOf(reply, base)
      const isAbsent = retries === 'after_reply' && !hasReplied && neverConnected.test(failure.code ?? '')
      const isLast = asking.patient ? performance.now() - begunAt >= awayMsMax : tries >= triesMax
      if (!mayRepeat || isAbsent || !passing.has(failure.status) || isLast) throw failure
      const ownPauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), pauseMsMax)
      const leastMs = asking.patient || failure.retryAfterMs === undefined ? ownPauseMs : 0
      await pause(Math.min(Math.max(failure.retryAfterMs ?? 0, leastMs), retryAfterMsMax), callerOf(asking))
    }
  }

  const callerOf = ({ signal }: Asking): AbortSignal | undefined => signal ?? connection.signal

  const send = (path: string, asking: Asking = {}): Promise<Response> => ask(path, asking, () => callerOf(asking))

  async function read<T>(path: string, asking: Asking, from: (reply: Response) => Promise<T>): Promise<T> {
    const own = callerOf(asking)
    const limitMs = asking.content || asking.slow ? undefined : replyMsMax
    let silence: AbortSignal | undefined
    const signalOf = () => {
      silence = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs)
      return own && silence ? AbortSignal.any([own, silence]) : (own ?? silence)
    }
    try {
      return await from(await ask(path, asking, signalOf))
    } catch (cause) {
      own?.throwIfAborted()
      if (cause instanceof SkillrunFailure) throw cause
      if (silence?.aborted)
        throw new SkillrunFailure(
          `The server at ${base} accepted the request but did not reply within ${(replyMsMax ?? 0) / 1000} s`,
          { status: 0, code: 'no_reply', cause },
        )
      throw new SkillrunFailure(`The reply of ${base} is incomplete, or not from a Skillrun server`, {
        status: 0,
        code: cause instanceof SyntaxError ? 'bad_reply' : codeOf(cause),
        cause,
      })
    }
  }

  return {
    base,
    headers: ownHeaders,
    send,
    json: <T>(path: string, asking: Asking = {}) => read(path, asking, (reply) => reply.json() as Promise<T>),
    bytes: (path, asking = {}) => read(path, asking, async (reply) => new Uint8Array(await reply.arrayBuffer())),
  }
}

const noReply = (base: string, cause: unknown): SkillrunFailure =>
  new SkillrunFailure(`No server responds at ${base}`, { status: 0, code: codeOf(cause), cause })

const causesOf = (error: unknown): readonly unknown[] => [error, (error as { cause?: unknown } | undefined)?.cause]

function codeOf(error: unknown): string | undefined {
  const causes = causesOf(error) as ({ code?: unknown; errors?: { code?: unknown }[] } | undefined)[]
  const code = causes.map((cause) => cause?.code ?? cause?.errors?.[0]?.code).find((each) => typeof each === 'string')
  return code as string | undefined
}

function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, value instanceof Date ? value.toISOString() : String(value)]))}`
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A UUID (version 4); `crypto.randomUUID` is missing on pages loaded over plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
