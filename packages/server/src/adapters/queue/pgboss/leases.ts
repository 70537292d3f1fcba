import { assert } from '@skillrun/core/assert.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { PgBoss } from 'pg-boss'
import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import { type Db, jsonb, type Sql, tell } from '../../db/db.ts'
import type { Attempt } from './lease-table.ts'
import { createSilenceWatch } from './silence-watch.ts'
import type { JobStore } from './worker.ts'

// A worker may miss two heartbeats and still keep its lease.
assert(limits.heartbeatMs * 3 <= limits.leaseMs, 'a heartbeat must fit three times in the lease')

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
async function addActive(
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

/** The jobs of a topic as its worker sees them. `groupMax`: jobs of one group that all processes together may hold. */
export function openJobStore(parts: { boss: PgBoss; db: Db }, topic: string, groupMax: number | undefined): JobStore {
  const { boss, db } = parts
  const groupTerms = groupMax === undefined ? {} : { groupConcurrency: groupMax }
  return {
    fetch: (count, except) =>
      boss.fetch<JsonObject>(topic, {
        batchSize: count,
        includeMetadata: true,
        ...groupTerms,
        ignoreGroups: [...except],
      }),
    addActive: (tx, job) => addActive(tx, { ...job, topic }),
    renew: (attempts) => renewLeases(db, topic, attempts),
    async complete({ id, retryCount }, tx) {
      await boss.complete(topic, { id, retryCount }, null, tx ? { db: transactional(tx) } : {})
    },
    async giveBack({ id, retryCount }, afterMs) {
      await giveBack(parts, topic, [{ id, retryCount }], afterMs)
    },
    async fail({ id, retryCount }) {
      await boss.fail(topic, { id, retryCount }, { message: 'given back' })
    },
  }
}

/**
 * Writes heartbeats, and gives the attempts whose lease was lost. A row that is locked is skipped: its job is being ended, maybe
 * together with others of this statement, and waiting for each other would be a deadlock.
 */
async function renewLeases(db: Db, topic: string, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  const params = [topic, attempts.map(({ id }) => id), attempts.map(({ retryCount }) => retryCount)] as const
  const held = `select job.id, job.retry_count as "retryCount" from pgboss.job_common as job
     join unnest($2::uuid[], $3::integer[]) as attempt (id, retry_count)
     on job.id = attempt.id and job.retry_count = attempt.retry_count where job.name = $1 and job.state = 'active'`
  await db.query(
    `with held as (${held} for update of job skip locked)
     update pgboss.job_common as job set heartbeat_on = pgboss.job_now() from held where job.name = $1 and job.id = held.id`,
    params,
  )
  const kept = await db.query<Attempt>(held, params)
  return attempts.filter((one) => !kept.some(({ id, retryCount }) => id === one.id && retryCount === one.retryCount))
}

/** Gives jobs back for whoever is free, `afterMs` from now and without the pause that a failure has, and wakes the workers of the topic. */
async function giveBack(
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
 * Looks every `limits.sweepMs` for jobs of `topics` whose process writes no heartbeats any more (`SilenceWatch`), and gives them
 * back. Every process looks, so any one that lives is enough. Jobs that `isHeldHere` are skipped: a process that stood still, or
 * whose database was away, goes on with its jobs unless another process took them meanwhile. Ends with the returned function.
 */
export function watchLeases(
  parts: { boss: PgBoss; db: Db; log: Log },
  topics: readonly string[],
  isHeldHere: (topic: string, attempt: Attempt) => boolean,
): () => Promise<void> {
  const { db, log } = parts
  const watch = createSilenceWatch()
  let looking: Promise<void> | undefined
  const look = async () => {
    // Heartbeats from the future are there when the database's clock was set back.
    const quiet = await db.query<Attempt & { topic: string; beat: string; isOverdue: boolean }>(
      `select id, retry_count as "retryCount", name as topic, heartbeat_on::text as beat,
         heartbeat_on < now.at - $2 * interval '1 millisecond' or heartbeat_on > now.at as "isOverdue"
       from pgboss.job_common, (select pgboss.job_now() as at) now
       where state = 'active' and name = any($1)
         and (heartbeat_on < now.at - $2 / 2 * interval '1 millisecond' or heartbeat_on > now.at)`,
      [topics, limits.leaseMs],
    )
    const lapsed = watch.look(
      quiet.filter((one) => !isHeldHere(one.topic, one)),
      performance.now(),
    )
    for (const [topic, attempts] of Map.groupBy(lapsed, (one) => one.topic)) {
      const given = await giveBack(parts, topic, attempts)
      if (given.length > 0) log.warn({ topic, jobs: given.length }, 'jobs whose leases lapsed are given out again')
    }
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => {
        watch.lost()
        log.warn({ error: String(error) }, 'leases could not be looked at; it is tried again')
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
