import type { IncomingMessage } from 'node:http'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { speaksAnthropic } from './failure-form.ts'
import { type NetworkOf, networkOf } from './network.ts'
import type { RateLimit, RateStanding } from './rate.ts'
import type { Caller, Route } from './route.ts'
import type { SessionCookies } from './session-cookies.ts'

/** Finds signed-in users. */
export interface SessionGate {
  readonly cookies: SessionCookies
  /**
   * The caller with the session of this token, in a workspace by id, or else in their first; undefined: the session has ended. Fault
   * `forbidden` when the user does not belong to the workspace.
   */
  find(token: string, workspaceId: string | undefined): Promise<Caller | undefined>
}

/** Dependencies of authentication and rate limits. */
export interface CallerParts {
  /** Absent: callers need a key. */
  readonly sessions?: SessionGate
  /** The caller with this key; undefined for an unknown, expired or revoked key. */
  readonly authenticate: (key: string) => Promise<Caller | undefined>
  /** The current state of the caller, for long requests; undefined: the key or session is no longer valid. */
  readonly refresh?: (caller: Caller) => Promise<Caller | undefined>
  /** Limits requests per key. */
  readonly rate: RateLimit
  /** Limits of single operations per key; absent: none. */
  readonly routeRates?: ReadonlyMap<string, RateLimit>
  /** Absent: no proxy is trusted. */
  readonly networkOf?: NetworkOf
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
  const caller = (await signedIn(parts, incoming, headers)) ?? (await keyCaller(parts, { route, incoming }, headers))
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
    const by = caller.user ? 'by this user' : 'with this key'
    throw new Fault('limited', 'rate_limited', `More than ${rate.limit} requests a minute${where} ${by}`)
  }
  refuseMissingScope(route, caller)
  return caller
}

type Scoped = Pick<Route, 'scope'>

/** Throws Fault `forbidden` when the key or role of the caller lacks the scope of a route. */
export function refuseMissingScope(route: Scoped, caller: Pick<Caller, 'scopes' | 'user'>): void {
  if (isAllowed(route, caller)) return
  throw caller.user ? roleMissing(route, caller) : scopeMissing(route, caller)
}

const isAllowed = ({ scope }: Scoped, { scopes }: Pick<Caller, 'scopes'>): boolean =>
  scope === 'public' || scope === 'any' || scopes.includes(scope) || scopes.includes('admin')

/** Calls `onOver` when the caller of a long request loses the right to make it. The returned function stops the check. */
export function watchCaller(
  { refresh, log }: Pick<CallerParts, 'refresh'> & { readonly log: Log },
  { route, caller }: { readonly route: Route; readonly caller: Caller | undefined },
  onOver: (reason: Fault) => void,
): () => void {
  if (!refresh || !caller) return () => undefined
  const look = async () => {
    const now = await refresh(caller)
    if (!now || !isAllowed(route, now))
      onOver(new Fault('unauthenticated', 'caller_over', 'The key, session or role of this request is no longer valid'))
  }
  const timer = setInterval(() => {
    // A database that is away says nothing about the caller.
    look().catch((error: unknown) => log.warn({ error }, 'the caller of a long request could not be checked'))
  }, limits.callerCheckMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** The user whose browser sends the request; undefined without a session cookie, or with a key. */
async function signedIn(
  parts: CallerParts,
  incoming: IncomingMessage,
  headers: Record<string, string>,
): Promise<Caller | undefined> {
  const { sessions } = parts
  const sent = incoming.headers as Readonly<Record<string, string | undefined>>
  const token = sessions?.cookies.tokenIn(sent)
  if (!sessions || token === undefined) return undefined
  sessions.cookies.refuseForgery(sent, token)
  const caller = await sessions.find(token, sent['x-skillrun-workspace'])
  if (caller) return caller
  const standing = await countBad(parts, incoming)
  if (standing.exceeded) throw badKey(standing, headers)
  throw new Fault('unauthenticated', 'session_over', 'The session is over; sign in again')
}

async function keyCaller(
  parts: CallerParts,
  { route, incoming }: { readonly route: Route; readonly incoming: IncomingMessage },
  headers: Record<string, string>,
): Promise<Caller> {
  const key = keyIn(route.path, incoming)
  if (!key) throw new Fault('unauthenticated', 'no_key', 'This route needs the header Authorization: Bearer <key>')
  const caller = await parts.authenticate(key)
  if (!caller) throw badKey(await countBad(parts, incoming), headers)
  return caller
}

const countBad = (parts: CallerParts, incoming: IncomingMessage): Promise<RateStanding> =>
  parts.badKeys.count((parts.networkOf ?? networkOf)(incoming))

/** The key that a request shows; undefined without one. Throws Fault `two_keys` when it shows several. */
export function keyIn(path: string, { headersDistinct }: IncomingMessage): string | undefined {
  const [shown, second] = headersDistinct['authorization'] ?? []
  if (second !== undefined) throw twoKeys('Authorization')
  const key = /^Bearer +(\S+)$/i.exec(shown ?? '')?.[1]
  // Anthropic's clients send the key in another header, which only their routes read.
  if (key !== undefined || !speaksAnthropic(path)) return key
  const [anthropic, another] = headersDistinct['x-api-key'] ?? []
  if (another !== undefined) throw twoKeys('x-api-key')
  return /^\S+$/.test(anthropic ?? '') ? anthropic : undefined
}

const twoKeys = (header: string): Fault =>
  new Fault('unauthenticated', 'two_keys', `The request has more than one ${header} header; send one`)

const scopeMissing = ({ scope }: Scoped, { scopes }: Pick<Caller, 'scopes'>): Fault =>
  new Fault(
    'forbidden',
    'scope_missing',
    `This route needs a key with the scope ${scope}; this one has ${scopes.join(', ') || 'none'}`,
  )

const roleMissing = ({ scope }: Scoped, { user, scopes }: Pick<Caller, 'scopes' | 'user'>): Fault =>
  user?.mustChangePassword
    ? new Fault(
        'forbidden',
        'password_change_needed',
        'Somebody else chose your password: change it first (POST /v1/me/password)',
      )
    : new Fault(
        'forbidden',
        'scope_missing',
        `This route needs a role with the scope ${scope}; yours has ${scopes.join(', ')}`,
      )

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
