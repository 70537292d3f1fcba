import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Public addresses that serve the local platform: Azure's platform service. */
const platformAddresses = ['168.63.129.16']
/** The global unicast block that IANA allocates (RFC 4291 section 2.4); all other IPv6 addresses are for special use. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The well-known NAT64 prefix (RFC 6052 section 2.1); the local-use 64:ff9b:1::/48 of RFC 8215 is not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Documentation (RFC 9637); missing in the table of ipaddr.js. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20')

/**
 * Parses an IP address; undefined for anything else, and for addresses with a zone. IPv4 must have four decimal parts:
 * shorter and octal forms are read differently by different parsers.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!isIPv6(text) || text.includes('%')) return undefined
  // Normalised by URL first: ipaddr.js reads `::8.8.8.8` as the mapped address `::ffff:8.8.8.8`.
  return ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
}

/** Names that are never public: RFC 6761, RFC 6762, RFC 8375, and `internal`, which ICANN has reserved. */
const privateNames = /(^|\.)(localhost|local|home\.arpa|internal)\.?$/

/** Whether a host name belongs to private networks, whatever it resolves to. Lower-case, as WHATWG URL returns it. */
export const isPrivateName = (hostname: string): boolean => privateNames.test(hostname)

/** The IPv4 address that an IPv6 address embeds (mapped or NAT64), otherwise the address itself. */
export function unwrapped(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/**
 * Whether an address is on the public internet: not loopback, private, link-local, shared (RFC 6598), multicast,
 * documentation, benchmarking, reserved or metadata, also when embedded in IPv6. 6to4 and Teredo count as not public:
 * both can hide an IPv4 address, and public sites do not use them.
 */
export function isPublicAddress(address: Address): boolean {
  const plain = unwrapped(address)
  if (platformAddresses.includes(plain.toString())) return false
  if (plain.range() !== 'unicast') return false
  if (plain instanceof ipaddr.IPv4) return true
  return plain.match(globalUnicast) && !plain.match(documentation)
}
