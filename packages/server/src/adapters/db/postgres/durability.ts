import { Fault } from '@skillrun/core/fault.ts'
import type { Sql } from '../db.ts'

/** The oldest PostgreSQL that the migrations are tested on. */
const versionMin = 15

const mustBeOn = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Rejects a database that may lose commits or is too old. Throws Fault `unavailable` with code
 * `database_not_durable` or `database_too_old`.
 */
export async function checkDurability(db: Sql): Promise<void> {
  const rows = await db.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any($1)`,
    [[...mustBeOn, 'server_version_num']],
  )
  const settings = new Map(rows.map((row) => [row.name, row.setting]))
  const off = mustBeOn.filter((name) => settings.get(name) === 'off')
  if (off.length > 0) {
    const list = off.map((name) => `${name}=off`).join(', ')
    throw new Fault(
      'unavailable',
      'database_not_durable',
      `PostgreSQL runs with ${list}, so accepted work could be lost in a power failure: turn it on, or set SKILLRUN_ALLOW_LOSSY=yes if that is acceptable.`,
    )
  }
  const version = Math.floor(Number(settings.get('server_version_num')) / 10_000)
  if (version < versionMin) {
    throw new Fault(
      'unavailable',
      'database_too_old',
      `The database is PostgreSQL ${version}; version ${versionMin} or later is required.`,
    )
  }
}
