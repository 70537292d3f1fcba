import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { APICallError } from '@ai-sdk/provider'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import { outboundProxy } from '../../core/outbound-proxy.ts'
import { bodyWithMedia } from './media-bodies.ts'

/** The longest response that is read. */
const answerBytesMax = 32 * 1024 * 1024

/** A response exceeds `answerBytesMax`. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
  constructor() {
    super(`sent a reply of more than ${answerBytesMax} bytes`)
  }
}

const proxy = outboundProxy(process.env)
/** Timeouts of a response come from the caller's signal. */
const connections = { connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 }
/** Reuses connections. */
const dispatcher =
  proxy.httpProxy || proxy.httpsProxy ? new EnvHttpProxyAgent({ ...connections, ...proxy }) : new Agent(connections)

/** `fetch` for providers: does not follow redirects, which would send the key elsewhere, and limits the size of responses. */
export const providerFetch: typeof fetch = async (input, init = {}) => {
  const body = typeof init.body === 'string' ? await bodyWithMedia(init.body) : init.body
  if (typeof input === 'string' && typeof body === 'string') return postText(input, { ...init, body })
  const response = await fetch(input, { ...init, ...(body === undefined ? {} : { body }), redirect: 'error' })
  return response.body ? answerOf(response, bounded(response.body as ReadableStream<Uint8Array>)) : response
}

interface Post {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal?: AbortSignal | null | undefined
}

/** Posts JSON text and returns the reply, parsed, without the platform's `Response`. Throws the AI SDK's error. */
export async function postJson(url: string, call: Omit<Post, 'method'>): Promise<unknown> {
  const headers = { ...call.headers, 'content-type': 'application/json' }
  const reply = await send(url, { ...call, headers, method: 'POST' }, async ({ statusCode, headers, body }) => ({
    statusCode,
    headers,
    text: (await wholeOf(body)).toString(),
  })).catch((cause: unknown) => {
    if (call.signal?.aborted) throw call.signal.reason
    throw new APICallError({ message: 'the call failed', url, requestBodyValues: {}, cause })
  })
  const { statusCode, text: responseBody } = reply
  if (statusCode >= 200 && statusCode < 300) return JSON.parse(responseBody)
  const failed = { statusCode, responseBody, responseHeaders: Object.fromEntries(flat(reply.headers)) }
  throw new APICallError({ message: `the reply has the status ${statusCode}`, url, requestBodyValues: {}, ...failed })
}

/** Sends a text; `read` gets the reply. The platform's fetch takes twice the CPU time. */
async function send<T>(
  url: string,
  { method = 'GET', headers, body, signal }: Post,
  read: (reply: Dispatcher.ResponseData) => T | Promise<T>,
): Promise<T> {
  const reply = await request(url, {
    method: method as Dispatcher.HttpMethod,
    // No compression, so that the size limit counts the real size.
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
    dispatcher,
    ...(signal ? { signal } : {}),
  })
  if (reply.statusCode < 300 || reply.statusCode >= 400) return read(reply)
  await reply.body.dump()
  throw new Error('the response is a redirect')
}

/** `fetch` of a text. */
async function postText(url: string, init: RequestInit & { body: string }): Promise<Response> {
  const { signal } = init
  try {
    return await send(
      url,
      { ...init, headers: headersOf(init.headers) },
      async ({ statusCode: status, headers, body }) => {
        const answer = { status, statusText: '', headers: new Headers(flat(headers)) }
        if (status === 204) return answerOf(answer, null)
        if (String(headers['content-type']).startsWith('text/event-stream'))
          return answerOf(answer, bounded(Readable.toWeb(body) as ReadableStream<Uint8Array>))
        return answerOf(answer, await wholeOf(body))
      },
    )
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    // The AI SDK recognises network failures by this error of the platform's fetch.
    throw new TypeError('fetch failed', { cause: error })
  }
}

const headersOf = (headers: RequestInit['headers']): Record<string, string> =>
  headers === undefined || headers instanceof Headers || Array.isArray(headers)
    ? Object.fromEntries(new Headers(headers))
    : (headers as Record<string, string>)

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] satisfies [string, string]],
  )

const answerOf = (
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
  body: ReadableStream<Uint8Array> | Buffer | null,
): Response => new Response(body as ConstructorParameters<typeof Response>[0], { status, statusText, headers })

async function wholeOf(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > answerBytesMax) throw new AnswerTooLong()
    parts.push(part)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > answerBytesMax) controller.error(new AnswerTooLong())
        else controller.enqueue(chunk)
      },
    }) as never,
  )
}
