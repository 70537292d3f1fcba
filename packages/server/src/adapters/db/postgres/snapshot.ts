import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DbAddress, Sql } from '../db.ts'
import { type AppliedMigration, backupLock, type DumpedSequence, type DumpedTable, type Snapshot } from '../dump.ts'
import { openRawClient, sqlOn } from './raw-client.ts'

/** Finished jobs are not dumped: they are deleted a minute later anyway. */
const waitingJobs = `where state < 'completed'`

/**
 * Takes a snapshot in one repeatable-read transaction, after everything that is deleting blobs has ended. Throws Fault
 * `conflict`: `backup_under_way` when another process has one, `nothing_to_back_up` when the database has no tables.
 */
export async function takeSnapshot(address: DbAddress): Promise<Snapshot> {
  const client = await openRawClient(address)
  const sql = sqlOn(client)
  try {
    const [other] = await sql.query<{ taken: boolean }>(
      `select exists (select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32 | objid::bigint) = $1::bigint) as taken`,
      [backupLock],
    )
    if (other?.taken)
      throw new Fault('conflict', 'backup_under_way', 'Another backup of this database is under way: wait for its end.')
    // Waits for deletions of blobs that are under way; their rows are gone before the snapshot is taken.
    await sql.query('select pg_advisory_lock($1::bigint)', [backupLock])
    await sql.query('begin isolation level repeatable read read only')
    const [found] = await sql.query<{ present: boolean }>(
      `select to_regclass('schema_migrations') is not null as present`,
    )
    if (!found?.present)
      throw new Fault('conflict', 'nothing_to_back_up', 'The database has no tables: no server has been started on it.')
    const tables = [...(await tablesOf(sql)), ...(await jobsOf(sql))]
    return {
      sql,
      migrations: await sql.query<AppliedMigration>(
        'select version, name, sha256 from schema_migrations order by version',
      ),
      tables,
      sequences: await sequencesOf(sql),
      read: (table) => client.query(copyTo(copyText(table))),
      finishReading: async () => void (await sql.query('commit')),
      assertHeld: async () => void (await sql.query('select 1')),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** A table's name in a statement. */
export const quoted = ({ schema, name }: Pick<DumpedTable, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

export const isOfQueue = ({ schema }: Pick<DumpedTable, 'schema'>): boolean => schema === 'pgboss'

function copyText(table: DumpedTable): string {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return isOfQueue(table)
    ? `copy (select ${columns} from ${quoted(table)} ${waitingJobs}) to stdout`
    : `copy (select ${columns} from only ${quoted(table)}) to stdout`
}

/** The columns that hold values of their own. */
const columnsOf = `(select array_agg(a.attname::text order by a.attnum) from pg_attribute a
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')`

const tablesOf = (sql: Sql): Promise<readonly DumpedTable[]> =>
  sql.query<DumpedTable>(
    `select n.nspname::text as schema, c.relname::text as name, ${columnsOf} as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind = 'r' and c.relpersistence <> 't' order by c.relname`,
  )

const jobsOf = (sql: Sql): Promise<readonly DumpedTable[]> =>
  sql.query<DumpedTable>(
    `select 'pgboss' as schema, 'job' as name, ${columnsOf} as columns from pg_class c where c.oid = to_regclass('pgboss.job')`,
  )

async function sequencesOf(sql: Sql): Promise<readonly DumpedSequence[]> {
  const places = await sql.query<{ table: string; column: string; sequence: string }>(
    `select c.relname::text as table, a.attname::text as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
     order by c.relname, a.attnum`,
  )
  const sequences: DumpedSequence[] = []
  for (const { table, column, sequence } of places) {
    const [row] = await sql.query<{ value: string; isUsed: boolean }>(
      `select last_value::text as value, is_called as "isUsed" from ${sequence}`,
    )
    if (row) sequences.push({ table, column, ...row })
  }
  return sequences
}
