import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** What a server answered. */
export interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request as it is given: `fetch` would not send a body with a GET. Of a stream of events only the head is read. Throws for what is not answered. */
export async function send(
  url: string,
  of: { method: string; headers: Readonly<Record<string, string>>; body?: string | Buffer | undefined },
): Promise<Sent> {
  const { method, headers, body } = of
  const outgoing = request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }) },
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body)
  const [response] = await answered.catch((error: unknown) => {
    throw new Error(`${method} ${url} ${JSON.stringify(headers)} ${body ?? ''} was not answered`, { cause: error })
  })
  const { statusCode: status = 0, headers: said } = response
  // It goes on for as long as there may be something to tell.
  if (said['content-type']?.startsWith('text/event-stream')) {
    response.destroy()
    return { status, headers: said, text: '' }
  }
  return { status, headers: said, text: Buffer.concat(await response.toArray()).toString() }
}
