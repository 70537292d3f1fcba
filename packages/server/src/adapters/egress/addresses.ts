import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses in public ranges that stand for the machine's own surroundings: Azure's platform service. */
const platformAddresses = ['168.63.129.16']
/** The global unicast block that IANA gives out (RFC 4291 section 2.4); everything else of IPv6 is for special use. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The well-known NAT64 prefix (RFC 6052 section 2.1); the local-use 64:ff9b:1::/48 of RFC 8215 is not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Documentation (RFC 9637), which the table of ipaddr.js does not have. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20')

/**
 * The address that `text` writes; undefined for text that is none, or has a zone. Of IPv4 only the four-part decimal form
 * counts: shorter and octal forms mean different things to different readers.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!isIPv6(text) || text.includes('%')) return undefined
  // Written by URL in groups alone: ipaddr.js reads `::8.8.8.8` as if it were the mapped `::ffff:8.8.8.8`.
  return ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
}

/** Names that never belong to the public internet: RFC 6761, RFC 6762, RFC 8375, and `internal` by a resolution of ICANN. */
const privateNames = /(^|\.)(localhost|local|home\.arpa|internal)\.?$/

/** Whether a host name, lower-case as WHATWG URL gives it, is one of private networks, whatever it resolves to. */
export const isPrivateName = (hostname: string): boolean => privateNames.test(hostname)

/** The IPv4 address that an IPv6 address stands for (mapped, or through NAT64), else the address itself. */
export function unwrapped(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/**
 * Whether an address belongs to the public internet: no loopback, private, link-local, shared (RFC 6598), multicast,
 * documentation, benchmarking, reserved or metadata address, however it is wrapped. 6to4 and Teredo are never public
 * here: nothing that people link to lives there, and both hide an IPv4 address.
 */
export function isPublicAddress(address: Address): boolean {
  const plain = unwrapped(address)
  if (platformAddresses.includes(plain.toString())) return false
  if (plain.range() !== 'unicast') return false
  if (plain instanceof ipaddr.IPv4) return true
  return plain.match(globalUnicast) && !plain.match(documentation)
}
