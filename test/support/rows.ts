import type { Db } from '../../packages/server/src/adapters/db/db.ts'

/** All rows of a workspace, as text. */
export async function rowsOf(db: Db, workspaceId: string): Promise<readonly string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  )
  const all = await Promise.all(
    tables.map(({ name }) =>
      db.query<{ row: string }>(
        `select '${name} ' || to_jsonb(t)::text as row from ${name} t where workspace_id = $1 order by 1`,
        [workspaceId],
      ),
    ),
  )
  return all.flat().map(({ row }) => row)
}
