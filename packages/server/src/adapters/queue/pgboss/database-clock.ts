import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import type { Db } from '../../db/db.ts'

/** The clock of the database is written down when it is this much later than what is written. */
const writeEverySeconds = 5
/** Clocks are corrected by less than this all the time: jobs then wait that much longer. */
const toleranceSeconds = 1

/**
 * The latest time that any process has seen on the database's clock, in one row. Beside the tables of pg-boss, because it is about
 * the function `job_now`, which all times of jobs come from.
 */
export async function ensureDatabaseClock(db: Db): Promise<void> {
  const name = 'pgboss.skillrun_clock'
  const [found] = await db.query<{ present: boolean }>('select to_regclass($1) is not null as present', [name])
  if (found?.present) return
  await db.transaction(async (tx) => {
    // Two processes that create it at once would fail on its name.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
    await tx.query(
      `create table if not exists pgboss.skillrun_clock (only_row boolean primary key default true check (only_row), seen timestamptz not null);
       insert into pgboss.skillrun_clock (seen) values (pgboss.job_now()) on conflict do nothing`,
    )
  })
}

/**
 * Looks whether the database's clock was set back since anybody looked, and if so sets the times of waiting jobs back with it: they
 * wait as long as they were to wait, and keep their order. Gives how many jobs it moved. Processes that notice the same jump move
 * the jobs once.
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
    // Jobs that were added since the jump have the new time.
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

/** Follows the database's clock every `limits.sweepMs`. Ends with the returned function. */
export function watchDatabaseClock({ db, log }: { db: Db; log: Log }): () => Promise<void> {
  let looking: Promise<void> | undefined
  const look = async () => {
    const jobs = await followDatabaseClock(db)
    if (jobs > 0) log.warn({ jobs }, "the database's clock was set back; waiting jobs were moved with it")
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => {
        log.warn({ error: String(error) }, "the database's clock could not be read; it is tried again")
      })
      .finally(() => {
        looking = undefined
      })
  }, limits.sweepMs)
  return async () => {
    clearInterval(timer)
    await looking
  }
}
