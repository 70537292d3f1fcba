import type { IncomingMessage } from 'node:http'
import { Fault } from '@skillrun/core/fault.ts'
import ipaddr from 'ipaddr.js'
import { speaksAnthropic } from './failure-form.ts'
import type { RateLimit, RateStanding } from './rate.ts'
import type { Caller, Route } from './route.ts'

/** Dependencies of authentication and rate limits. */
export interface CallerParts {
  /** The caller with this key; undefined for a key that is unknown, expired or revoked. */
  readonly authenticate: (key: string) => Promise<Caller | undefined>
  /** Limits requests per key. */
  readonly rate: RateLimit
  /** Limits of single operations per key; absent: no operation has its own limit. */
  readonly routeRates?: ReadonlyMap<string, RateLimit>
  /** Limits invalid keys per client network. Valid keys from the same network still work. */
  readonly badKeys: RateLimit
}

/**
 * Authenticates and authorises the caller of a route; undefined on a public route. Adds the X-RateLimit-* headers to
 * `headers`, those of the reply. Throws Faults `unauthenticated`, `limited` and `forbidden`.
 */
export async function callerOf(
  parts: CallerParts,
  { route, incoming }: { readonly route: Route; readonly incoming: IncomingMessage },
  headers: Record<string, string>,
): Promise<Caller | undefined> {
  if (route.scope === 'public') return undefined
  const shown = incoming.headersDistinct['authorization'] ?? []
  if (shown.length > 1)
    throw new Fault('unauthenticated', 'two_keys', 'The request has more than one Authorization header; send one')
  const key = /^Bearer +(\S+)$/i.exec(shown[0] ?? '')?.[1] ?? anthropicKeyOf(route, incoming)
  if (!key) throw new Fault('unauthenticated', 'no_key', 'This route needs the header Authorization: Bearer <key>')
  const caller = await parts.authenticate(key)
  if (!caller) throw badKey(await parts.badKeys.count(networkOf(incoming.socket.remoteAddress ?? '')), headers)
  const [whole, ofRoute] = await Promise.all([
    parts.rate.count(caller.keyId),
    parts.routeRates?.get(route.operation)?.count(caller.keyId),
  ])
  // The headers report the limit with fewer requests left.
  const rate = ofRoute && !whole.exceeded && ofRoute.remaining <= whole.remaining ? ofRoute : whole
  headers['X-RateLimit-Limit'] = String(rate.limit)
  headers['X-RateLimit-Remaining'] = String(rate.remaining)
  headers['X-RateLimit-Reset'] = String(rate.resetSeconds)
  if (rate.exceeded) {
    headers['Retry-After'] = String(rate.resetSeconds)
    const where = rate === whole ? '' : ` to ${route.operation}`
    throw new Fault('limited', 'rate_limited', `More than ${rate.limit} requests a minute${where} with this key`)
  }
  refuseMissingScope(route, caller)
  return caller
}

/** Throws Fault `forbidden` when the key of the caller lacks the scope of a route. */
export function refuseMissingScope({ scope }: Pick<Route, 'scope'>, { scopes }: Pick<Caller, 'scopes'>): void {
  if (scope === 'public' || scope === 'any' || scopes.includes(scope) || scopes.includes('admin')) return
  throw new Fault(
    'forbidden',
    'scope_missing',
    `This route needs a key with the scope ${scope}; this one has ${scopes.join(', ') || 'none'}`,
  )
}

/** Clients of Anthropic send the key in a header of its own; only their routes read it. */
function anthropicKeyOf({ path }: Route, incoming: IncomingMessage): string | undefined {
  if (!speaksAnthropic(path)) return undefined
  const [key, another] = incoming.headersDistinct['x-api-key'] ?? []
  if (another !== undefined)
    throw new Fault('unauthenticated', 'two_keys', 'The request has more than one x-api-key header; send one')
  return /^\S+$/.test(key ?? '') ? key : undefined
}

function badKey(standing: RateStanding, headers: Record<string, string>): Fault {
  if (!standing.exceeded)
    return new Fault('unauthenticated', 'bad_key', 'The key is not valid: it is unknown, expired or revoked')
  headers['Retry-After'] = String(standing.resetSeconds)
  return new Fault(
    'limited',
    'too_many_bad_keys',
    `More than ${standing.limit} requests a minute with invalid keys from this address`,
  )
}

/** An IPv4 address, or the /64 network of an IPv6 address, the smallest that one customer gets. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const plain = ipaddr.process(address)
  return plain instanceof ipaddr.IPv6 ? plain.parts.slice(0, 4).join(':') : plain.toString()
}
