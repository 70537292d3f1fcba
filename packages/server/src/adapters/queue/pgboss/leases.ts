import { assert } from '@skillrun/core/assert.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { PgBoss } from 'pg-boss'
import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import { type Db, each, jsonb, notify, type Sql } from '../../db/db.ts'
import type { Attempt } from './lease-table.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { sweep } from './sweep.ts'
import type { JobStore } from './worker.ts'

// A worker can miss two heartbeats and keep its lease.
assert(limits.heartbeatMs * 3 <= limits.leaseMs, 'the lease must be at least three heartbeats long')

/** The channel of notifications about new jobs. */
export const wakeChannel = 'skillrun_jobs'

/** Timers can fire a moment before the delay is over on the database's clock. */
const timerSlackMs = 5

/** The notification that a topic has a job, `delayMs` from now. */
export const wakeMessage = (topic: string, delayMs: number): string =>
  delayMs > 0 ? `${topic} ${Math.ceil(delayMs) + timerSlackMs}` : topic

/** An adapter that lets pg-boss run in our transaction. */
export function transactional(tx: Sql) {
  return { executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await tx.query(text, values))] }) }
}

/** The index for finding lapsed leases: pg-boss has none on active jobs. */
export async function ensureActiveIndex(db: Db): Promise<void> {
  const name = 'pgboss.job_common_skillrun_active'
  const [found] = await db.query<{ present: boolean }>('select to_regclass($1) is not null as present', [name])
  if (found?.present) return
  await db.transaction(async (tx) => {
    // Concurrent creation would fail on the index's name, even with `if not exists`.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
    await tx.query(
      `create index if not exists job_common_skillrun_active on pgboss.job_common (name) where state = 'active'`,
    )
  })
}

interface ActiveJob {
  readonly id: string
  readonly topic: string
  readonly data: JsonObject
  readonly group: string | null
  readonly turn: number
}

/** Adds jobs in the state that pg-boss gives them at their first delivery. */
async function addAllActive(tx: Sql, jobs: readonly ActiveJob[]): Promise<readonly undefined[]> {
  const added = await tx.query(
    `insert into pgboss.job_common (id, name, data, priority, group_id, state, created_on, start_after, started_on, heartbeat_on,
       keep_until, policy, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds)
     select given.id, name, given.data, given.priority, given.group_id, 'active', now.at, now.at, now.at, now.at, now.at + retention_seconds * interval '1 second',
       policy, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds
     from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::integer[], $5::text[]) as given (id, topic, data, priority, group_id)
       join pgboss.queue on name = given.topic, (select pgboss.job_now() as at) now returning 1`,
    [
      jobs.map(({ id }) => id),
      jobs.map(({ topic }) => topic),
      jobs.map(({ data }) => jsonb(data)),
      jobs.map(({ turn }) => -turn),
      jobs.map(({ group }) => group),
    ],
  )
  assert(added.length === jobs.length, `no queue for one of the topics ${jobs.map(({ topic }) => topic).join(', ')}`)
  return jobs.map(() => undefined)
}

/** The jobs of a topic. `groupMax`: the most jobs of one group that all processes together may hold. */
export function openJobStore(parts: { boss: PgBoss; db: Db }, topic: string, groupMax: number | undefined): JobStore {
  const { boss, db } = parts
  const completeAll = async (sql: Sql, attempts: readonly Attempt[]): Promise<readonly undefined[]> => {
    await boss.complete(topic, [...attempts], null, { db: transactional(sql) })
    return attempts.map(() => undefined)
  }
  const groupTerms = groupMax === undefined ? {} : { groupConcurrency: groupMax }
  return {
    fetch: (count, except) =>
      boss.fetch<JsonObject>(topic, {
        batchSize: count,
        includeMetadata: true,
        ...groupTerms,
        ignoreGroups: [...except],
      }),
    addActive: (tx, job) => each(tx, addAllActive, { ...job, topic }),
    renew: (attempts) => renewLeases(db, topic, attempts),
    async complete({ id, retryCount }, tx) {
      if (tx) await each(tx, completeAll, { id, retryCount })
      else await boss.complete(topic, { id, retryCount })
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
 * Writes heartbeats, and returns the attempts whose lease was lost. Locked rows are skipped: their jobs are being completed,
 * maybe together with others of this statement, so waiting for them could deadlock.
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

/** Returns jobs to the queue, available `afterMs` from now without the backoff of a failure, and wakes the topic's workers. */
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
       where name = $1 and id = any($2::uuid[])`,
      [topic, settled, afterMs],
    )
    await notify(tx, [{ channel: wakeChannel, payload: wakeMessage(topic, afterMs) }])
    return settled
  })
}

/**
 * Checks every `limits.sweepMs` for jobs of `topics` without heartbeats (`SilenceWatch`), and returns them to the queue. Every process does
 * so; one is enough. Jobs for which `isHeldHere` is true are skipped: after a stall or a database outage a process continues its jobs
 * unless another process took them. Stops with the returned function.
 */
export function watchLeases(
  parts: { boss: PgBoss; db: Db; log: Log },
  topics: readonly string[],
  isHeldHere: (topic: string, attempt: Attempt) => boolean,
): () => Promise<void> {
  const { db, log } = parts
  const watch = createSilenceWatch()
  const look = async () => {
    // Heartbeats in the future mean that the database's clock was set back.
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
      if (given.length > 0) log.warn({ topic, jobs: given.length }, 'returned jobs with lapsed leases to the queue')
    }
  }
  return sweep(look, (error) => {
    watch.lost()
    log.warn({ error: String(error) }, 'cannot check leases; will retry')
  })
}
