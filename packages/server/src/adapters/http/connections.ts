import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newRandomId } from '@skillrun/core/ids.ts'

/** The connections of a server, and what to do with those that have no request under way. */
export interface Connections {
  /** Cuts every connection without a request under way, and each other one at the end of its requests. */
  endIdle(): void
}

/** How long a client that is still sending may take to read its refusal. */
const patienceMs = 2_000

/** What is wrong with a request that the parser could not read, by the parser's word for it; all else is a 400. */
const parserFailures: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The header of the request is larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of a chunk of the body are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The header of the request did not come whole within 20 seconds'],
}

/** Follows the connections of `server`, and answers requests that its parser cannot read as all others are answered. */
export function followConnections(server: Server): Connections {
  /** Requests under way by connection. */
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
    // In the middle of a request a second answer would be taken for a part of its reply.
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

/** A whole reply as bytes, for a connection on which nothing else can be said. */
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
