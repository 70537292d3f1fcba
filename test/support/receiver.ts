import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A callback as received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Answers the `count`-th call of a path, from 1. It may also not answer. */
export type ReceiverAnswer = (response: ServerResponse, count: number) => void

/** A callback receiver, a separate server whose answers a test sets by path. Default: 204. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  readonly received: readonly Received[]
  url(path: string): string
  on(path: string, answer: ReceiverAnswer): void
  at(path: string): readonly Received[]
  /** Resolves when a path has been called `count` times. */
  got(path: string, count: number): Promise<readonly Received[]>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, ReceiverAnswer>()
  const waiting = new Set<() => void>()
  const at = (path: string) => received.filter((one) => one.path === path)
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await buffer(request).catch(() => Buffer.alloc(0))
    received.push({ path, headers: request.headers, body })
    const answer = answers.get(path) ?? ((reply: ServerResponse) => reply.writeHead(204).end())
    answer(response, at(path).length)
    for (const look of waiting) look()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    on: (path, answer) => void answers.set(path, answer),
    at,
    got: (path, count) =>
      new Promise((resolve) => {
        const look = () => {
          if (at(path).length < count) return
          waiting.delete(look)
          resolve(at(path))
        }
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
