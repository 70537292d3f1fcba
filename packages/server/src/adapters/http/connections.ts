import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newRandomId } from '@skillrun/core/ids.ts'

/** The open connections of a server. */
export interface Connections {
  /** Closes every idle connection now and every other one after its current requests. */
  endIdle(): void
}

/** Milliseconds that a client has to read a rejection while it is still sending. */
const patienceMs = 2_000

/** Replies to requests that Node's parser rejects, by error code; any other code is a 400. */
const parserFailures: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The headers of the request did not arrive within 20 seconds'],
}

/** Tracks the connections of `server`, and answers requests that its parser rejects in the usual error format. */
export function followConnections(server: Server): Connections {
  /** Requests in progress by connection. */
  const underWay = new Map<Socket, number>()
  let isEnding = false
  server.on('connection', (socket) => {
    underWay.set(socket, 0)
    socket.once('close', () => underWay.delete(socket))
  })
  server.on('request', ({ socket }, outgoing) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    outgoing.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1
      if (underWay.has(socket)) underWay.set(socket, left)
      if (isEnding && left === 0) socket.destroySoon()
    })
  })
  server.on('clientError', (error: Error & { code?: string }, duplex) => {
    const socket = duplex as Socket
    // During a request, these bytes would be taken for a part of its reply.
    if (isEnding || !socket.writable || underWay.get(socket) !== 0) {
      socket.destroy()
      return
    }
    const [status, detail] = parserFailures[error.code ?? ''] ?? [400, 'The request is not well-formed HTTP']
    socket.end(bareReply(status, detail))
    setTimeout(() => socket.destroy(), patienceMs).unref()
  })
  return {
    endIdle() {
      isEnding = true
      for (const [socket, count] of underWay) if (count === 0) socket.destroy()
    },
  }
}

/** A complete HTTP reply as text, for a connection whose parser has failed. */
function bareReply(status: number, detail: string): string {
  const payload = JSON.stringify({ detail })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    `X-Request-Id: ${newRandomId()}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n${payload}`
}
