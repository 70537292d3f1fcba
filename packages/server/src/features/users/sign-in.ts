import { createHash } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { RateLimit, RateStanding } from '../../adapters/http/rate.ts'
import type { SignedInUser } from '../../adapters/http/route.ts'
import type { Log } from '../../core/log.ts'
import { type AuditAction, recordAction } from '../audit/audit.ts'
import { type PasswordHasher, weakness } from './passwords.ts'
import { beginSession, endSession } from './sessions.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findUserByEmail,
  listMemberships,
  lockUser,
  type UserRow,
  writePassword,
} from './store.ts'

export interface SignInParts {
  /** Sees every workspace. */
  readonly everywhere: Db
  readonly clock: Clock
  readonly log: Log
  readonly passwords: PasswordHasher
  /** Limits of sign-ins by email address, and by network. */
  readonly limits: { readonly perEmail: RateLimit; readonly perNetwork: RateLimit }
}

/** The normalised form of an email address. */
export const normalEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** The name of an address's counter, which does not reveal the address. */
const counted = (email: string): string => createHash('sha256').update(email).digest('base64url')

/** A sign-in that came too soon after others. */
export interface TooSoon {
  readonly tooSoon: RateStanding
}

/**
 * Signs a user in by password, ends the session of `replaced`, and returns the new session's token. An unknown address, a wrong password,
 * an account without one, a disabled account and one without a workspace get the same refusal (Fault `unauthenticated`) after the same
 * work, so that nobody learns who has an account.
 */
export async function signInByPassword(
  parts: SignInParts,
  given: { email: string; password: string; network: string; replaced: string | undefined },
): Promise<{ readonly token: string; readonly userId: string } | TooSoon> {
  const { everywhere, clock, passwords, limits } = parts
  const email = normalEmail(given.email)
  const standings = await Promise.all([limits.perEmail.count(counted(email)), limits.perNetwork.count(given.network)])
  const tooSoon = standings.find((one) => one.exceeded)
  if (tooSoon) return { tooSoon }
  const user = await findUserByEmail(everywhere, email)
  const hash = user && user.disabledAt === null ? user.password : null
  const isRight = await passwords.matches(given.password, hash)
  if (!user || hash === null || !isRight) {
    noteFailure(parts, { user, network: given.network })
    throw refused()
  }
  const renewed = passwords.isOutdated(hash) ? await passwords.hash(given.password) : undefined
  const token = await everywhere.transaction(async (tx) => {
    const now = clock.now()
    const held = await lockUser(tx, user.id)
    // It was disabled, or its password was changed, during the check.
    if (held?.password !== hash || held.disabledAt !== null) throw refused()
    if (renewed !== undefined) await writePassword(tx, { id: user.id, password: renewed, mustChange: held.mustChange })
    if (!(await recordOfUser(tx, { userId: user.id, action: 'user.sign_in', detail: { by: 'password' }, now })))
      throw refused()
    if (given.replaced !== undefined) await endSession(tx, given.replaced)
    return beginSession(tx, { userId: user.id, endsAt: null, now })
  })
  return { token, userId: user.id }
}

const refused = (): Fault =>
  new Fault('unauthenticated', 'sign_in_refused', 'The email address or the password is not right')

/** Logs a failed sign-in. Do not await it: the reply for an account would come later than one for none. */
function noteFailure(
  { everywhere, clock, log }: SignInParts,
  { user, network }: { user: UserRow | undefined; network: string },
): void {
  log.warn({ network, userId: user?.id }, 'a sign-in was refused')
  if (!user) return
  everywhere
    .transaction((tx) => recordOfUser(tx, { userId: user.id, action: 'user.sign_in_failed', now: clock.now() }))
    .catch((error: unknown) => log.warn({ error }, 'a refused sign-in could not be recorded'))
}

/** Records an action on a user's account in the log of each of their workspaces, and returns their number. */
export async function recordOfUser(
  tx: Sql,
  of: { userId: string; action: AuditAction; detail?: Record<string, string>; now: Date },
): Promise<number> {
  const memberships = await listMemberships(tx, of.userId)
  for (const { workspaceId, id } of memberships)
    await recordAction(tx, {
      // The person behind a failed sign-in is unknown.
      keyId: of.action === 'user.sign_in_failed' ? null : id,
      ...{ workspaceId, action: of.action, subjectId: id, now: of.now },
      ...(of.detail ? { detail: of.detail } : {}),
    })
  return memberships.length
}

/** Ends this session of a user, or all of them. */
export async function signOut(
  { everywhere, clock }: Pick<SignInParts, 'everywhere' | 'clock'>,
  user: SignedInUser,
  { isEverywhere }: { isEverywhere: boolean },
): Promise<void> {
  await everywhere.transaction(async (tx) => {
    await (isEverywhere ? deleteSessionsOf(tx, user.id) : deleteSession(tx, { id: user.sessionId }))
    const detail = { sessions: isEverywhere ? 'all' : 'this' }
    await recordOfUser(tx, { userId: user.id, action: 'user.sign_out', detail, now: clock.now() })
  })
}

/**
 * Changes the password of a signed-in user, ends all their sessions, and returns the token of a new one. Faults `forbidden` for a wrong
 * current password, and `invalid` for a weak new one.
 */
export async function changePassword(
  parts: SignInParts,
  { id, email }: { id: string; email: string },
  given: { current: string; next: string },
): Promise<{ readonly token: string } | TooSoon> {
  const { everywhere, clock, passwords, limits } = parts
  refuseWeak(given.next, email)
  if (given.next.normalize('NFKC') === given.current.normalize('NFKC'))
    throw new Fault('invalid', 'same_password', 'new_password is the current password; choose another one')
  const standing = await limits.perEmail.count(counted(email))
  if (standing.exceeded) return { tooSoon: standing }
  const hash = (await findUserByEmail(everywhere, email))?.password ?? null
  if (!(await passwords.matches(given.current, hash)))
    throw new Fault('forbidden', 'wrong_password', 'current_password is wrong')
  const made = await passwords.hash(given.next)
  const token = await everywhere.transaction(async (tx) => {
    const now = clock.now()
    const held = await lockUser(tx, id)
    if (held?.password !== hash || held.disabledAt !== null)
      throw new Fault('conflict', 'password_changed', 'The password has changed; sign in again')
    await writePassword(tx, { id, password: made, mustChange: false })
    await deleteSessionsOf(tx, id)
    await recordOfUser(tx, { userId: id, action: 'user.change_password', now })
    return beginSession(tx, { userId: id, endsAt: null, now })
  })
  return { token }
}

/** Fault `invalid` for a password that is too easy to guess. */
export function refuseWeak(password: string, email: string): void {
  const why = weakness(password, email)
  if (why !== undefined) throw new Fault('invalid', 'weak_password', why)
}
