import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import { brokenConstraint, type Db, type Sql } from '../../adapters/db/db.ts'
import type { Identity } from '../../adapters/identity-provider/identity-provider.ts'
import { recordAction } from '../audit/audit.ts'
import { findFirstWorkspace } from '../keys/keys.ts'
import { emailIn, nameIn, type ProviderPolicy, roleIn } from './provider-policy.ts'
import type { Role } from './roles.ts'
import { beginSession, endSession } from './sessions.ts'
import { recordOfUser } from './sign-in.ts'
import {
  deleteSessionsOf,
  findUserByEmail,
  findUserBySubject,
  insertMember,
  insertUser,
  listMemberships,
  lockUser,
  lockWorkspaces,
  type UserRow,
  writeRole,
  writeSubject,
} from './store.ts'

interface ProviderSignInParts {
  /** Sees every workspace. */
  readonly everywhere: Db
  readonly clock: Clock
  readonly policy: ProviderPolicy
}

/**
 * Signs in the person whom the provider describes, ends the session of `replaced`, and gives the new session's token. The account
 * is that of the person at the provider, or else that of their email address, which belongs to them from then on. Fault
 * `forbidden` where the policy or an admin keeps them out.
 */
export async function signInByProvider(
  parts: ProviderSignInParts,
  identity: Identity,
  { replaced }: { replaced: string | undefined },
): Promise<{ readonly token: string; readonly userId: string }> {
  const { everywhere, policy } = parts
  const email = emailIn(policy, identity)
  const role = roleIn(policy, identity)
  if (role === null) {
    const user = await findUserBySubject(everywhere, identity)
    // The provider took the role away: what the person still has open ends as well.
    if (user) await deleteSessionsOf(everywhere, user.id)
    throw new Fault('forbidden', 'no_role', `${policy.name} gives you no role here; ask your administrator for one`)
  }
  const person = { identity, email, role, replaced }
  return signedIn(parts, person).catch((error: unknown) => {
    // The same person signed in twice at once, and the other sign-in made the account.
    if (!['users_by_email', 'users_by_subject'].includes(brokenConstraint(error)?.name ?? '')) throw error
    return signedIn(parts, person)
  })
}

interface Person {
  readonly identity: Identity
  readonly email: string
  readonly role: Role | undefined
  readonly replaced: string | undefined
}

const signedIn = ({ everywhere, clock, policy }: ProviderSignInParts, { identity, email, role, replaced }: Person) =>
  everywhere.transaction(async (tx) => {
    const now = clock.now()
    const at = { policy, identity, email, role, now }
    const found = (await findUserBySubject(tx, identity)) ?? (await ownerOf(tx, at))
    const userId = found?.id ?? (await addPerson(tx, at))
    const user = await lockUser(tx, userId)
    if (!user || user.disabledAt !== null)
      throw new Fault('forbidden', 'user_disabled', 'Your account here is disabled; ask an admin to enable it')
    await follow(tx, user, at)
    if (!(await recordOfUser(tx, { userId, action: 'user.sign_in', detail: { by: 'provider' }, now })))
      throw new Fault('forbidden', 'no_workspace', 'Your account here belongs to no workspace')
    if (replaced !== undefined) await endSession(tx, replaced)
    const endsAt = new Date(now.getTime() + policy.sessionMs)
    return { token: await beginSession(tx, { userId, endsAt, now }), userId }
  })

interface At {
  readonly policy: ProviderPolicy
  readonly identity: Identity
  readonly email: string
  readonly role: Role | undefined
  readonly now: Date
}

/**
 * The account of the email address. Fault `forbidden` where it belongs to another person of this provider; one of a provider
 * that was used earlier goes on with this one.
 */
async function ownerOf(tx: Sql, { email, identity, policy }: At): Promise<UserRow | undefined> {
  const user = await findUserByEmail(tx, email)
  if (user?.issuer !== identity.issuer) return user
  // The same person signed in twice at once, and the other sign-in made the account just now.
  const own = await findUserBySubject(tx, identity)
  if (own?.id === user.id) return own
  throw new Fault(
    'forbidden',
    'address_of_another',
    `The address ${email} belonged to another person of ${policy.name}: an admin has to remove that user first`,
  )
}

async function addPerson(tx: Sql, { policy, identity, email, role, now }: At): Promise<string> {
  const workspace = await findFirstWorkspace(tx)
  if (!policy.addsUsers || !workspace)
    throw new Fault('forbidden', 'unknown_person', `${email} has no account here; ask an admin to add you`)
  const userId = newId(now)
  const name = nameIn(identity, email)
  await insertUser(tx, { id: userId, email, name, password: null, mustChange: false, createdAt: now })
  const given = role ?? 'viewer'
  const id = await insertMember(tx, {
    ...{ id: newId(now), workspaceId: workspace.id, userId, name, role: given, disabledAt: null, now },
  })
  await recordByProvider(tx, { workspaceId: workspace.id, action: 'user.create', subjectId: id, role: given, now })
  return userId
}

/** Ties the account to the person, and gives it the role of the claim in the first workspace, which is the operator's. */
async function follow(tx: Sql, user: UserRow, { identity, role, now }: At): Promise<void> {
  if (user.issuer !== identity.issuer) {
    await writeSubject(tx, { id: user.id, ...identity })
    await deleteSessionsOf(tx, user.id)
  }
  const workspace = await findFirstWorkspace(tx)
  if (role === undefined || !workspace) return
  await lockWorkspaces(tx, [workspace.id])
  const member = (await listMemberships(tx, user.id)).find((one) => one.workspaceId === workspace.id)
  if (!member || member.role === role) return
  await writeRole(tx, { id: member.id, role })
  await recordByProvider(tx, { workspaceId: workspace.id, action: 'user.update', subjectId: member.id, role, now })
}

const recordByProvider = (
  tx: Sql,
  {
    role,
    ...of
  }: { workspaceId: string; action: 'user.create' | 'user.update'; subjectId: string; role: Role; now: Date },
): Promise<void> => recordAction(tx, { ...of, keyId: null, detail: { role, by: 'provider' } })
