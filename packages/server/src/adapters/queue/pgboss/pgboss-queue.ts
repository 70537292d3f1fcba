import { Bug } from '@skillrun/core/assert.ts'
import { type JobInsert, PgBoss } from 'pg-boss'
import type { Log } from '../../../core/log.ts'
import { type Db, type DbAddress, each, type ManyRows, notify } from '../../db/db.ts'
import type { Queue } from '../queue.ts'
import { ensureDatabaseClock, watchDatabaseClock } from './database-clock.ts'
import type { Attempt } from './lease-table.ts'
import { ensureActiveIndex, openJobStore, transactional, wakeChannel, wakeMessage, watchLeases } from './leases.ts'
import { startWorker, type TopicWorker } from './worker.ts'

/** How often pg-boss counts jobs and deletes finished ones: each time it scans the table. */
const superviseSeconds = 60
/** pg-boss allows no heartbeat under 10 s; its own check for dead workers is only a fallback for `watchLeases`. */
const heartbeatSeconds = 60
/**
 * Deliveries of one job: practically unlimited, because work without a job would be lost. Runs count crashes and fail much
 * earlier; other jobs that keep failing wait longer each time.
 */
const triesMax = 1_000_000
const retryDelaySeconds = 1
const retryDelaySecondsMax = 60
/** How long a job may be held while its heartbeat continues; pg-boss requires a limit under a day. */
const holdSecondsMax = 23 * 3600
/** pg-boss deletes waiting jobs after this time; its default is two weeks. */
const waitSecondsMax = 366 * 24 * 3600
/** Finished jobs are deleted soon: the execution has all their information. */
const keepFinishedSeconds = 60
/** Longer delays are left to polling, because a timer for each would be kept for hours. */
const timedDelayMsMax = 60_000

/** Opens the queue on pg-boss for `topics`; resolves when jobs can be added and worked on. */
export async function openQueue(
  parts: { db: Db; address: DbAddress; log: Log; pollMs?: number },
  topics: readonly string[],
): Promise<Queue> {
  const { db, log, pollMs } = parts
  const connection = 'url' in parts.address ? { connectionString: parts.address.url } : parts.address
  const boss = new PgBoss({
    ...connection,
    max: 4,
    application_name: 'skillrun-queue',
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: superviseSeconds,
    queueCacheIntervalSeconds: 60,
  })
  boss.on('error', (error) => log.warn({ error: String(error) }, 'queue error'))
  await boss.start()
  for (const topic of topics) await ensureQueue(boss, topic)
  await ensureActiveIndex(db)
  await ensureDatabaseClock(db)

  const workers: TopicWorker[] = []
  const stopListening = await db.listen(
    wakeChannel,
    (message) => {
      const [topic, delayMs] = message.split(' ')
      for (const worker of workers) if (worker.topic === topic) worker.wakeIn(Number(delayMs ?? 0))
    },
    () => {
      for (const worker of workers) worker.wake()
    },
  )
  const adders = new Map<string, ManyRows<JobInsert, undefined>>()
  const addAllTo = (topic: string): ManyRows<JobInsert, undefined> => {
    const adder = adders.get(topic) ?? addingTo(boss, topic)
    adders.set(topic, adder)
    return adder
  }
  const isHeldHere = (topic: string, attempt: Attempt): boolean =>
    workers.some((worker) => worker.topic === topic && worker.holds(attempt))
  const stopFollowing = watchDatabaseClock({ db, log })
  const stopWatching = watchLeases({ boss, db, log }, topics, isHeldHere)
  return {
    async add(tx, topic, data, { delayMs = 0, group, turn = 0 } = {}) {
      await each(tx, addAllTo(topic), {
        data,
        ...(delayMs > 0 ? { startAfter: delayMs / 1000 } : {}),
        ...(group === undefined ? {} : { group: { id: group } }),
        // pg-boss delivers larger priorities first.
        ...(turn > 0 ? { priority: -turn } : {}),
      })
      if (delayMs <= timedDelayMsMax) await notify(tx, [{ channel: wakeChannel, payload: wakeMessage(topic, delayMs) }])
    },
    slotFor: (topic) => workers.find((worker) => worker.topic === topic)?.slot(),
    async waiting(topic, most) {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::integer as count from (select 1 from pgboss.job where name = $1 and state < 'active' limit $2) waiting`,
        [topic, most],
      )
      return row?.count ?? 0
    },
    async oldestSeconds(topic, most) {
      const [row] = await db.query<{ seconds: number | null }>(
        `select extract(epoch from pgboss.job_now() - min(start_after))::float8 as seconds from
           (select start_after from pgboss.job where name = $1 and state < 'active' and start_after <= pgboss.job_now() limit $2) due`,
        [topic, most],
      )
      return row?.seconds ?? 0
    },
    async firstTurn(topic) {
      const [row] = await db.query<{ turn: number }>(
        `select -priority as turn from pgboss.job_common where name = $1 and state < 'active' and not blocked order by priority desc limit 1`,
        [topic],
      )
      return row?.turn ?? 0
    },
    work(topic, slots, handler) {
      const store = openJobStore({ boss, db }, topic, slots.perGroup)
      workers.push(startWorker({ store, log, pollMs }, { topic, slots, handler }))
    },
    async stop(signal) {
      await Promise.all(workers.map((worker) => worker.stop(signal)))
      await stopWatching()
      await stopFollowing()
      await stopListening()
      await boss.stop({ graceful: false, close: true })
    },
  }
}

function addingTo(boss: PgBoss, topic: string): ManyRows<JobInsert, undefined> {
  return async (tx, jobs) => {
    const ids = await boss.insert(topic, [...jobs], { db: transactional(tx), returnId: true })
    if (ids?.length !== jobs.length) throw new Bug('the queue did not accept a job')
    return jobs.map(() => undefined)
  }
}

async function ensureQueue(boss: PgBoss, topic: string): Promise<void> {
  const options = {
    retryLimit: triesMax,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: retryDelaySecondsMax,
    heartbeatSeconds,
    expireInSeconds: holdSecondsMax,
    deleteAfterSeconds: keepFinishedSeconds,
    retentionSeconds: waitSecondsMax,
  }
  await boss.createQueue(topic, options)
}
