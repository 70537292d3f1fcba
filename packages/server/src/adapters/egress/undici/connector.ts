import { lookup } from 'node:dns/promises'
import { Fault } from '@skillrun/core/fault.ts'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { isPrivateName, isPublicAddress, parseAddress } from '../addresses.ts'
import type { PrivateTargets } from '../private-targets.ts'

/** All addresses of a host name. Rejects or returns an empty list when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Resolves as the operating system does, including its hosts file. */
const lookUp: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map((found) => found.address)

/**
 * Shares one lookup between concurrent callers of a name. A lookup occupies one of the few threads of libuv's pool until it
 * is answered; without sharing, a name whose servers are silent would occupy them all.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const looks = new Map<string, Promise<readonly string[]>>()
  return (hostname) => {
    const under = looks.get(hostname)
    if (under) return under
    const look = resolve(hostname).finally(() => looks.delete(hostname))
    looks.set(hostname, look)
    return look
  }
}

export const resolveBySystem: Resolve = shareLookups(lookUp)

/** Addresses of one host that are tried in order. */
const addressesTriedMax = 4

/** Rules for connections. */
export interface ConnectorParts {
  readonly resolve: Resolve
  readonly isAllowed: PrivateTargets
  /** Timeout for each address in milliseconds, and for resolving the name. */
  readonly connectMs: number
}

/**
 * Connects only to checked addresses. A host with any address that is neither public nor allowed is rejected entirely,
 * with Fault `url_forbidden`.
 */
export function checkingConnector(parts: ConnectorParts): buildConnector.connector {
  const connect = buildConnector({ timeout: parts.connectMs, allowH2: false, maxCachedSessions: 0 })
  return (options, callback) => {
    const { hostname, port } = targetOf(options)
    checkedAddresses(parts, hostname, port).then(
      (addresses) => {
        const isLiteral = parseAddress(hostname) !== undefined
        // Certificates are verified against the host name, not the address.
        const servername = isLiteral ? undefined : hostname.replace(/\.$/, '')
        const tryFrom = (index: number) => {
          connect(
            { ...options, hostname: addresses[index] ?? '', port: String(port), ...(servername ? { servername } : {}) },
            (...result) => {
              if (result[0] !== null && index + 1 < addresses.length) tryFrom(index + 1)
              else callback(...result)
            },
          )
        }
        tryFrom(0)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** Host and port of a URL. */
export const targetOf = (url: Pick<URL, 'hostname' | 'protocol'> & { readonly port: string | undefined }) => ({
  hostname: url.hostname.replace(/^\[|\]$/g, ''),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
})

/** The addresses of a host that may be connected to. Throws Fault `url_forbidden`, `url_unreachable` or `url_timeout`. */
export async function checkedAddresses(
  parts: ConnectorParts,
  hostname: string,
  port: number,
): Promise<readonly string[]> {
  const found = parseAddress(hostname) ? [hostname] : await resolved(parts, hostname)
  const mayBePublic = !isPrivateName(hostname)
  const checked = found.map((text) => {
    const address = parseAddress(text)
    const isPublic = address && mayBePublic && isPublicAddress(address)
    if (address && (isPublic || parts.isAllowed({ hostname, port, address }))) return address.toString()
    throw forbidden(hostname)
  })
  return checked.slice(0, addressesTriedMax)
}

/** Throws Fault `url_forbidden` for a name of private networks that the configuration does not allow. */
export function refusePrivateName(
  { isAllowed }: Pick<ConnectorParts, 'isAllowed'>,
  hostname: string,
  port: number,
): void {
  if (isPrivateName(hostname) && !isAllowed({ hostname, port, address: noAddress })) throw forbidden(hostname)
}

/** A placeholder for an unresolved name, so that entries that name the host still match. */
const noAddress = new ipaddr.IPv4([0, 0, 0, 0])

async function resolved(parts: ConnectorParts, hostname: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Fault('timeout', 'url_timeout', `Resolving ${hostname} took too long`)),
      parts.connectMs,
    )
  })
  try {
    const found = await Promise.race([parts.resolve(hostname), late])
    if (found.length > 0) return found
  } catch (error) {
    if (error instanceof Fault) throw error
  } finally {
    clearTimeout(timer)
  }
  throw new Fault('upstream', 'url_unreachable', `The host ${hostname} has no address`)
}

/** The message omits the address, so that callers cannot probe internal names. */
const forbidden = (hostname: string): Fault =>
  new Fault(
    'invalid',
    'url_forbidden',
    `The host ${hostname} is not on the public internet; an operator can allow it with SKILLRUN_ALLOW_PRIVATE`,
  )
