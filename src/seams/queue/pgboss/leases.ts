import type { PgBoss } from 'pg-boss'
import { assert } from '../../../kit/assert.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { limits } from '../../../kit/limits.ts'
import type { Log } from '../../../kit/log.ts'
import { type Db, jsonb, type Sql, tell } from '../../db/db.ts'

// A worker may miss two heartbeats and still keep its lease.
assert(limits.heartbeatMs * 3 <= limits.leaseMs, 'a heartbeat must fit three times in the lease')

/** One giving-out of a job, as pg-boss fences it. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

/** The channel on which workers hear that a topic has something for them. */
export const wakeChannel = 'skillrun_jobs'

/** A timer may ring a moment before the database's clock says that the delay is over. */
const timerSlackMs = 5

/** What tells the workers of a topic that there is something for them, `delayMs` from now. */
export const wakeMessage = (topic: string, delayMs: number): string =>
  delayMs > 0 ? `${topic} ${Math.ceil(delayMs) + timerSlackMs}` : topic

/** pg-boss in a transaction of ours. */
export function transactional(tx: Sql) {
  return { executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await tx.query(text, values))] }) }
}

/** The one index that looking for lost leases needs: pg-boss has none on what is being worked on. */
export async function ensureActiveIndex(db: Db): Promise<void> {
  const name = 'pgboss.job_common_skillrun_active'
  const [found] = await db.query<{ present: boolean }>('select to_regclass($1) is not null as present', [name])
  if (found?.present) return
  await db.transaction(async (tx) => {
    // Two that make it at once would break on its name, whatever they saw before.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
    await tx.query(
      `create index if not exists job_common_skillrun_active on pgboss.job_common (name) where state = 'active'`,
    )
  })
}

/** Adds a job as pg-boss leaves it when it has just given it out for the first time. */
export async function addActive(
  tx: Sql,
  job: { id: string; topic: string; data: JsonObject; group: string | null; turn: number },
): Promise<void> {
  const added = await tx.query(
    `insert into pgboss.job_common (id, name, data, priority, group_id, state, created_on, start_after, started_on, heartbeat_on,
       keep_until, policy, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds)
     select $1, name, $3, $4, $5, 'active', now.at, now.at, now.at, now.at, now.at + retention_seconds * interval '1 second',
       policy, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds
     from pgboss.queue, (select pgboss.job_now() as at) now where name = $2 returning 1`,
    [job.id, job.topic, jsonb(job.data), -job.turn, job.group],
  )
  assert(added.length === 1, `there is no queue of the topic ${job.topic}`)
}

/**
 * Keeps leases alive, and gives the ids of those that are still held. It waits for no row: whoever has it now is ending that very
 * job, maybe together with others that this would have had already, and each would wait for the other.
 */
export async function keepAlive(db: Db, topic: string, attempts: readonly Attempt[]): Promise<ReadonlySet<string>> {
  const params = [topic, attempts.map(({ id }) => id), attempts.map(({ retryCount }) => retryCount)] as const
  const held = `select job.id from pgboss.job_common as job join unnest($2::uuid[], $3::integer[]) as attempt (id, retry_count)
     on job.id = attempt.id and job.retry_count = attempt.retry_count where job.name = $1 and job.state = 'active'`
  await db.query(
    `with held as (${held} for update of job skip locked)
     update pgboss.job_common as job set heartbeat_on = pgboss.job_now() from held where job.name = $1 and job.id = held.id`,
    params,
  )
  const kept = await db.query<{ id: string }>(held, params)
  return new Set(kept.map(({ id }) => id))
}

/** Gives jobs back for whoever is free, `afterMs` from now and without the pause that a failure has, and wakes the workers of the topic. */
export async function giveBack(
  parts: { boss: PgBoss; db: Db },
  topic: string,
  attempts: readonly Attempt[],
  afterMs = 0,
): Promise<readonly string[]> {
  const { boss, db } = parts
  return db.transaction(async (tx) => {
    const { settled = [] } = (await boss.fail(
      topic,
      [...attempts],
      { message: 'given back' },
      { db: transactional(tx) },
    )) as {
      settled?: readonly string[]
    }
    if (settled.length === 0) return []
    await tx.query(
      `update pgboss.job_common set start_after = pgboss.job_now() + $3 * interval '1 millisecond'
       where name = $1 and id = any($2::uuid[]) and state = 'retry'`,
      [topic, settled, afterMs],
    )
    await tell(tx, [{ channel: wakeChannel, payload: wakeMessage(topic, afterMs) }])
    return settled
  })
}

/**
 * Looks every `limits.sweepMs` for jobs of `topics` whose worker has not written its heartbeat for `limits.leaseMs`, and gives
 * them back. Every process looks, so that any one that lives is enough. Ends with the returned function.
 */
export function watchLeases(parts: { boss: PgBoss; db: Db; log: Log }, topics: readonly string[]): () => Promise<void> {
  const { db, log } = parts
  let looking = Promise.resolve()
  const look = async () => {
    const lost = await db.query<Attempt & { topic: string }>(
      `select id, retry_count as "retryCount", name as topic from pgboss.job_common
       where state = 'active' and name = any($1) and heartbeat_on < pgboss.job_now() - $2 * interval '1 millisecond'`,
      [topics, limits.leaseMs],
    )
    for (const [topic, attempts] of Map.groupBy(lost, (one) => one.topic)) {
      const given = await giveBack(parts, topic, attempts)
      if (given.length > 0)
        log.warn({ topic, jobs: given.length }, 'jobs of a worker that fell silent are given out again')
    }
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'leases could not be looked at; it is tried again')
    })
  }, limits.sweepMs)
  return async () => {
    clearInterval(timer)
    await looking
  }
}
