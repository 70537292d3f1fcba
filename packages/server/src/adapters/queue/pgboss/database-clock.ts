import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { sweep } from './sweep.ts'

/** The stored time is updated when the database's clock is this far ahead of it. */
const writeEverySeconds = 5
/** Smaller corrections of a clock are normal: jobs then wait that much longer. */
const toleranceSeconds = 1

/**
 * Creates the row with the latest time that any process has seen on the database's clock. It is in pg-boss's schema because
 * it refers to its function `job_now`, the source of all times of jobs.
 */
export async function ensureDatabaseClock(db: Db): Promise<void> {
  const name = 'pgboss.skillrun_clock'
  const [found] = await db.query<{ present: boolean }>('select to_regclass($1) is not null as present', [name])
  if (found?.present) return
  await db.transaction(async (tx) => {
    // Concurrent creation would fail on the table's name.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
    await tx.query(
      `create table if not exists pgboss.skillrun_clock (only_row boolean primary key default true check (only_row), seen timestamptz not null);
       insert into pgboss.skillrun_clock (seen) values (pgboss.job_now()) on conflict do nothing`,
    )
  })
}

/**
 * Checks whether the database's clock was set back and, if so, moves the times of waiting jobs back by the same amount, so
 * that their delays and their order stay the same. Returns how many jobs were moved. Several processes that notice the same
 * change move the jobs once.
 */
export async function followDatabaseClock(db: Db): Promise<number> {
  const [row] = await db.query<{ moved: 'forward' | 'back' | null }>(
    `select case when seen > now.at + $1 * interval '1 second' then 'back'
       when seen < now.at - $2 * interval '1 second' then 'forward' end as moved
     from pgboss.skillrun_clock, (select pgboss.job_now() as at) now`,
    [toleranceSeconds, writeEverySeconds],
  )
  if (!row?.moved) return 0
  return db.transaction(async (tx) => {
    const [clock] = await tx.query<{ backSeconds: number }>(
      `select extract(epoch from seen - pgboss.job_now())::float8 as "backSeconds" from pgboss.skillrun_clock for update`,
    )
    const { backSeconds } = clock ?? { backSeconds: 0 }
    await tx.query('update pgboss.skillrun_clock set seen = pgboss.job_now()')
    if (backSeconds <= toleranceSeconds) return 0
    // Jobs added after the change already have the new time.
    const moved = await tx.query(
      `update pgboss.job_common set start_after = start_after - back.by, created_on = created_on - back.by
       from (select $1 * interval '1 second' as by, pgboss.job_now() as at, $2 * interval '1 millisecond' as noticed) back
       where state < 'active' and start_after > back.at and created_on not between back.at - back.noticed and back.at
       returning 1`,
      [backSeconds, limits.sweepMs * 2],
    )
    return moved.length
  })
}

/** Runs `followDatabaseClock` every `limits.sweepMs` until the returned function is called. */
export function watchDatabaseClock({ db, log }: { db: Db; log: Log }): () => Promise<void> {
  const look = async () => {
    const jobs = await followDatabaseClock(db)
    if (jobs > 0) log.warn({ jobs }, "the database's clock was set back; moved waiting jobs with it")
  }
  return sweep(look, (error) => log.warn({ error: String(error) }, "cannot read the database's clock; will retry"))
}
