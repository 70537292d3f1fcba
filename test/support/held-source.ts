import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that holds its documents back until they are released: until then, a run that reads one is in the middle of a step. */
export interface HeldSource extends AsyncDisposable {
  /** Host and port, for SKILLRUN_ALLOW_PRIVATE. */
  readonly host: string
  /** The URL of a document. */
  url(name: string): string
  /** Resolves when the document was requested `times` times in total. */
  asked(name: string, times?: number): Promise<void>
  /** The number of requests for the document. */
  count(name: string): number
  /** Resolves when every waiting reader of the document has disconnected. */
  left(name: string): Promise<void>
  /** Sends the document to all waiting and later readers. */
  letGo(name: string): void
}

/** Opens a source whose documents all have this text. */
export async function openHeldSource(text: string): Promise<HeldSource> {
  const counts = new Map<string, number>()
  const waiting = new Map<string, ServerResponse[]>()
  const free = new Set<string>()
  let changed: () => void = () => {}
  let change = Promise.withResolvers<void>()
  changed = () => {
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  const send = (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(text)
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '')
    counts.set(name, (counts.get(name) ?? 0) + 1)
    response.on('error', () => {})
    if (free.has(name)) send(response)
    else waiting.set(name, [...(waiting.get(name) ?? []), response])
    changed()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const count = (name: string) => counts.get(name) ?? 0
  return {
    host,
    url: (name) => `http://${host}/${encodeURIComponent(name)}`,
    count,
    async asked(name, times = 1) {
      while (count(name) < times) await change.promise
    },
    async left(name) {
      await Promise.all((waiting.get(name) ?? []).map((response) => response.closed || once(response, 'close')))
    },
    letGo(name) {
      free.add(name)
      for (const response of waiting.get(name) ?? []) if (!response.closed) send(response)
      waiting.delete(name)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
