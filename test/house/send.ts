import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** What a server answered. */
export interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request as it is given: `fetch` would not send a body with a GET. Throws for what is not answered. */
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
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
