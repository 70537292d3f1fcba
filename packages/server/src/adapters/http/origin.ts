import type { IncomingMessage } from 'node:http'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Scheme, host and port at which this server was reached: the address that the connection came in on. The Host header is
 * whatever a client or a proxy writes, so it is followed only where it names this machine itself, as behind a mapped port.
 */
export function originOf(incoming: IncomingMessage): string {
  const host = incoming.headers.host ?? ''
  if (loopback.test(host)) return `http://${host}`
  const { localAddress = '127.0.0.1', localPort = 80 } = incoming.socket
  const address = localAddress.replace(/^::ffff:(?=\d)/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}

/** Whether a request has several Host headers: what stands before this server may have believed another one (RFC 9112, 3.2). */
export const hasTwoHosts = (incoming: IncomingMessage): boolean => (incoming.headersDistinct['host']?.length ?? 0) > 1
