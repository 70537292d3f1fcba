import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from './db.ts'
import type { AppliedMigration } from './dump.ts'

/** One numbered SQL file, applied once and never changed again. */
interface Migration {
  readonly version: number
  readonly name: string
  readonly sha256: string
  readonly text: string
}

/** The advisory lock that serialises migrations across processes; arbitrary but fixed. */
const migrationLock = 7_254_615_020

/** A file's name: four digits, a dash, words in lower case. */
const filePattern = /^(\d{4})-([a-z0-9-]+)\.sql$/

/**
 * Applies the missing migrations of `folder` (files `0001-words.sql`, `0002-…`), each in its own transaction. Safe in
 * several processes at once. Returns the names of the migrations that this call applied. When there are any,
 * `openUnbounded` opens the same database without a statement timeout, because changing a large table takes long. With
 * `until`, later ones than this version are left out.
 *
 * Throws Fault `conflict`: `migration_changed` when a file differs from what was applied under its number, `database_newer`
 * when the database has migrations that the folder does not have.
 */
export async function migrate(
  db: Db,
  folder: string,
  openUnbounded?: () => Promise<Db>,
  until = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const migrations = (await readMigrations(folder)).filter(({ version }) => version <= until)
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

/** Throws as `migrate` does unless these migrations of a backup are the beginning of those in `folder`. */
export async function assertKnownMigrations(folder: string, applied: readonly AppliedMigration[]): Promise<void> {
  verify(await readMigrations(folder), applied, 'backup')
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

async function appliedIn(sql: Sql): Promise<readonly AppliedMigration[]> {
  const [table] = await sql.query<{ present: boolean }>(
    `select to_regclass('schema_migrations') is not null as present`,
  )
  if (!table?.present) return []
  return sql.query<AppliedMigration>(`select version, name, sha256 from schema_migrations order by version`)
}

/** The newest applied version. Checks that the applied migrations are the beginning of the list. */
function verify(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
  where: 'database' | 'backup' = 'database',
): number {
  const newest = applied.at(-1)?.version ?? 0
  const known = migrations.at(-1)?.version ?? 0
  if (newest > known) {
    throw new Fault(
      'conflict',
      'database_newer',
      `The ${where} has migration ${newest} of a newer version; this version knows migrations up to ${known}: ${where === 'backup' ? 'restore it with' : 'start'} the newer version.`,
    )
  }
  applied.forEach((row, index) => {
    const migration = migrations[index]
    if (migration?.version === row.version && migration.sha256 === row.sha256) return
    throw new Fault(
      'conflict',
      'migration_changed',
      migration !== undefined && migration.version < row.version
        ? `This database has ${row.name} but not the earlier ${migration.name}: it was created by a development version between the two; see docs/guides/operations.md. If ${migration.name} is new, give it a higher number.`
        : `Migration ${row.name} differs from the file that was applied to this database: restore the file and write a new migration instead.`,
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
      assert(version !== versions[index - 1], `migration ${file} has the same number as another`)
      // Line endings do not count as a change.
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { version, name: file.slice(0, -'.sql'.length), sha256, text }
    }),
  )
}
