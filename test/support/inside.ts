import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server inside the network that counts its requests: a GET is answered with a text; another server's redirect leads to it. */
export interface Inside extends AsyncDisposable {
  readonly port: number
  readonly heard: string[]
}

/** Opens it on 127.0.0.1; redirects to what `leadTo` returns for a path. */
export async function openInside(
  says = 'Total: 5.00',
  leadTo: (path: string) => string | undefined = () => undefined,
): Promise<Inside> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    const location = leadTo(request.url ?? '')
    if (location === undefined) response.writeHead(200, { 'Content-Type': 'text/plain' }).end(says)
    else response.writeHead(302, { Location: Buffer.from(location).toString('latin1') }).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Processes all `items`, eight at a time. */
export async function eightAtOnce<T>(items: readonly T[], take: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await take(next)
    }),
  )
}
