import type { Sql } from '../../adapters/db/db.ts'
import type { Role } from './roles.ts'

/** An account. */
export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password: string | null
  readonly mustChange: boolean
  /** The identity provider by which this person signs in. */
  readonly issuer: string | null
  readonly createdAt: Date
  readonly signedInAt: Date | null
  readonly disabledAt: Date | null
}

const userColumns = `u.id, u.email, u.name, u.password, u.must_change as "mustChange", u.oidc_issuer as issuer,
  u.created_at as "createdAt", u.signed_in_at as "signedInAt", u.disabled_at as "disabledAt"`

/** A user in a workspace. `id` is that of the membership, which is the actor there. */
export interface Member {
  readonly id: string
  readonly workspaceId: string
  readonly workspace: string
  readonly role: Role
  readonly user: UserRow
}

type MemberRow = Omit<Member, 'user'> & Omit<UserRow, 'id'> & { readonly userId: string }

const memberColumns = `${userColumns.replace('u.id', 'u.id as "userId"')}, k.id, k.workspace_id as "workspaceId", w.name as workspace, k.role`
const members = `keys k join users u on u.id = k.user_id join workspaces w on w.id = k.workspace_id`

const memberOf = ({ id, workspaceId, workspace, role, userId, ...user }: MemberRow): Member => ({
  id,
  workspaceId,
  workspace,
  role,
  user: { ...user, id: userId },
})

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(`select ${userColumns} from users u where u.email = $1`, [email])
  return row
}

/** The account that a person has at a provider. */
export async function findUserBySubject(
  sql: Sql,
  of: { issuer: string; subject: string },
): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(
    `select ${userColumns} from users u where u.oidc_issuer = $1 and u.oidc_subject = $2`,
    [of.issuer, of.subject],
  )
  return row
}

/** From now on the account belongs to this person at the provider, who alone can sign in: its password is dropped. */
export async function writeSubject(tx: Sql, user: { id: string; issuer: string; subject: string }): Promise<void> {
  await tx.query(
    'update users set oidc_issuer = $2, oidc_subject = $3, password = null, must_change = false where id = $1',
    [user.id, user.issuer, user.subject],
  )
}

/** The account, locked until the transaction ends. */
export async function lockUser(tx: Sql, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>(
    `select ${userColumns} from users u where u.id = $1 and u.deleted_at is null for no key update`,
    [id],
  )
  return row
}

export async function hasUsers(sql: Sql): Promise<boolean> {
  const rows = await sql.query('select 1 from users where password is not null limit 1')
  return rows.length > 0
}

export async function insertUser(
  tx: Sql,
  user: Pick<UserRow, 'id' | 'email' | 'name' | 'password' | 'mustChange' | 'createdAt'>,
): Promise<void> {
  await tx.query(
    'insert into users (id, email, name, password, must_change, created_at) values ($1, $2, $3, $4, $5, $6)',
    [user.id, user.email, user.name, user.password, user.mustChange, user.createdAt],
  )
}

export async function writePassword(
  tx: Sql,
  user: { id: string; password: string; mustChange: boolean },
): Promise<void> {
  await tx.query('update users set password = $2, must_change = $3 where id = $1', [
    user.id,
    user.password,
    user.mustChange,
  ])
}

/** Disables an account from `at` on, or enables it. Also ends its memberships, for features that see no account. */
export async function writeDisabled(tx: Sql, user: { id: string; at: Date | null }): Promise<void> {
  await tx.query('update keys set expires_at = $2 where user_id = $1', [user.id, user.at])
  await tx.query('update users set disabled_at = $2 where id = $1', [user.id, user.at])
}

/** The name of an account and of its memberships, which other features show. */
export async function writeName(tx: Sql, user: { id: string; name: string }): Promise<void> {
  await tx.query('update users set name = $2 where id = $1', [user.id, user.name])
  await tx.query('update keys set name = $2 where user_id = $1', [user.id, user.name])
}

/** Deletes all personal data of an account; the row and its memberships stay, to distinguish its actions from those of others. */
export async function eraseUser(tx: Sql, user: { id: string; name: string; now: Date }): Promise<void> {
  await tx.query(
    `update users set email = null, name = $2, password = null, oidc_issuer = null, oidc_subject = null, deleted_at = $3
     where id = $1`,
    [user.id, user.name, user.now],
  )
  await tx.query('update keys set name = $2 where user_id = $1', [user.id, user.name])
}

/** The active memberships of an account, oldest first. */
export async function listMemberships(sql: Sql, userId: string): Promise<readonly Member[]> {
  const rows = await sql.query<MemberRow>(
    `select ${memberColumns} from ${members} where k.user_id = $1 and k.revoked_at is null order by k.created_at, k.id`,
    [userId],
  )
  return rows.map(memberOf)
}

/** The people of a workspace, by name. */
export async function listMembers(sql: Sql, workspaceId: string): Promise<readonly Member[]> {
  const rows = await sql.query<MemberRow>(
    `select ${memberColumns} from ${members} where k.workspace_id = $1 and k.revoked_at is null
     order by lower(u.name), u.email limit 1000`,
    [workspaceId],
  )
  return rows.map(memberOf)
}

export async function findMember(sql: Sql, of: { workspaceId: string; id: string }): Promise<Member | undefined> {
  const [row] = await sql.query<MemberRow>(
    `select ${memberColumns} from ${members} where k.workspace_id = $1 and k.id = $2 and k.revoked_at is null`,
    [of.workspaceId, of.id],
  )
  return row && memberOf(row)
}

/** Creates or restores a membership, and returns its id. */
export async function insertMember(
  tx: Sql,
  member: {
    id: string
    workspaceId: string
    userId: string
    name: string
    role: Role
    disabledAt: Date | null
    now: Date
  },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into keys (id, workspace_id, name, hint, scopes, created_at, user_id, role, expires_at)
     values ($1, $2, $3, '', '{}', $4, $5, $6, $7)
     on conflict (workspace_id, user_id) where user_id is not null
     do update set revoked_at = null, role = excluded.role, name = excluded.name, expires_at = excluded.expires_at
     returning id`,
    [member.id, member.workspaceId, member.name, member.now, member.userId, member.role, member.disabledAt],
  )
  return row?.id ?? member.id
}

export async function writeRole(tx: Sql, member: { id: string; role: Role }): Promise<void> {
  await tx.query('update keys set role = $2 where id = $1 and user_id is not null', [member.id, member.role])
}

export async function revokeMember(tx: Sql, member: { id: string; now: Date }): Promise<void> {
  await tx.query('update keys set revoked_at = $2 where id = $1 and user_id is not null', [member.id, member.now])
}

/** Serialises transactions that change the admins of these workspaces. */
export async function lockWorkspaces(tx: Sql, ids: readonly string[]): Promise<void> {
  await tx.query('select 1 from workspaces where id = any($1) order by id for no key update', [ids])
}

/**
 * The accounts of admins of a workspace who have a way to sign in: a password, or the provider, which people with an address at one of
 * these domains can use. No domains: everybody; null: there is no provider.
 */
export async function listSigningAdmins(
  sql: Sql,
  of: { workspaceId: string; domains: readonly string[] | null },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select u.id from keys k join users u on u.id = k.user_id
     where k.workspace_id = $1 and k.role = 'admin' and k.revoked_at is null and u.disabled_at is null
       and (u.password is not null or cardinality($2::text[]) = 0 or split_part(u.email, '@', 2) = any($2))`,
    [of.workspaceId, of.domains],
  )
  return rows.map(({ id }) => id)
}

/** A session with a membership of its user. */
export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly mustChange: boolean
  readonly seenAt: Date
  readonly keyId: string
  readonly workspaceId: string
  readonly role: Role
}

/** Validity of sessions: begun after `begunAfter` and used after `seenAfter`. */
export interface SessionAge {
  readonly begunAfter: Date
  readonly seenAfter: Date
  readonly now: Date
}

const holds = `s.created_at > $2 and s.seen_at > $3 and (s.ends_at is null or s.ends_at > $4)
  and u.disabled_at is null and u.deleted_at is null`

/** A session by the hash of its token, or by its id, once per membership of its user, oldest first. */
export async function findSessions(
  sql: Sql,
  by: { sha256: Buffer } | { id: string },
  age: SessionAge,
): Promise<readonly [SessionRow, ...SessionRow[]] | undefined> {
  const [first, ...others] = await sql.query<SessionRow>(
    `select s.id, s.user_id as "userId", u.must_change as "mustChange", s.seen_at as "seenAt", k.id as "keyId",
       k.workspace_id as "workspaceId", k.role
     from user_sessions s join users u on u.id = s.user_id join keys k on k.user_id = u.id and k.revoked_at is null
     where s.${'id' in by ? 'id' : 'sha256'} = $1 and ${holds} order by k.created_at, k.id`,
    ['id' in by ? by.id : by.sha256, age.begunAfter, age.seenAfter, age.now],
  )
  return first && [first, ...others]
}

export async function insertSession(
  tx: Sql,
  session: { id: string; userId: string; sha256: Buffer; endsAt: Date | null; now: Date },
): Promise<void> {
  await tx.query(
    'insert into user_sessions (id, user_id, sha256, created_at, seen_at, ends_at) values ($1, $2, $3, $4, $4, $5)',
    [session.id, session.userId, session.sha256, session.now, session.endsAt],
  )
  await tx.query('update users set signed_in_at = $2 where id = $1', [session.userId, session.now])
}

/** Ends all sessions of a user except the newest `count`. */
export async function keepNewestSessions(tx: Sql, of: { userId: string; count: number }): Promise<void> {
  await tx.query(
    `delete from user_sessions where id in
       (select id from user_sessions where user_id = $1 order by created_at desc, id desc offset $2)`,
    [of.userId, of.count],
  )
}

export async function touchSession(sql: Sql, session: { id: string; now: Date }): Promise<void> {
  await sql.query('update user_sessions set seen_at = $2 where id = $1', [session.id, session.now])
}

export async function deleteSession(sql: Sql, of: { sha256: Buffer } | { id: string }): Promise<void> {
  if ('id' in of) await sql.query('delete from user_sessions where id = $1', [of.id])
  else await sql.query('delete from user_sessions where sha256 = $1', [of.sha256])
}

export async function deleteSessionsOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from user_sessions where user_id = $1', [userId])
}

/** Deletes expired sessions. */
export async function dropOldSessions(sql: Sql, age: SessionAge): Promise<void> {
  await sql.query('delete from user_sessions where created_at <= $1 or seen_at <= $2 or ends_at <= $3', [
    age.begunAfter,
    age.seenAfter,
    age.now,
  ])
}
