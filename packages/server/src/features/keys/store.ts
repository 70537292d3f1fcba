import type { Sql } from '../../adapters/db/db.ts'
import type { Scope } from '../../adapters/http/route.ts'

/** A stored key, without its text. */
export interface KeyRow {
  readonly id: string
  readonly workspaceId: string
  readonly workspace: string
  readonly name: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Spending limit of this key per UTC day; null: none. */
  readonly budgetMicrosPerDay: number | null
}

const columns = `k.id, k.workspace_id as "workspaceId", w.name as workspace, k.name, k.hint, k.scopes,
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.budget_micros_per_day as "budgetMicrosPerDay"`

/** The key whose text has this SHA-256, in any state. The only lookup without a workspace: it finds the workspace. */
export async function findKeyByHash(sql: Sql, sha256: Buffer): Promise<KeyRow | undefined> {
  const rows = await sql.query<KeyRow>(
    `select ${columns} from keys k join workspaces w on w.id = k.workspace_id where k.sha256 = $1`,
    [sha256],
  )
  return rows[0]
}

export async function findKeyById(sql: Sql, id: string): Promise<KeyRow | undefined> {
  const rows = await sql.query<KeyRow>(
    `select ${columns} from keys k join workspaces w on w.id = k.workspace_id where k.id = $1 and k.user_id is null`,
    [id],
  )
  return rows[0]
}

export async function listKeys(sql: Sql, workspaceId: string): Promise<readonly KeyRow[]> {
  return sql.query<KeyRow>(
    `select ${columns} from keys k join workspaces w on w.id = k.workspace_id where k.workspace_id = $1 and k.user_id is null order by k.created_at desc, k.id desc limit 1000`,
    [workspaceId],
  )
}

export async function insertKey(
  sql: Sql,
  key: Omit<KeyRow, 'workspace' | 'revokedAt'> & { sha256: Buffer },
): Promise<void> {
  await sql.query(
    `insert into keys (id, workspace_id, name, sha256, hint, scopes, created_at, expires_at, budget_micros_per_day)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      key.workspaceId,
      key.name,
      key.sha256,
      key.hint,
      key.scopes,
      key.createdAt,
      key.expiresAt,
      key.budgetMicrosPerDay,
    ],
  )
}

/** Revokes a key of this workspace and returns it, or undefined if it has no active key of this id. */
export async function revokeKey(
  sql: Sql,
  key: { workspaceId: string; id: string; now: Date },
): Promise<KeyRow | undefined> {
  const rows = await sql.query<KeyRow>(
    `update keys k set revoked_at = coalesce(k.revoked_at, $3) from workspaces w
     where k.workspace_id = $1 and k.id = $2 and k.user_id is null and w.id = k.workspace_id returning ${columns}`,
    [key.workspaceId, key.id, key.now],
  )
  return rows[0]
}

/** The first workspace ever created: its admins may create others. */
export async function findFirstWorkspace(sql: Sql): Promise<{ id: string; name: string } | undefined> {
  const rows = await sql.query<{ id: string; name: string }>('select id, name from workspaces order by number limit 1')
  return rows[0]
}

export async function findWorkspace(
  sql: Sql,
  by: { id: string } | { name: string },
): Promise<{ id: string; name: string } | undefined> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['name', by.name]
  const rows = await sql.query<{ id: string; name: string }>(`select id, name from workspaces where ${column} = $1`, [
    value,
  ])
  return rows[0]
}

/** The workspace of this name, created if missing. */
export async function ensureWorkspace(
  sql: Sql,
  workspace: { id: string; name: string; now: Date },
): Promise<{ id: string; made: boolean }> {
  const made = await sql.query<{ id: string }>(
    'insert into workspaces (id, name, created_at) values ($1, $2, $3) on conflict (name) do nothing returning id',
    [workspace.id, workspace.name, workspace.now],
  )
  if (made[0]) return { id: made[0].id, made: true }
  const found = await sql.query<{ id: string }>('select id from workspaces where name = $1', [workspace.name])
  return { id: found[0]?.id ?? workspace.id, made: false }
}

/** The kind of actor behind a row `k` of keys. */
export const actorKind = `case when k.user_id is null then 'key' else 'user' end`

/** The actor: a key, or a user by the id of the membership. Undefined: the workspace has neither. */
export async function findActor(
  sql: Sql,
  key: { workspaceId: string; keyId: string },
): Promise<{ readonly kind: 'key' | 'user'; readonly id: string; readonly name: string } | undefined> {
  const [row] = await sql.query<{ kind: 'key' | 'user'; id: string; name: string }>(
    `select ${actorKind} as kind, k.id, k.name from keys k where k.workspace_id = $1 and k.id = $2`,
    [key.workspaceId, key.keyId],
  )
  return row
}

/** The keys and users of a workspace that may approve, by name: admins, and users of these roles apart from who started it. */
export async function listApprovers(
  sql: Sql,
  of: { workspaceId: string; now: Date; roles: readonly string[]; startedBy: string | null },
): Promise<readonly { readonly kind: 'key' | 'user'; readonly id: string; readonly name: string }[]> {
  return sql.query(
    `select ${actorKind} as kind, k.id, k.name from keys k
     where k.workspace_id = $1 and (k.scopes && array['approve', 'admin'] or k.role = 'admin'
         or k.role = any($3) and k.id is distinct from $4)
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)
     order by k.name, k.id limit 1000`,
    [of.workspaceId, of.now, of.roles, of.startedBy],
  )
}
