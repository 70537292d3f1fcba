import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from './db.ts'

/** One numbered file of SQL, applied once and never changed again. */
interface Migration {
  readonly version: number
  readonly name: string
  readonly sha256: string
  readonly text: string
}

interface AppliedRow {
  readonly version: number
  readonly name: string
  readonly sha256: string
}

/** The advisory lock under which migrations run: one process at a time. Any fixed number will do. */
const migrationLock = 7_254_615_020

/** A file's name: four digits, a dash, words in lower case. */
const filePattern = /^(\d{4})-([a-z0-9-]+)\.sql$/

/**
 * Brings the database up to the newest migration in `folder` (files `0001-words.sql`, `0002-…`), each in a transaction
 * of its own. Several processes may do so at once. Gives the names of those it applied itself. `openUnbounded` gives the same
 * database without a bound on statements, where there is something to do: a large table takes its time.
 *
 * Throws Fault `conflict`: `migration_changed` when a file is not what was applied under its number, `database_newer`
 * when the database has migrations that the folder does not know.
 */
export async function migrate(db: Db, folder: string, openUnbounded?: () => Promise<Db>): Promise<readonly string[]> {
  const migrations = await readMigrations(folder)
  const applied: string[] = []
  if (verify(migrations, await appliedIn(db)) === migrations.at(-1)?.version) return applied
  const unbounded = await openUnbounded?.()
  try {
    for (const migration of migrations) {
      const done = await (unbounded ?? db).transaction((tx) => applyOne(tx, migration, migrations))
      if (done) applied.push(migration.name)
    }
  } finally {
    await unbounded?.close()
  }
  return applied
}

async function applyOne(tx: Sql, migration: Migration, all: readonly Migration[]): Promise<boolean> {
  await tx.query(`set local statement_timeout = 0`)
  await tx.query(`select pg_advisory_xact_lock($1::bigint)`, [migrationLock])
  await tx.query(
    `create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null
    )`,
  )
  if (verify(all, await appliedIn(tx)) >= migration.version) return false
  await tx.query(migration.text)
  await tx.query(`insert into schema_migrations (version, name, sha256, applied_at) values ($1, $2, $3, now())`, [
    migration.version,
    migration.name,
    migration.sha256,
  ])
  return true
}

async function appliedIn(sql: Sql): Promise<readonly AppliedRow[]> {
  const [table] = await sql.query<{ present: boolean }>(
    `select to_regclass('schema_migrations') is not null as present`,
  )
  if (!table?.present) return []
  return sql.query<AppliedRow>(`select version, name, sha256 from schema_migrations order by version`)
}

/** The newest version that was applied, having checked that what was applied is how the list begins. */
function verify(migrations: readonly Migration[], applied: readonly AppliedRow[]): number {
  const newest = applied.at(-1)?.version ?? 0
  const known = migrations.at(-1)?.version ?? 0
  if (newest > known) {
    throw new Fault(
      'conflict',
      'database_newer',
      `The database was brought to migration ${newest} by a newer version; this one knows ${known}: start the newer version.`,
    )
  }
  applied.forEach((row, index) => {
    const migration = migrations[index]
    if (migration?.version === row.version && migration.sha256 === row.sha256) return
    throw new Fault(
      'conflict',
      'migration_changed',
      migration !== undefined && migration.version < row.version
        ? `This database has ${row.name} but not ${migration.name}, which comes before it: a development version between the two made it; docs/guides/operations.md says what to do. If ${migration.name} is new, give it a higher number.`
        : `Migration ${row.name} is not the file that was applied to this database: restore that file and write a new migration instead.`,
    )
  })
  return newest
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const versions = files.map((file) => Number(filePattern.exec(file)?.[1]))
  return Promise.all(
    files.map(async (file, index) => {
      const version = versions[index]
      assert(version !== undefined && version > 0, `migration ${file} should have a name like 0001-words.sql`)
      assert(version !== versions[index - 1], `migration ${file} has the number of another`)
      // A checkout with other line endings is still the same migration.
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { version, name: file.slice(0, -'.sql'.length), sha256, text }
    }),
  )
}
