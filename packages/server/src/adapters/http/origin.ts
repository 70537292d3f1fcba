import type { IncomingMessage } from 'node:http'

/** A Host header that names this machine. */
export const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Scheme, host and port at which this server was reached: the local address of the connection. The Host header can be
 * forged, so it is only used when it names this machine, as behind a mapped port.
 */
export function originOf(incoming: IncomingMessage): string {
  const host = incoming.headers.host ?? ''
  if (loopbackHost.test(host)) return `http://${host}`
  const { localAddress = '127.0.0.1', localPort = 80 } = incoming.socket
  const address = localAddress.replace(/^::ffff:(?=\d)/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}

/** Whether a request has several Host headers: a proxy in front may have used another one (RFC 9112, 3.2). */
export const hasTwoHosts = (incoming: IncomingMessage): boolean => (incoming.headersDistinct['host']?.length ?? 0) > 1
