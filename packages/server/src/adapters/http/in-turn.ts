import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../core/limits.ts'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * The same listener, which hears of a request when the one before it on its connection is answered (RFC 9112 section 9.3.2): a
 * client that sends thousands at once has one of them worked on, as everybody else. `refuse` is told of the first
 * that comes while more than `limits.waitingPerConnection` wait, and should answer it and close; those behind it are not heard.
 */
export function inTurn(listen: Listener, refuse: Listener): Listener {
  const lines = new WeakMap<Socket, { readonly waiting: (() => void)[]; isFull: boolean }>()
  const next = (socket: Socket): void => {
    // Those that wait are told nothing when their connection has ended.
    const after = socket.destroyed ? undefined : lines.get(socket)?.waiting.shift()
    if (after) after()
    else lines.delete(socket)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const begin = (how: Listener) => () => {
      // One more than those who follow a reply that is streamed.
      // Others are served before the next, also where a reply took no time.
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
      if (line.isFull) readNoMore(socket)
    }
  }
}

/** What was not read yet need not be understood; whoever reads a body would have the connection read on. */
function readNoMore(socket: Socket): void {
  socket.on('resume', () => socket.pause())
  socket.pause()
}
