import { PgBoss } from 'pg-boss'
import { Bug } from '../../../kit/assert.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { limits } from '../../../kit/limits.ts'
import type { Log } from '../../../kit/log.ts'
import { type Db, type DbAddress, type Sql, tell } from '../../db/db.ts'
import type { JobHandler, Queue, Slots } from '../queue.ts'
import { type Attempt, ensureActiveIndex, giveBack, transactional, wakeChannel, watchLeases } from './leases.ts'

/** How often pg-boss counts its jobs and drops the finished ones: each time a walk over the table. */
const superviseSeconds = 60
/** pg-boss takes no heartbeat shorter than 10 s: its own look for dead workers is only the net under `watchLeases`. */
const heartbeatSeconds = 60
/** Wake-ups carry the work; this poll is the net under them, for a notification lost with its connection. */
const pollMs = 2_000
/**
 * Times that one job is given out: without end as far as anybody will see, for what has no job left is lost. Runs count their own
 * deaths and fail long before; what else fails again and again waits longer each time.
 */
const triesMax = 1_000_000
const retryDelaySeconds = 1
const retryDelaySecondsMax = 60
/** A job may be held this long if its heartbeat goes on; pg-boss wants a bound under a day. */
const holdSecondsMax = 23 * 3600
/** A job that waits longer than a year is not lost for it: pg-boss would delete after two weeks. */
const waitSecondsMax = 366 * 24 * 3600
/** A finished job says nothing that its execution does not. */
const keepFinishedSeconds = 60
/** The end of a longer delay is left to the poll: a timer for each would be kept for hours. */
const timedDelayMsMax = 60_000
/** A timer may ring a moment before the database's clock says that the delay is over. */
const timerSlackMs = 5

/** The queue on pg-boss: opens `topics`, and answers when jobs can be added and worked on. */
export async function openQueue(
  parts: { db: Db; address: DbAddress; log: Log },
  topics: readonly string[],
): Promise<Queue> {
  const { db, log } = parts
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
  boss.on('error', (error) => log.warn({ error: String(error) }, 'the queue met an error'))
  await boss.start()
  for (const topic of topics) await ensureQueue(boss, topic)
  await ensureActiveIndex(db)

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
  const stopWatching = watchLeases({ boss, db, log }, topics)
  return {
    async add(tx, topic, data, { delayMs = 0, group, turn = 0 } = {}) {
      const id = await boss.send(topic, data, {
        db: transactional(tx),
        ...(delayMs > 0 ? { startAfter: delayMs / 1000 } : {}),
        ...(group === undefined ? {} : { group: { id: group } }),
        // A larger priority goes first.
        ...(turn > 0 ? { priority: -turn } : {}),
      })
      if (!id) throw new Bug('the queue took no job')
      if (delayMs <= timedDelayMsMax) await tell(tx, [{ channel: wakeChannel, payload: wakeMessage(topic, delayMs) }])
    },
    async waiting(topic, most) {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::integer as count from (select 1 from pgboss.job where name = $1 and state < 'active' limit $2) waiting`,
        [topic, most],
      )
      return row?.count ?? 0
    },
    async firstTurn(topic) {
      const [row] = await db.query<{ turn: number }>(
        `select -priority as turn from pgboss.job_common where name = $1 and state < 'active' and not blocked order by priority desc limit 1`,
        [topic],
      )
      return row?.turn ?? 0
    },
    work(topic, slots, handler) {
      workers.push(startWorker({ boss, db, log }, { topic, slots, handler }))
    },
    async stop(signal) {
      await Promise.all(workers.map((worker) => worker.stop(signal)))
      await stopWatching()
      await stopListening()
      await boss.stop({ graceful: false, close: true })
    },
  }
}

const wakeMessage = (topic: string, delayMs: number): string =>
  delayMs > 0 ? `${topic} ${Math.ceil(delayMs) + timerSlackMs}` : topic

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

interface TopicWorker {
  readonly topic: string
  wake(): void
  wakeIn(ms: number): void
  stop(signal: AbortSignal): Promise<void>
}

function startWorker(
  parts: { boss: PgBoss; db: Db; log: Log },
  work: { topic: string; slots: Slots; handler: JobHandler },
): TopicWorker {
  const { boss, log } = parts
  const held = new Map<string, { attempt: Attempt; abort: AbortController; ended: Promise<void> }>()
  let stopping = false
  let woken = false
  // Whether something may wait that no slot was free for: what comes later wakes by itself.
  let isBehind = false
  let rouse: () => void = () => undefined
  const wake = () => {
    woken = true
    rouse()
  }
  const timers = new Set<NodeJS.Timeout>()
  const wakeIn = (ms: number) => {
    if (ms <= 0) return wake()
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake()
    }, ms)
    timers.add(timer)
  }
  const groupTerms = work.slots.perGroup === undefined ? {} : { groupConcurrency: work.slots.perGroup }

  async function pause(ms: number): Promise<void> {
    if (woken) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function hold(job: { id: string; data: JsonObject; retryCount: number }): Promise<void> {
    const attempt = { id: job.id, retryCount: job.retryCount }
    const abort = new AbortController()
    const complete = async (tx: Sql) => {
      await boss.complete(work.topic, attempt, null, { db: transactional(tx) })
    }
    let completed = false
    const run = async () => {
      try {
        await work.handler(
          {
            data: job.data,
            retries: job.retryCount,
            completeIn: async (tx) => {
              await complete(tx)
              completed = true
            },
          },
          abort.signal,
        )
        if (!completed) await boss.complete(work.topic, attempt)
      } catch (error) {
        // What cannot be given back now is found by its silence.
        if (abort.signal.aborted) await giveBack(parts, work.topic, [attempt]).catch(() => undefined)
        else {
          log.warn({ topic: work.topic, error: String(error) }, 'a job goes back to the queue')
          await boss.fail(work.topic, attempt, { message: 'given back' }).catch(() => undefined)
        }
      } finally {
        held.delete(job.id)
        if (isBehind || stopping) wake()
      }
    }
    held.set(job.id, { attempt, abort, ended: run() })
  }

  async function take(): Promise<void> {
    while (!stopping) {
      woken = false
      const free = work.slots.total - held.size
      isBehind = free === 0 || work.slots.perGroup !== undefined
      if (free > 0) {
        try {
          const terms = { batchSize: free, includeMetadata: true, ...groupTerms } as const
          const jobs = await boss.fetch<JsonObject>(work.topic, terms)
          for (const job of jobs) await hold(job)
          isBehind ||= jobs.length === free
          // Where groups are bounded, those that stood behind a full one come with the next look.
          if (jobs.length === free || (work.slots.perGroup !== undefined && jobs.length > 0)) continue
        } catch (error) {
          isBehind = true
          if (!stopping)
            log.warn({ topic: work.topic, error: String(error) }, 'the queue could not be read; it is tried again')
        }
      }
      await pause(pollMs)
    }
  }

  // A job whose lease the database gave to another (this process stood still too long) is let go of at once.
  async function beat(): Promise<void> {
    const attempts = [...held.values()].map((one) => one.attempt)
    if (attempts.length === 0) return
    try {
      const { settled } = (await boss.touch(work.topic, attempts)) as { settled?: readonly string[] }
      const kept = new Set(settled)
      for (const attempt of attempts)
        if (!kept.has(attempt.id)) held.get(attempt.id)?.abort.abort(new Error('the lease was lost'))
    } catch (error) {
      log.warn({ topic: work.topic, error: String(error) }, 'a heartbeat could not be written')
    }
  }

  const heartbeat = setInterval(() => void beat(), limits.heartbeatMs)
  const taking = take()
  return {
    topic: work.topic,
    wake,
    wakeIn,
    async stop(signal) {
      stopping = true
      for (const timer of timers) clearTimeout(timer)
      wake()
      await taking
      const letGo = () => {
        for (const { abort } of held.values()) abort.abort(new Error('the worker stops'))
      }
      if (signal.aborted) letGo()
      else signal.addEventListener('abort', letGo, { once: true })
      await Promise.all([...held.values()].map((one) => one.ended))
      clearInterval(heartbeat)
    },
  }
}
