import { assert } from '@skillrun/core/assert.ts'
import { isId } from '@skillrun/core/ids.ts'
import type pg from 'pg'
import type { Sql } from '../db.ts'

/** What a connection may see: the rows of one workspace, or all (`*`). The policies of the tables read it. */
export interface Sight {
  readonly workspace: string
  /** The role to be while confined: policies do not hold for a superuser. Undefined: the user of the connection will do. */
  readonly role: string | undefined
}

export const everywhere: Sight = { workspace: '*', role: undefined }

/** The role that a superuser takes on while it is confined. */
const confinedRole = 'skillrun_confined'

/** The sight of one workspace. */
export function sightOf(workspaceId: string, role: string | undefined): Sight {
  // It goes into the text of a statement: nothing but an id may.
  assert(isId(workspaceId), 'a database can only be confined to the id of a workspace')
  return { workspace: workspaceId, role }
}

/** How each connection of a pool was last told to see. A new one sees nothing. */
const sights = new WeakMap<pg.PoolClient, Sight>()

/** The statements that let a connection see so; undefined where it does already. `local`: until its transaction ends. */
export function sightStatement(client: pg.PoolClient, sight: Sight, { local }: { local: boolean }): string | undefined {
  const now = sights.get(client)
  if (now?.workspace === sight.workspace && now.role === sight.role) return undefined
  const set = local ? 'set local' : 'set'
  const role = sight.role === now?.role ? '' : `; ${set} role ${sight.role ?? 'none'}`
  return `${set} skillrun.workspace = '${sight.workspace}'${role}`
}

/** Lets a connection see so from now on. */
export async function giveSight(client: pg.PoolClient, sight: Sight): Promise<void> {
  const statement = sightStatement(client, sight, { local: false })
  if (statement === undefined) return
  sights.delete(client)
  await client.query(statement)
  sights.set(client, sight)
}

/**
 * The role that this user must take on to be confined, made where it is not there; undefined when policies hold for the user
 * itself. The role inherits what the user may do, but not that policies do not hold.
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
  -- Another process did the same in this moment.
  exception when duplicate_object or unique_violation or internal_error then null;
  end $$`)
  return confinedRole
}
