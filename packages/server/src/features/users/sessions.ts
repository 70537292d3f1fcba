import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { limits } from '../../core/limits.ts'
import { findKeyCaller } from '../keys/keys.ts'
import { scopesOf } from './roles.ts'
import {
  deleteSession,
  dropOldSessions,
  findSessions,
  insertSession,
  keepNewestSessions,
  type SessionAge,
  type SessionRow,
  touchSession,
} from './store.ts'

/** Shortest interval between two recorded uses of a session. */
const touchMs = 60_000

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const sessionAge = (now: Date): SessionAge => ({
  begunAfter: new Date(now.getTime() - limits.sessionMs),
  seenAfter: new Date(now.getTime() - limits.sessionIdleMs),
  now,
})

/** Starts a session, which ends at `endsAt` at the latest, and returns its token, which is stored nowhere. Every sign-in starts a new session. */
export async function beginSession(
  tx: Sql,
  { userId, endsAt, now }: { userId: string; endsAt: Date | null; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertSession(tx, { id: newId(now), userId, sha256: hashOf(token), endsAt, now })
  await dropOldSessions(tx, sessionAge(now))
  await keepNewestSessions(tx, { userId, count: limits.sessionsPerUserMax })
  return token
}

/** Ends the session of a token, if it exists. */
export const endSession = (sql: Sql, token: string): Promise<void> => deleteSession(sql, { sha256: hashOf(token) })

/** Finds the signed-in user; see `SessionGate`. Nothing is cached: an ended session is refused at once. */
export function makeFindSession({ everywhere, clock }: { everywhere: Db; clock: Clock }) {
  return async (token: string, workspaceId: string | undefined): Promise<Caller | undefined> => {
    const now = clock.now()
    const found = await findSessions(everywhere, { sha256: hashOf(token) }, sessionAge(now))
    if (!found) return undefined
    const session = workspaceId === undefined ? found[0] : found.find((one) => one.workspaceId === workspaceId)
    if (!session)
      throw new Fault(
        'forbidden',
        'not_a_member',
        'X-Skillrun-Workspace: you are not a member of a workspace with this id',
      )
    if (Math.abs(now.getTime() - session.seenAt.getTime()) >= touchMs)
      await touchSession(everywhere, { id: session.id, now })
    return callerOfSession(session)
  }
}

const callerOfSession = ({ id, userId, workspaceId, keyId, role, mustChange }: SessionRow): Caller => ({
  ...{ workspaceId, keyId, scopes: mustChange ? [] : scopesOf[role] },
  user: { id: userId, sessionId: id, role, mustChangePassword: mustChange },
})

/** The current caller; undefined: the key, session or membership is no longer valid. */
export function makeRefreshCaller({ everywhere, clock }: { everywhere: Db; clock: Clock }) {
  return async (caller: Caller): Promise<Caller | undefined> => {
    if (!caller.user) return findKeyCaller({ db: everywhere, clock }, caller.keyId)
    const found = await findSessions(everywhere, { id: caller.user.sessionId }, sessionAge(clock.now()))
    const session = found?.find(({ keyId }) => keyId === caller.keyId)
    return session && callerOfSession(session)
  }
}
