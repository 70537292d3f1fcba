import { failureOf, SkillrunFailure } from './failure.ts'

/** Where the server is and who asks. */
export interface Connection {
  /** Such as `http://127.0.0.1:8080`; an address that ends in `/v1` is taken, too. */
  readonly url: string
  readonly key: string
  /** Instead of the global `fetch`; an upload whose progress is watched in a browser goes by XMLHttpRequest. */
  readonly fetch?: typeof fetch
}

/** What may be stopped: the signal's reason is then thrown. */
export interface Stoppable {
  readonly signal?: AbortSignal | undefined
}

/** One request to a server. */
export interface Asking {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** A request that may be sent twice without harm. GETs always may. */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Speaks HTTP with one server. */
export interface Http {
  readonly base: string
  readonly key: string
  /** What requests go by; the global `fetch` where it is not given. */
  readonly ask?: typeof fetch
  /** The reply, whose status is one of 200–299. Throws SkillrunFailure, or the reason of the signal. */
  send(path: string, asking?: Asking): Promise<Response>
  json<T>(path: string, asking?: Asking): Promise<T>
}

/** A server that restarts is back within this many tries: about three seconds. */
const triesMax = 5
const firstPauseMs = 200
/** The longest wait that a server may ask for and be heard. */
const retryAfterMsMax = 30_000
const passing = new Set([429, 502, 503, 504])

export function makeHttp({ url, key, fetch: given }: Connection): Http {
  const base = url.replace(/\/+$/, '').replace(/\/v1$/, '')
  if (!/^https?:\/\//.test(base)) throw new SkillrunFailure(`${url} is not an http or https URL`, { status: 0 })
  const ask: typeof fetch = given ?? ((...parts: Parameters<typeof fetch>) => fetch(...parts))

  async function once(path: string, { method = 'GET', query, body, headers, signal }: Asking): Promise<Response> {
    try {
      return await ask(base + path + queryText(query), {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        credentials: 'omit',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      })
    } catch (cause) {
      signal?.throwIfAborted()
      throw new SkillrunFailure(`No server responds at ${base}`, { status: 0, cause })
    }
  }

  async function send(path: string, asking: Asking = {}): Promise<Response> {
    const mayRepeat = asking.repeatable ?? (asking.method ?? 'GET') === 'GET'
    for (let tries = 1; ; tries++) {
      const reply = await once(path, asking).catch((error: unknown) => {
        if (error instanceof SkillrunFailure) return error
        throw error
      })
      if (!(reply instanceof SkillrunFailure) && reply.ok) return reply
      const failure = reply instanceof SkillrunFailure ? reply : await failureOf(reply)
      const isPassing = failure.status === 0 || passing.has(failure.status)
      if (!mayRepeat || !isPassing || tries >= triesMax) throw failure
      await pause(Math.min(failure.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1), retryAfterMsMax), asking.signal)
    }
  }

  return {
    base,
    key,
    ask,
    send,
    async json<T>(path: string, asking?: Asking): Promise<T> {
      const reply = await send(path, asking)
      try {
        return (await reply.json()) as T
      } catch (cause) {
        asking?.signal?.throwIfAborted()
        throw new SkillrunFailure(`The reply of ${base} is incomplete, or not from a Skillrun server`, {
          status: 0,
          cause,
        })
      }
    },
  }
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

/** A UUID (version 4); `crypto.randomUUID` is not there on pages that came over plain HTTP. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
