import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { charsetOf } from '@skillrun/core/decode-text.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request, fetch as undiciFetch } from 'undici'
import { startDeadline } from '../../../core/deadline.ts'
import { limits } from '../../../core/limits.ts'
import type { OutboundProxy } from '../../../core/outbound-proxy.ts'
import { parseAddress } from '../addresses.ts'
import type { Egress, FetchBounds, Fetched, Post, Posted } from '../egress.ts'
import { noPrivateTargets, type PrivateTargets } from '../private-targets.ts'
import {
  checkedAddresses,
  checkingConnector,
  type Resolve,
  refusePrivateName,
  resolveBySystem,
  targetOf,
} from './connector.ts'

/** Dependencies, all optional. */
export interface EgressParts {
  readonly isAllowed?: PrivateTargets
  readonly resolve?: Resolve
  readonly deadlines?: Deadlines
  /** For `fetch` alone. */
  readonly proxy?: OutboundProxy
}

/** Timeouts in milliseconds for phases of a request, besides the total. */
interface Deadlines {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
}

const deadlinesDefault: Deadlines = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 20_000 }
const noProxy: OutboundProxy = { httpProxy: '', httpsProxy: '', noProxy: '' }
const urlCharactersMax = 8_192
/** Milliseconds that `check` waits for the addresses of a host. */
const checkMs = 1_000

/** Egress with undici. Each fetch has its own connections: callers never share one. */
export function undiciEgress(parts: EgressParts = {}): Egress {
  const {
    isAllowed = noPrivateTargets,
    resolve = resolveBySystem,
    deadlines = deadlinesDefault,
    proxy = noProxy,
  } = parts
  const open = (bounds: Bounds): Way => {
    bounds.signal.throwIfAborted()
    const agent = new Agent({
      connect: checkingConnector({ resolve, isAllowed, connectMs: deadlines.connectMs }),
      headersTimeout: deadlines.firstByteMs,
      bodyTimeout: deadlines.idleMs,
      pipelining: 1,
    })
    const deadline = startDeadline(bounds.signal, bounds.wallMs)
    return {
      caller: bounds.signal,
      agent,
      signal: deadline.signal,
      end() {
        deadline[Symbol.dispose]()
        void agent.destroy()
      },
    }
  }
  let conversing: EnvHttpProxyAgent | undefined
  return {
    async fetchPublic(url, bounds) {
      const way = open(bounds)
      try {
        return await followed({ ...way, bounds }, url)
      } catch (error) {
        way.end()
        throw error
      }
    },
    async post(url, post) {
      const way = open(post)
      try {
        return await posted(way, checkedUrl(url), post)
      } finally {
        way.end()
      }
    },
    async check(text) {
      const { hostname, port } = targetOf(checkedUrl(text))
      const parts = { resolve, isAllowed, connectMs: checkMs }
      await checkedAddresses(parts, hostname, port).catch((error: unknown) => {
        if (error instanceof Fault && error.code === 'url_forbidden') throw error
        refusePrivateName(parts, hostname, port)
      })
    },
    async fetch(input, init) {
      const checks = { resolve, isAllowed, connectMs: deadlines.connectMs }
      // Kept alive between requests, because such protocols make several in a row. The proxy makes its connections itself.
      conversing ??= new EnvHttpProxyAgent({ ...proxy, connect: checkingConnector(checks) })
      const url = checkedUrl(input instanceof Request ? input.url : String(input))
      const { hostname, port } = targetOf(url)
      // A proxy would connect to these without asking: a name it looks up itself.
      if (parseAddress(hostname)) await checkedAddresses(checks, hostname, port)
      else refusePrivateName(checks, hostname, port)
      const asked = { ...init, redirect: 'error', dispatcher: conversing } as Parameters<typeof undiciFetch>[1]
      // The types of undici's Response and of the global one, which is undici's too, differ in details.
      return (await undiciFetch(url, asked)) as unknown as Response
    },
  }
}

type Bounds = Pick<FetchBounds, 'wallMs' | 'signal'>

/** Connections of one call. */
interface Way {
  readonly agent: Agent
  readonly caller: AbortSignal
  /** The caller's signal combined with the total timeout. */
  readonly signal: AbortSignal
  /** Ends the timeout and the connections. */
  readonly end: () => void
}

/** How much of the reply to a POST is read, so that the sender is not interrupted in a short reply. */
const answerBytesMax = 16 * 1024
const answerMs = 1_000

async function posted(way: Way, url: URL, post: Post): Promise<Posted> {
  const reply = await asked(way, url, { method: 'POST', body: post.body, headers: post.headers })
  using deadline = startDeadline(way.signal, answerMs)
  await reply.body.dump({ limit: answerBytesMax, signal: deadline.signal }).catch(() => undefined)
  return { status: reply.statusCode, retryAfter: headerOf(reply, 'retry-after') }
}

interface Fetch extends Way {
  readonly bounds: FetchBounds
}

async function followed(fetch: Fetch, first: string): Promise<Fetched> {
  let url = checkedHost(checkedUrl(first), fetch.bounds)
  for (let redirects = 0; redirects <= limits.fetchRedirectsMax; redirects++) {
    const reply = await ask(fetch, url)
    const location = headerOf(reply, 'location')
    if (![301, 302, 303, 307, 308].includes(reply.statusCode) || location === undefined)
      return fetchedOf(fetch, url, reply)
    reply.body.on('error', () => undefined).destroy()
    url = checkedHost(checkedUrl(location, url), fetch.bounds)
  }
  throw new Fault(
    'invalid',
    'url_redirects',
    `The URL leads through more than ${limits.fetchRedirectsMax} redirects; the last host is ${url.hostname}`,
  )
}

function checkedUrl(text: string, base?: URL): URL {
  const where = base ? `${base.hostname} redirects to a URL that` : 'The URL'
  const url = text.length <= urlCharactersMax ? URL.parse(text, base?.href) : null
  if (!url)
    throw new Fault(
      'invalid',
      'url_invalid',
      `${where} should be a valid URL of at most ${urlCharactersMax} characters`,
    )
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Fault('invalid', 'url_forbidden', `${where} should begin with http:// or https://`)
  if (url.username !== '' || url.password !== '')
    throw new Fault('invalid', 'url_forbidden', `${where} should not contain a user name or password`)
  url.hash = ''
  return url
}

function checkedHost(url: URL, { isHostAllowed }: FetchBounds): URL {
  if (isHostAllowed && !isHostAllowed(url.hostname))
    throw new Fault('invalid', 'url_forbidden', `The URL leads to ${url.hostname}, which is not an allowed host`)
  return url
}

function ask(fetch: Fetch, url: URL): Promise<Dispatcher.ResponseData> {
  const { etag, lastModified } = fetch.bounds.known ?? {}
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(lastModified ? { 'if-modified-since': lastModified } : {}),
  }
  return asked(fetch, url, { method: 'GET', headers })
}

async function asked(
  way: Way,
  url: URL,
  call: { method: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body?: Uint8Array },
): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, {
      ...call,
      dispatcher: way.agent,
      signal: way.signal,
      headers: { 'user-agent': 'skillrun', ...call.headers },
    })
  } catch (error) {
    throw faultOf(error, way, url)
  }
}

function fetchedOf(fetch: Fetch, url: URL, reply: Dispatcher.ResponseData): Fetched {
  reply.body.on('error', () => undefined)
  const isUnchanged = reply.statusCode === 304 && fetch.bounds.known !== undefined
  if (!isUnchanged && (reply.statusCode < 200 || reply.statusCode > 299)) {
    reply.body.destroy()
    const passing = reply.statusCode >= 500 || reply.statusCode === 408 || reply.statusCode === 429
    throw new Fault(passing ? 'upstream' : 'invalid', 'fetch_failed', `${url.hostname} answered ${reply.statusCode}`)
  }
  if (reply.statusCode === 206 && !isWhole(headerOf(reply, 'content-range'))) {
    reply.body.destroy()
    throw new Fault('invalid', 'fetch_failed', `${url.hostname} answered 206, with only a part of the content`)
  }
  if (Number(headerOf(reply, 'content-length') ?? 0) > fetch.bounds.bytesMax) throw tooLarge(fetch, url)
  const decoder = decoderOf(headerOf(reply, 'content-encoding'), url)
  const stream = Readable.from(contentOf(fetch, url, { body: reply.body, decoder }), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  })
  stream.once('close', fetch.end)
  const contentType = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(;|$)/
    .exec(headerOf(reply, 'content-type') ?? '')?.[1]
    ?.toLowerCase()
  return {
    isUnchanged,
    etag: shortHeader(reply, 'etag'),
    lastModified: shortHeader(reply, 'last-modified'),
    cacheControl: shortHeader(reply, 'cache-control'),
    stream,
    announcedBytes: decoder ? undefined : Number(headerOf(reply, 'content-length')) || undefined,
    contentType,
    charset: charsetOf(headerOf(reply, 'content-type') ?? ''),
    finalUrl: url.href,
  }
}

/** Whether the range of a 206 reply is the whole content: some servers answer so although no range was requested. */
function isWhole(contentRange: string | undefined): boolean {
  const [, last, bytes] = /^bytes 0-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? []
  return last !== undefined && Number(last) + 1 === Number(bytes)
}

async function* contentOf(
  fetch: Fetch,
  url: URL,
  reply: { body: Readable; decoder: Duplex | undefined },
): AsyncGenerator<Uint8Array> {
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > fetch.bounds.bytesMax) throw tooLarge(fetch, url)
      yield chunk
    }
  }
  try {
    // Limited on both sides of the decoder: an endless stream can decode to nothing.
    const raw = Readable.from(bounded(reply.body), { objectMode: false })
    yield* bounded(reply.decoder ? pipeline(raw, reply.decoder, () => undefined) : raw)
  } catch (error) {
    throw faultOf(error, fetch, url)
  }
}

function decoderOf(header: string | undefined, url: URL): Duplex | undefined {
  switch ((header ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Fault(
        'upstream',
        'fetch_failed',
        `${url.hostname} answered in a content encoding other than gzip, deflate and br`,
      )
  }
}

const headerOf = (reply: Dispatcher.ResponseData, name: string): string | undefined => {
  const value = reply.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const keptHeaderCharactersMax = 1_000

/** A header that is stored and sent back later; undefined when it is too long to store. */
function shortHeader(reply: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headerOf(reply, name)
  return value !== undefined && value.length <= keptHeaderCharactersMax ? value : undefined
}

const tooLarge = (fetch: Fetch, url: URL): Fault =>
  new Fault(
    'too_large',
    'url_too_large',
    `The reply of ${url.hostname} is larger than the limit of ${fetch.bounds.bytesMax} bytes`,
  )

const certificateCodes = /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/

function faultOf(error: unknown, way: Way, url: URL): unknown {
  if (way.caller.aborted) return way.caller.reason
  if (error instanceof Fault) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (way.signal.aborted || /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)) {
    return new Fault('timeout', 'url_timeout', `${url.hostname} took too long to answer`, { cause: error })
  }
  if (certificateCodes.test(code)) {
    return new Fault(
      'upstream',
      'url_unreachable',
      `The TLS connection to ${url.hostname} failed: its certificate or protocol was rejected`,
      { cause: error },
    )
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__') || code.startsWith('ERR_BROTLI')) {
    return new Fault('upstream', 'fetch_failed', `The reply of ${url.hostname} could not be decompressed`, {
      cause: error,
    })
  }
  return new Fault('upstream', 'url_unreachable', `The connection to ${url.hostname} failed or broke off`, {
    cause: error,
  })
}
