import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { jsonBytes } from '../../core/json-pieces.ts'
import { speaksAnthropic } from './failure-form.ts'
import type { Reply } from './route.ts'
import { watchForStall } from './stall.ts'

/** Headers of server-sent events. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

/** A request and its reply. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** How long a rejected client may keep sending, and pause: clients that read only after their last byte then get the reply. */
const lingering = { idleMs: 2_000, wallMs: 30_000 }

/**
 * Writes a reply. When the body was not read completely, the rest is discarded for a while and the connection is then
 * closed; immediately when `stopping` aborts.
 */
export async function writeReply(
  { incoming, outgoing }: Exchange,
  reply: Reply & { readonly status: number },
  { requestId, stopping }: { readonly requestId: string; readonly stopping: AbortSignal },
): Promise<void> {
  const isUnread = hasUnreadBody(incoming)
  const headers: Record<string, string | string[]> = {
    'X-Request-Id': requestId,
    // Anthropic's client reads this name.
    ...(speaksAnthropic(incoming.url ?? '') ? { 'Request-Id': requestId } : {}),
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
    ...(reply.cookies ? { 'Set-Cookie': [...reply.cookies] } : {}),
    ...(isUnread ? { Connection: 'close' } : {}),
  }
  if (reply.stream) {
    outgoing.writeHead(reply.status, headers)
    // A client that disconnects is not an error; the stream is destroyed in either case.
    await pipeline(reply.stream, outgoing).catch(() => undefined)
    return
  }
  const payload = await jsonBytes(reply.json ?? null)
  outgoing.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': String(payload.length),
    ...headers,
  })
  // After a 408 the client gets no more time.
  if (isUnread && reply.status !== 408) {
    outgoing.write(payload)
    await discardRest(incoming, stopping)
    outgoing.end()
  } else outgoing.end(payload)
}

const hasUnreadBody = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Reads and discards the rest of a body. Closing earlier would reset the connection, and the client would lose the reply. */
async function discardRest(incoming: IncomingMessage, signal: AbortSignal): Promise<void> {
  if (incoming.destroyed || incoming.readableEnded) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const watch = watchForStall({ ...lingering, signal })
  watch.signal.addEventListener('abort', () => resolve(), { once: true })
  if (watch.signal.aborted) resolve()
  incoming.on('data', watch.alive).once('end', resolve).once('error', resolve).once('close', resolve)
  incoming.resume()
  await promise
  watch.stop()
}

/** Sends header names capitalised: an existing client looks up `Content-Type` case-sensitively. */
export function capitaliseHeaderNames(outgoing: ServerResponse): void {
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
