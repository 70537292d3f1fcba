import { assert } from '@skillrun/core/assert.ts'
import { isId } from '@skillrun/core/ids.ts'
import type pg from 'pg'
import type { Sql } from '../db.ts'

/** The rows that a connection may access: one workspace, or all (`*`). The row-level security policies read it. */
export interface RowScope {
  readonly workspace: string
  /** The role to take on while confined, because policies do not apply to a superuser. Undefined: keep the connection's role. */
  readonly role: string | undefined
}

export const allWorkspaces: RowScope = { workspace: '*', role: undefined }

/** The role that a superuser takes on while confined. */
const confinedRole = 'skillrun_confined'

/** The scope of one workspace. */
export function workspaceScope(workspaceId: string, role: string | undefined): RowScope {
  // The id becomes part of a statement's text, so it must be a valid id.
  assert(isId(workspaceId), 'a database scope needs the id of a workspace')
  return { workspace: workspaceId, role }
}

/** The current scope of each pooled connection. A new connection has none and sees nothing. */
const currentScopes = new WeakMap<pg.PoolClient, RowScope>()

/** The statements that set a connection's scope; undefined when it is already set. `local`: until the transaction ends. */
export function scopeStatement(
  client: pg.PoolClient,
  scope: RowScope,
  { local }: { local: boolean },
): string | undefined {
  const now = currentScopes.get(client)
  if (now?.workspace === scope.workspace && now.role === scope.role) return undefined
  const set = local ? 'set local' : 'set'
  const role = scope.role === now?.role ? '' : `; ${set} role ${scope.role ?? 'none'}`
  return `${set} skillrun.workspace = '${scope.workspace}'${role}`
}

/** Sets the scope of a connection. */
export async function applyScope(client: pg.PoolClient, scope: RowScope): Promise<void> {
  const statement = scopeStatement(client, scope, { local: false })
  if (statement === undefined) return
  currentScopes.delete(client)
  await client.query(statement)
  currentScopes.set(client, scope)
}

/**
 * The role that the current user must take on to be confined, created if needed; undefined when policies apply to the user
 * itself. The role inherits the user's rights, but not its exemption from policies.
 */
export async function confinedRoleFor(sql: Sql): Promise<string | undefined> {
  const [user] = await sql.query<{ name: string; exempt: boolean }>(
    `select current_user as name, rolsuper or rolbypassrls as exempt from pg_roles where rolname = current_user`,
  )
  if (!user?.exempt) return undefined
  await sql.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${confinedRole}') then create role ${confinedRole} nologin; end if;
    if not pg_has_role('${confinedRole}', current_user, 'usage') then
      execute format('grant %I to ${confinedRole}', current_user);
    end if;
  -- Another process created it at the same moment.
  exception when duplicate_object or unique_violation or internal_error then null;
  end $$`)
  return confinedRole
}
