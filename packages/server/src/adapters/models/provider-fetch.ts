import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Agent, type Dispatcher, request } from 'undici'
import { bodyWithMedia } from './media-bodies.ts'

/** An answer of a provider is at most this long: a longer one is no answer. */
const answerBytesMax = 32 * 1024 * 1024

/** What a provider answered has no end, or one that is too far away. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
  constructor() {
    super(`answered with more than ${answerBytesMax} bytes`)
  }
}

/** Connections are kept for the next call; how long an answer may take is for the caller's signal to say. */
const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 })

/** Fetches for a provider: follows no redirect, which would carry the key elsewhere, and reads no answer without end. */
export const providerFetch: typeof fetch = async (input, init = {}) => {
  const body = typeof init.body === 'string' ? await bodyWithMedia(init.body) : init.body
  if (typeof input === 'string' && typeof body === 'string') return postText(input, { ...init, body })
  const response = await fetch(input, { ...init, ...(body === undefined ? {} : { body }), redirect: 'error' })
  return response.body ? answerOf(response, bounded(response.body as ReadableStream<Uint8Array>)) : response
}

/** What nearly every call is: a text goes, a text comes. A call by the platform's own fetch costs twice the time. */
async function postText(url: string, init: RequestInit & { body: string }): Promise<Response> {
  const { method = 'GET', signal, body } = init
  try {
    const reply = await request(url, {
      method: method as Dispatcher.HttpMethod,
      // Nothing is packed, so that what comes is what is counted.
      headers: { ...headersOf(init.headers), 'accept-encoding': 'identity' },
      body,
      dispatcher,
      ...(signal ? { signal } : {}),
    })
    const { statusCode: status, headers } = reply
    if (status >= 300 && status < 400) {
      await reply.body.dump()
      throw new Error('the answer is a redirect')
    }
    const answer = { status, statusText: '', headers: new Headers(flat(headers)) }
    if (status === 204) return answerOf(answer, null)
    if (String(headers['content-type']).startsWith('text/event-stream'))
      return answerOf(answer, bounded(Readable.toWeb(reply.body) as ReadableStream<Uint8Array>))
    return answerOf(answer, await wholeOf(reply.body))
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    // As the platform's fetch says it, which is what the AI SDK knows.
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
