import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import type { Actor } from '../executions/executions.ts'
import { actorKind } from '../keys/keys.ts'
import type { FilterQuery } from './wire.ts'

/** A named filter of the list of executions. */
export interface SavedFilter {
  readonly id: string
  readonly name: string
  readonly query: FilterQuery
  /** Who saved it last. */
  readonly savedBy: Actor
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface SavedContent {
  readonly workspaceId: string
  readonly id: string
  readonly name: string
  readonly query: FilterQuery
  readonly keyId: string
  readonly now: Date
}

const columns = `f.id, f.name, f.query, f.created_at as "createdAt", f.updated_at as "updatedAt",
  (select json_build_object('kind', ${actorKind}, 'id', k.id, 'name', k.name) from keys k
   where k.workspace_id = f.workspace_id and k.id = f.saved_by) as "savedBy"`

/** Lets no other transaction add or rename filters of the workspace until this one ends. */
export async function lockFilters(tx: Sql, workspaceId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`filters ${workspaceId}`])
}

/** By name. */
export async function listFilters(sql: Sql, workspaceId: string): Promise<readonly SavedFilter[]> {
  return sql.query<SavedFilter>(
    `select ${columns} from saved_filters f where f.workspace_id = $1 order by f.name limit ${limits.savedFiltersMax}`,
    [workspaceId],
  )
}

export async function countFilters(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::integer as count from saved_filters where workspace_id = $1',
    [workspaceId],
  )
  return row?.count ?? 0
}

/** Undefined: the workspace has a filter of this name. */
export async function insertFilter(tx: Sql, filter: SavedContent): Promise<SavedFilter | undefined> {
  const [row] = await tx.query<SavedFilter>(
    `insert into saved_filters as f (workspace_id, id, name, query, saved_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) on conflict (workspace_id, name) do nothing returning ${columns}`,
    valuesOf(filter),
  )
  return row
}

/** Undefined: the workspace has no such filter, or another one has this name. */
export async function replaceFilter(tx: Sql, filter: SavedContent): Promise<SavedFilter | undefined> {
  const [row] = await tx.query<SavedFilter>(
    `update saved_filters f set name = $3, query = $4, saved_by = $5, updated_at = $6 where f.workspace_id = $1 and f.id = $2
       and not exists (select from saved_filters o where o.workspace_id = $1 and o.name = $3 and o.id <> $2)
     returning ${columns}`,
    valuesOf(filter),
  )
  return row
}

const valuesOf = ({ workspaceId, id, name, query, keyId, now }: SavedContent) => [
  ...[workspaceId, id, name, jsonb(query), keyId, now],
]

/** Returns the deleted filter; undefined: the workspace has none with this id. */
export async function deleteFilter(
  sql: Sql,
  of: { workspaceId: string; id: string },
): Promise<SavedFilter | undefined> {
  const [row] = await sql.query<SavedFilter>(
    `delete from saved_filters f where f.workspace_id = $1 and f.id = $2 returning ${columns}`,
    [of.workspaceId, of.id],
  )
  return row
}
