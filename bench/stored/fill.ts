// Fills a database with many old executions, in SQL: copies of executions that ran, with their transcripts and bookings.
import type { SystemPostgres } from '../chaos/system-postgres.ts'

/** A table that has rows of an execution: the column with its id, and the columns with times that move with it. */
const copied = [
  { table: 'executions', id: 'id', times: ['created_at', 'started_at', 'completed_at'] },
  { table: 'steps', id: 'execution_id', times: ['started_at', 'ended_at'] },
  { table: 'ledger', id: 'execution_id', times: ['created_at'] },
  { table: 'execution_skills', id: 'execution_id', times: ['created_at'] },
  { table: 'review_items', id: 'execution_id', times: ['created_at'] },
] as const

export const filledTables = copied.map(({ table }) => table)

/** Executions of one statement. */
const chunk = 250_000

/**
 * Copies the executions that are there until there are `count`, evenly over the year before now. Indexes are built afterwards and
 * foreign keys are not checked, which needs a superuser; then tables are vacuumed, as autovacuum would.
 */
export async function fill(
  query: (text: string) => Promise<string>,
  count: number,
  tell: (line: string) => void,
): Promise<void> {
  await query(`create schema filling;
    create function filling.at(n bigint) returns timestamptz language sql immutable as
      $$ select date_trunc('milliseconds', '${new Date().toISOString()}'::timestamptz - interval '1 hour' - interval '364 days' * (1 - n::float8 / ${count})) $$;
    create function filling.id(n bigint) returns uuid language sql immutable as
      $$ select (lpad(to_hex((extract(epoch from filling.at(n)) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
    create table filling.templates as
      select row_number() over (order by created_at, id) - 1 as place, workspace_id, id, created_at as began from executions`)
  const templates = Number(await query('select count(*) from filling.templates'))
  const indexes = (
    await query(`select string_agg(indexdef || '|' || indexrelid::regclass, E'\\n') from pg_index i join pg_indexes d on d.indexname = i.indexrelid::regclass::text
      where d.schemaname = 'public' and d.tablename = any('{${filledTables.join(',')}}')
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`)
  )
    .split('\n')
    .map((line) => line.split('|'))
  for (const [, name] of indexes) await query(`drop index ${name}`)
  for (const { table, id } of copied)
    await query(`create table filling.${table} as select one.place, one.began, t.* from ${table} t
      join filling.templates one on one.workspace_id = t.workspace_id and one.id = t.${id}; analyze filling.${table}`)
  for (let from = 0; from < count; from += chunk) {
    for (const { table, id, times } of copied) {
      const columns = (
        await query(`select string_agg(column_name, ',') from information_schema.columns
          where table_schema = 'public' and table_name = '${table}' and is_identity = 'NO'`)
      ).split(',')
      const taken = columns.map((column) => {
        if (column === id) return 'filling.id(n)'
        return times.some((time) => time === column) ? `t.${column} - t.began + filling.at(n)` : `t.${column}`
      })
      await query(`set session_replication_role = replica;
        insert into ${table} (${columns}) select ${taken} from generate_series(${from}, ${Math.min(count, from + chunk) - 1}) n
          join filling.${table} t on t.place = n % ${templates}`)
    }
    tell(`${Math.min(count, from + chunk)} executions`)
  }
  for (const [definition, name] of indexes) {
    await query(`set maintenance_work_mem = '1GB'; ${definition}`)
    tell(`index ${name}`)
  }
  await query('drop schema filling cascade')
  for (const table of filledTables) {
    await query(`vacuum (analyze) ${table}`)
    tell(`vacuum ${table}`)
  }
}

/** Statements as superuser in a database of the cluster. */
export const queryIn = (postgres: SystemPostgres, place: string, port: number, database: string) => (text: string) =>
  postgres.run('psql', [
    '-XAt',
    '-v',
    'ON_ERROR_STOP=1',
    '-h',
    place,
    '-p',
    String(port),
    '-U',
    'postgres',
    '-d',
    database,
    '-q',
    '-c',
    text,
  ])
