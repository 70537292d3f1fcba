import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** A reply of a server. */
export interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a request unchanged: `fetch` would not send a body with a GET. Of a stream of events, only the head is read.
 * Throws without a reply.
 */
export async function send(
  url: string,
  of: { method: string; headers: Readonly<Record<string, string>>; body?: string | Buffer | undefined; agent?: Agent },
): Promise<Sent> {
  const { method, headers, body, agent } = of
  const outgoing = request(url, {
    method,
    agent,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }) },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body)
  const [response] = await answered.catch((error: unknown) => {
    throw new Error(`${method} ${url} ${JSON.stringify(headers)} ${body ?? ''} was not answered`, { cause: error })
  })
  const { statusCode: status = 0, headers: said } = response
  // It stays open as long as there may be events.
  if (said['content-type']?.startsWith('text/event-stream')) {
    response.destroy()
    return { status, headers: said, text: '' }
  }
  return { status, headers: said, text: Buffer.concat(await response.toArray()).toString() }
}
