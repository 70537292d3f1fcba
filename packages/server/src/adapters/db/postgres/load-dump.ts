import { pipeline } from 'node:stream/promises'
import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { DbAddress, Sql } from '../db.ts'
import type { Dump } from '../dump.ts'
import { openRawClient, sqlOn } from './raw-client.ts'
import { isOfQueue, quoted } from './snapshot.ts'

/**
 * Writes a dump into a database that has the same migrations and no workspace, in one transaction: all or nothing. Foreign keys are
 * added again after the rows, which checks them. Returns the names of tables that this database does not have; they are left out.
 *
 * Throws Fault `conflict` (`database_not_empty`) when there is a workspace.
 */
export async function loadDump(address: DbAddress, dump: Dump): Promise<readonly string[]> {
  const client = await openRawClient(address)
  const sql = sqlOn(client)
  try {
    await sql.query('begin')
    // A server that is started meanwhile waits here, and then finds the workspaces of the dump.
    await sql.query('lock table workspaces in access exclusive mode')
    await assertEmpty(sql)
    const own = await ownTables(sql)
    const known = dump.tables.filter((table) => isOfQueue(table) || own.some(({ name }) => name === table.name))
    const constraints = await foreignKeys(sql)
    for (const { table, name } of constraints)
      await sql.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`)
    // COPY does not work under row-level security, and triggers have done their work on these rows already.
    for (const table of own) {
      await sql.query(`alter table ${quoted(table)} disable trigger user`)
      if (table.isForced) await sql.query(`alter table ${quoted(table)} no force row level security`)
    }
    for (const table of own) await sql.query(`delete from ${quoted(table)}`)
    for (const table of known)
      await (isOfQueue(table) ? loadJobs(client, table, dump) : loadRows(client, { table, into: quoted(table) }, dump))
    for (const { table, column, value, isUsed } of dump.sequences)
      await sql.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
        table,
        column,
        value,
        isUsed,
      ])
    for (const { table, name, definition } of constraints)
      await sql.query(`alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
    for (const table of own) {
      await sql.query(`alter table ${quoted(table)} enable trigger user`)
      if (table.isForced) await sql.query(`alter table ${quoted(table)} force row level security`)
    }
    await sql.query('commit')
    return dump.tables.filter((table) => !known.includes(table)).map(({ name }) => name)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Throws Fault `conflict` (`database_not_empty`) when the database has a workspace. */
export async function assertEmpty(sql: Sql): Promise<void> {
  const [table] = await sql.query<{ present: boolean }>(`select to_regclass('workspaces') is not null as present`)
  if (!table?.present) return
  const [row] = await sql.query<{ count: number }>('select count(*)::integer as count from workspaces')
  if (!row?.count) return
  throw new Fault(
    'conflict',
    'database_not_empty',
    `The database already has ${row.count === 1 ? 'a workspace' : `${row.count} workspaces`}: restore into an empty database or a new data folder.`,
  )
}

interface OwnTable {
  readonly schema: string
  readonly name: string
  readonly isForced: boolean
}

const ownTables = (sql: Sql): Promise<readonly OwnTable[]> =>
  sql.query<OwnTable>(
    `select current_schema()::text as schema, relname::text as name, relforcerowsecurity as "isForced" from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence <> 't'`,
  )

const foreignKeys = (
  sql: Sql,
): Promise<readonly { readonly table: string; readonly name: string; readonly definition: string }[]> =>
  sql.query(
    `select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conrelid, conname`,
  )

type Table = Dump['tables'][number]

async function loadRows(client: pg.Client, { table, into }: { table: Table; into: string }, dump: Dump): Promise<void> {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const writing = client.query(copyFrom(`copy ${into} (${columns}) from stdin`))
  await pipeline(dump.read(table), writing)
  if (writing.rowCount === table.rows) return
  throw new Fault(
    'conflict',
    'backup_damaged',
    `The table ${table.name} has ${writing.rowCount} rows in this backup, but should have ${table.rows}: restore another snapshot.`,
  )
}

/** Jobs are loaded by the columns that the queue of this version has: its tables may have changed since the dump. */
async function loadJobs(client: pg.Client, table: Table, dump: Dump): Promise<void> {
  const sql = sqlOn(client)
  const list = table.columns.map((column) => `${pg.escapeIdentifier(column)} text`).join(', ')
  await sql.query(`create temporary table dumped_jobs (${list}) on commit drop`)
  await loadRows(client, { table, into: 'dumped_jobs' }, dump)
  const columns = await sql.query<{ name: string; type: string }>(
    `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname = any($1)`,
    [table.columns],
  )
  await sql.query(
    `insert into pgboss.job (${columns.map(({ name }) => name).join(', ')})
     select ${columns.map(({ name, type }) => `${name}::${type}`).join(', ')} from dumped_jobs`,
  )
}
