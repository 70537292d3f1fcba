import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Finds the client's IPv4 address, or the /64 network of its IPv6 address, the smallest that one customer gets. */
export type NetworkOf = (incoming: IncomingMessage) => string

/** Addresses and blocks such as `10.0.0.5,10.1.0.0/16`; undefined for any other text. */
export function parseAddressBlocks(text: string): BlockList | undefined {
  const blocks = new BlockList()
  for (const part of text.split(',').filter(Boolean)) {
    const [, base = '', bits] = /^\s*([\da-f.:]+)(?:\/(\d{1,3}))?\s*$/i.exec(part) ?? []
    const version = isIP(base)
    const whole = version === 4 ? 32 : 128
    if (version === 0 || Number(bits ?? 0) > whole) return undefined
    blocks.addSubnet(base, Number(bits ?? whole), version === 4 ? 'ipv4' : 'ipv6')
  }
  return blocks
}

/**
 * Networks of clients behind these proxies. Each proxy adds the address that it sees to the end of X-Forwarded-For, so that the last one which is
 * no proxy's own is true, whatever a client writes before it.
 */
export function networksBehind(proxies: BlockList): NetworkOf {
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return ({ headers, socket }) => {
    const named = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = socket.remoteAddress ?? ''
    while (isIP(address) !== 0 && isProxy(address)) {
      const before = named.pop()?.trim() ?? ''
      if (isIP(before) === 0) break
      address = before
    }
    return networkText(address)
  }
}

/** Without proxies: the other end of the connection. */
export const networkOf: NetworkOf = ({ socket: { remoteAddress = '' } }) => networkText(remoteAddress)

function networkText(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const plain = ipaddr.process(address)
  return plain instanceof ipaddr.IPv6 ? plain.parts.slice(0, 4).join(':') : plain.toString()
}
