import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../core/limits.ts'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * A listener that handles the requests of one connection one after the other (RFC 9112 section 9.3.2), so that a client that
 * pipelines thousands of requests has one in progress. The first request beyond `limits.waitingPerConnection` waiting ones
 * goes to `refuse`, which should answer it and close the connection; later ones are dropped.
 */
export function inTurn(listen: Listener, refuse: Listener): Listener {
  const lines = new WeakMap<Socket, { readonly waiting: (() => void)[]; isFull: boolean }>()
  const next = (socket: Socket): void => {
    // Waiting requests are dropped when their connection has ended.
    const after = socket.destroyed ? undefined : lines.get(socket)?.waiting.shift()
    if (after) after()
    else lines.delete(socket)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const begin = (how: Listener) => () => {
      // A streamed reply has its own close listeners; this is one more. setImmediate lets other connections run before the
      // next request, even after a reply that took no time.
      outgoing.setMaxListeners(outgoing.getMaxListeners() + 1).once('close', () => setImmediate(next, socket))
      how(incoming, outgoing)
    }
    const line = lines.get(socket)
    if (!line) {
      lines.set(socket, { waiting: [], isFull: false })
      begin(listen)()
    } else if (!line.isFull) {
      line.isFull = line.waiting.length >= limits.waitingPerConnection
      line.waiting.push(begin(line.isFull ? refuse : listen))
      if (line.isFull) stopReading(socket)
    }
  }
}

/** Stops reading from a connection. `resume` is overridden because reading a body would resume the socket. */
function stopReading(socket: Socket): void {
  socket.on('resume', () => socket.pause())
  socket.pause()
}
