import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A proxied connection to the database that can be cut or slowed down. */
export interface Line extends AsyncDisposable {
  readonly port: number
  /** Ends all connections and refuses new ones, until `restore`. */
  cut(): void
  /** Delays each chunk from now on, keeping their order. 0: no delay. */
  slow(delayMs: number): void
  restore(): void
}

/** Opens a proxy to the PostgreSQL whose socket is in `host`. New connections follow changes of the address. */
export async function openLine(address: { host: string; port: number }): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  const server = createServer((from) => {
    if (isCut) {
      from.destroy()
      return
    }
    const to = connect(join(address.host, `.s.PGSQL.${address.port}`))
    carry(from, to)
    carry(to, from)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function carry(from: Socket, to: Socket): void {
    let sent = Promise.resolve()
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (piece) => {
      const after = delayMs === 0 ? undefined : new Promise<void>((resolve) => setTimeout(resolve, delayMs))
      sent = sent.then(() => after).then(() => void (to.destroyed || to.write(piece)))
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      void sent.then(() => to.end())
      if (isCut) to.destroy()
    })
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    slow(ms) {
      delayMs = ms
    },
    restore() {
      isCut = false
      delayMs = 0
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
