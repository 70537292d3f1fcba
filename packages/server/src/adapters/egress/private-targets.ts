import { Fault } from '@skillrun/core/fault.ts'
import ipaddr from 'ipaddr.js'
import { type Address, parseAddress, unwrapped } from './addresses.ts'

/** A host that is about to be connected to, and one of its addresses. */
interface Target {
  /** Lower-case, as WHATWG URL returns it but without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  readonly address: Address
}

/** Whether the operator allows a target that is not public. */
export type PrivateTargets = (target: Target) => boolean

/** Allows nothing. */
export const noPrivateTargets: PrivateTargets = () => false

/**
 * Parses `SKILLRUN_ALLOW_PRIVATE`: comma-separated addresses, CIDR blocks or host names, each with an optional port:
 * `127.0.0.1:9000, 10.1.0.0/16, [fd00::1]:80, storage.internal:443`. Without a port, all ports are allowed. Empty text
 * allows nothing. Throws Fault `invalid` (`bad_configuration`) that names the entry.
 */
export function parsePrivateTargets(text: string): PrivateTargets {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry)
  return (target) => entries.some((allows) => allows(target))
}

function parseEntry(entry: string): PrivateTargets {
  const { name, port } = namedIn(entry)
  const isPort = (target: Target) => port === undefined || target.port === port
  if (name.includes('/')) {
    const block = parseBlock(name)
    if (!block) throw badEntry(entry)
    return (target) => isPort(target) && isWithin(target.address, block)
  }
  const address = parseAddress(name)
  if (address) {
    const wanted = unwrapped(address).toString()
    return (target) => isPort(target) && unwrapped(target.address).toString() === wanted
  }
  // Digits and dots that are not an address never match a host: WHATWG URL converts such hosts to addresses.
  if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(name) || /^[\d.]+$/.test(name)) throw badEntry(entry)
  const host = name.toLowerCase()
  return (target) => isPort(target) && target.hostname.replace(/\.$/, '') === host
}

/** The name and the port of an entry. Two or more colons without brackets are an IPv6 address. */
function namedIn(entry: string): { name: string; port: number | undefined } {
  const match = entry.startsWith('[')
    ? /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry)
    : (/^([^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? /^([^[\]]*:[^[\]]*:[^[\]]*)$/.exec(entry))
  const [, name, digits] = match ?? []
  const port = digits === undefined ? undefined : Number(digits)
  const isBadPort = port !== undefined && (port < 1 || port > 65_535)
  if (name === undefined || isBadPort || (entry.startsWith('[') && !name.includes(':'))) throw badEntry(entry)
  return { name, port }
}

function parseBlock(text: string): [Address, number] | undefined {
  const [address, prefix] = text.split('/', 2)
  const parsed = parseAddress(address ?? '')
  if (!parsed || !/^\d{1,3}$/.test(prefix ?? '') || text.split('/').length !== 2) return undefined
  return Number(prefix) <= (parsed.kind() === 'ipv4' ? 32 : 128) ? [parsed, Number(prefix)] : undefined
}

function isWithin(address: Address, [block, prefix]: [Address, number]): boolean {
  const plain = unwrapped(address)
  if (plain instanceof ipaddr.IPv4) return block instanceof ipaddr.IPv4 && plain.match(block, prefix)
  return block instanceof ipaddr.IPv6 && plain.match(block, prefix)
}

const badEntry = (entry: string): Fault =>
  new Fault(
    'invalid',
    'bad_configuration',
    `SKILLRUN_ALLOW_PRIVATE has the entry ${JSON.stringify(entry)}; expected an address, a block such as 10.1.0.0/16 or a host name, with an optional port, such as 127.0.0.1:9000 or [::1]:9000.`,
  )
