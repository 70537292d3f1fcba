import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import { brokenConstraint, type Db, type Sql } from '../../adapters/db/db.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { type AuditAction, recordAction } from '../audit/audit.ts'
import { findFirstWorkspace, isFirstWorkspace, workspaceForKeys } from '../keys/keys.ts'
import { type PasswordHasher, randomPassword } from './passwords.ts'
import type { ProviderPolicy } from './provider-policy.ts'
import type { Role } from './roles.ts'
import { normalEmail, refuseWeak } from './sign-in.ts'
import {
  deleteSessionsOf,
  eraseUser,
  findMember,
  findUserByEmail,
  insertMember,
  insertUser,
  listMembers,
  listMemberships,
  listSigningAdmins,
  lockUser,
  lockWorkspaces,
  type Member,
  revokeMember,
  writeDisabled,
  writeName,
  writePassword,
  writeRole,
} from './store.ts'

export interface ManageParts {
  /** Sees every workspace. */
  readonly everywhere: Db
  readonly clock: Clock
  readonly passwords: PasswordHasher
  /** The identity provider by which people sign in, if there is one. */
  readonly provider?: Pick<ProviderPolicy, 'emailDomains'> | undefined
}

/** An admin's call on the users of a workspace: their own, or one that an admin of the first workspace names. */
export interface AdminCall {
  readonly caller: Caller
  readonly workspace: string | null
}

/** Replaces the name of a deleted account. */
const erasedName = 'Deleted user'

/** A user, with a generated password. */
export interface WithPassword {
  readonly member: Member
  /** Shown only once; null: none was generated. */
  readonly password: string | null
}

const workspaceOf = (sql: Sql, { clock }: ManageParts, { caller, workspace }: AdminCall) =>
  workspaceForKeys({ sql, clock }, caller, { name: workspace, make: false })

export async function listUsers(parts: ManageParts, call: AdminCall): Promise<readonly Member[]> {
  return listMembers(parts.everywhere, (await workspaceOf(parts.everywhere, parts, call)).id)
}

/** The hash of a given password, or of a generated one; null: no password. */
async function passwordFor(
  { passwords }: ManageParts,
  { email, given }: { email: string; given: string | null | undefined },
): Promise<{ readonly hash: string | null; readonly shown: string | null }> {
  if (given === null) return { hash: null, shown: null }
  if (given !== undefined) refuseWeak(given, email)
  const text = given ?? randomPassword()
  return { hash: await passwords.hash(text), shown: given === undefined ? text : null }
}

/**
 * Adds a person to a workspace. If the email address has an account in other workspaces, only an admin of the first one can do so, and the
 * account does not change. Fault `conflict` otherwise.
 */
export async function addUser(
  parts: ManageParts,
  call: AdminCall & { email: string; name: string | undefined; role: Role; password: string | null | undefined },
): Promise<WithPassword> {
  const email = normalEmail(call.email)
  const { hash, shown } = await passwordFor(parts, { email, given: call.password })
  const adding = parts.everywhere.transaction(async (tx) => {
    const now = parts.clock.now()
    const workspace = await workspaceOf(tx, parts, call)
    const found = await findUserByEmail(tx, email)
    const known = found && (await lockUser(tx, found.id))
    if (known && (await listMemberships(tx, known.id)).some((one) => one.workspaceId === workspace.id))
      throw new Fault('conflict', 'user_exists', `${email} is already a user of the workspace ${workspace.name}`)
    if (known && !(await isFirstWorkspace(tx, call.caller.workspaceId)))
      throw new Fault(
        'conflict',
        'account_elsewhere',
        `${email} has an account in another workspace; an admin of the first workspace can add it to this one`,
      )
    const name = known?.name ?? call.name ?? email
    const userId = known?.id ?? newId(now)
    if (!known)
      await insertUser(tx, { id: userId, email, name, password: hash, mustChange: hash !== null, createdAt: now })
    const id = await insertMember(tx, {
      ...{ id: newId(now), workspaceId: workspace.id, userId, name, role: call.role, now },
      disabledAt: known?.disabledAt ?? null,
    })
    await record(tx, { call, workspaceId: workspace.id, action: 'user.create', id, detail: { role: call.role }, now })
    return { member: await loadMember(tx, { workspaceId: workspace.id, id }), password: known ? null : shown }
  })
  return adding.catch((error: unknown) => {
    if (brokenConstraint(error)?.name !== 'users_by_email') throw error
    throw new Fault('conflict', 'user_exists', `Somebody else just added ${email}`)
  })
}

/** Changes a role, a name, or whether a user can sign in. Faults `missing`, `forbidden` and `conflict`. */
export async function changeUser(
  parts: ManageParts,
  call: AdminCall & {
    id: string
    role?: Role | null | undefined
    name?: string | null | undefined
    disabled?: boolean | null | undefined
  },
): Promise<Member> {
  const { role, name, disabled } = call
  return onMember(parts, call, async (tx, { member, now }) => {
    const { user, workspaceId } = member
    if (role && role !== member.role) {
      await refuseLastAdmin(tx, parts, [member])
      await writeRole(tx, { id: member.id, role })
    }
    if (name && name !== user.name) {
      await refuseOthersAccount(tx, call, member)
      await writeName(tx, { id: user.id, name })
    }
    if (typeof disabled === 'boolean' && disabled !== (user.disabledAt !== null)) {
      await refuseOthersAccount(tx, call, member)
      if (disabled) {
        await refuseLastAdmin(tx, parts, await listMemberships(tx, user.id))
        await deleteSessionsOf(tx, user.id)
      }
      await writeDisabled(tx, { id: user.id, at: disabled ? now : null })
    }
    const detail = {
      ...(role ? { role } : {}),
      ...(name ? { renamed: true } : {}),
      ...(typeof disabled === 'boolean' ? { disabled } : {}),
    }
    await record(tx, { call, workspaceId, action: 'user.update', id: member.id, detail, now })
    return loadMember(tx, member)
  })
}

/** Removes a user from a workspace. Removal from the last workspace deletes the account with all personal data. */
export async function removeUser(parts: ManageParts, call: AdminCall & { id: string }): Promise<Member> {
  return onMember(parts, call, async (tx, { member, now }) => {
    await refuseLastAdmin(tx, parts, [member])
    await revokeMember(tx, { id: member.id, now })
    await record(tx, { call, workspaceId: member.workspaceId, action: 'user.remove', id: member.id, detail: {}, now })
    if ((await listMemberships(tx, member.user.id)).length === 0) {
      await deleteSessionsOf(tx, member.user.id)
      await eraseUser(tx, { id: member.user.id, name: erasedName, now })
    }
    return member
  })
}

/** Sets a new password, which the user has to change, and ends their sessions. */
export async function resetPassword(
  parts: ManageParts,
  call: AdminCall & { id: string; password: string | undefined },
): Promise<WithPassword> {
  const workspace = await workspaceOf(parts.everywhere, parts, call)
  const { email } = (await loadMember(parts.everywhere, { workspaceId: workspace.id, id: call.id })).user
  const { hash, shown } = await passwordFor(parts, { email, given: call.password })
  const member = await onMember(parts, call, async (tx, { member, now }) => {
    await refuseOthersAccount(tx, call, member)
    await writePassword(tx, { id: member.user.id, password: hash ?? '', mustChange: true })
    await deleteSessionsOf(tx, member.user.id)
    const { workspaceId, id } = member
    await record(tx, { call, workspaceId, action: 'user.reset_password', id, detail: {}, now })
    return loadMember(tx, member)
  })
  return { member, password: shown }
}

/** Makes an account admin of the first workspace if its address has none yet. */
export async function ensureFirstAdmin(
  parts: ManageParts,
  first: { email: string; password: string | null },
): Promise<void> {
  const email = normalEmail(first.email)
  const workspace = await findFirstWorkspace(parts.everywhere)
  if (!workspace || (await findUserByEmail(parts.everywhere, email))) return
  const workspaceId = workspace.id
  const { hash } = await passwordFor(parts, { email, given: first.password })
  await parts.everywhere.transaction(async (tx) => {
    const now = parts.clock.now()
    await lockWorkspaces(tx, [workspaceId])
    // A concurrent process was first.
    if (await findUserByEmail(tx, email)) return
    const userId = newId(now)
    await insertUser(tx, { id: userId, email, name: email, password: hash, mustChange: false, createdAt: now })
    const member = { id: newId(now), workspaceId, userId, name: email, role: 'admin', disabledAt: null, now } as const
    const id = await insertMember(tx, member)
    const detail = { role: 'admin' }
    await recordAction(tx, { workspaceId, keyId: null, action: 'user.create', subjectId: id, detail, now })
  })
}

async function loadMember(sql: Sql, of: { workspaceId: string; id: string }): Promise<Member> {
  const id = of.id.toLowerCase()
  const member = isId(id) ? await findMember(sql, { workspaceId: of.workspaceId, id }) : undefined
  if (!member) throw new Fault('missing', 'unknown_user', 'This workspace has no user with this id')
  return member
}

/** Changes a member under locks of the account and of the admins of its workspaces. */
async function onMember<T>(
  parts: ManageParts,
  call: AdminCall & { id: string },
  work: (tx: Sql, at: { member: Member; now: Date }) => Promise<T>,
): Promise<T> {
  return parts.everywhere.transaction(async (tx) => {
    const workspace = await workspaceOf(tx, parts, call)
    const of = { workspaceId: workspace.id, id: call.id }
    const { user } = await loadMember(tx, of)
    await lockUser(tx, user.id)
    const places = (await listMemberships(tx, user.id)).map((one) => one.workspaceId)
    await lockWorkspaces(tx, [...places, workspace.id])
    // Read again, because it may have changed before the lock.
    return work(tx, { member: await loadMember(tx, of), now: parts.clock.now() })
  })
}

/** Fault `conflict` if one of these memberships is that of a workspace's last admin who can sign in. */
async function refuseLastAdmin(tx: Sql, { provider }: ManageParts, memberships: readonly Member[]): Promise<void> {
  for (const { workspaceId, workspace, user } of memberships) {
    const ids = await listSigningAdmins(tx, { workspaceId, domains: provider?.emailDomains ?? null })
    if (ids.length > 1 || ids[0] !== user.id) continue
    throw new Fault(
      'conflict',
      'last_admin',
      `${user.email} is the last admin of the workspace ${workspace}: make somebody else admin first`,
    )
  }
}

/**
 * Fault `forbidden` if an account is also used in other workspaces and the caller is not an admin of the first one: an admin must not enter
 * other workspaces by taking over an account.
 */
async function refuseOthersAccount(tx: Sql, { caller }: AdminCall, { user, workspaceId }: Member): Promise<void> {
  const elsewhere = (await listMemberships(tx, user.id)).some((one) => one.workspaceId !== workspaceId)
  if (!elsewhere || (await isFirstWorkspace(tx, caller.workspaceId))) return
  throw new Fault(
    'forbidden',
    'account_elsewhere',
    'This account is also used in another workspace: only an admin of the first workspace can change its name or password, or disable it',
  )
}

const record = (
  tx: Sql,
  of: {
    call: AdminCall
    workspaceId: string
    action: AuditAction
    id: string
    detail: Record<string, string | boolean>
    now: Date
  },
): Promise<void> =>
  recordAction(tx, {
    workspaceId: of.workspaceId,
    keyId: of.call.caller.keyId,
    action: of.action,
    subjectId: of.id,
    detail: of.detail,
    now: of.now,
  })
