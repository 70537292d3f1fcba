import { PgBoss } from 'pg-boss'
import { Bug } from '../../../kit/assert.ts'
import type { JsonObject } from '../../../kit/json.ts'
import { limits } from '../../../kit/limits.ts'
import type { Log } from '../../../kit/log.ts'
import type { Db, DbAddress, Sql } from '../../db/db.ts'
import type { JobHandler, Queue } from '../queue.ts'

/** Jobs of a process that died are found by their missing heartbeat, looked for this often. */
const superviseSeconds = 2
/** Wake-ups carry the work; this poll is the net under them, for a notification lost with its connection. */
const pollMs = 2_000
/** Times that one job is given out, hand-overs at shutdown included. Runs count their own deaths and fail long before. */
const triesMax = 50
const retryDelaySeconds = 1
/** A job may be held this long if its heartbeat goes on; pg-boss wants a bound under a day. */
const holdSecondsMax = 23 * 3600
/** A job that waits longer than a year is not lost for it: pg-boss would delete after two weeks. */
const waitSecondsMax = 366 * 24 * 3600
const channel = 'skillrun_jobs'

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
    queueCacheIntervalSeconds: 60,
  })
  boss.on('error', (error) => log.warn({ error: String(error) }, 'the queue met an error'))
  await boss.start()
  for (const topic of topics) await ensureQueue(boss, topic)

  const workers: TopicWorker[] = []
  const stopListening = await db.listen(
    channel,
    (topic) => {
      for (const worker of workers) if (worker.topic === topic) worker.wake()
    },
    () => {
      for (const worker of workers) worker.wake()
    },
  )
  return {
    async add(tx, topic, data) {
      const id = await boss.send(topic, data, { db: transactional(tx) })
      if (!id) throw new Bug('the queue took no job')
      await tx.query('select pg_notify($1, $2)', [channel, topic])
    },
    work(topic, slots, handler) {
      workers.push(startWorker({ boss, log }, { topic, slots, handler }))
    },
    async stop(signal) {
      await Promise.all(workers.map((worker) => worker.stop(signal)))
      await stopListening()
      await boss.stop({ graceful: false, close: true })
    },
  }
}

async function ensureQueue(boss: PgBoss, topic: string): Promise<void> {
  const options = {
    retryLimit: triesMax,
    retryDelay: retryDelaySeconds,
    heartbeatSeconds: limits.leaseMs / 1000,
    expireInSeconds: holdSecondsMax,
    deleteAfterSeconds: 3600,
    retentionSeconds: waitSecondsMax,
  }
  await boss.createQueue(topic, options)
}

function transactional(tx: Sql) {
  return { executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await tx.query(text, values))] }) }
}

interface TopicWorker {
  readonly topic: string
  wake(): void
  stop(signal: AbortSignal): Promise<void>
}

function startWorker(
  parts: { boss: PgBoss; log: Log },
  work: { topic: string; slots: number; handler: JobHandler },
): TopicWorker {
  const { boss, log } = parts
  const held = new Map<
    string,
    { attempt: { id: string; retryCount: number }; abort: AbortController; ended: Promise<void> }
  >()
  let stopping = false
  let woken = false
  let rouse: () => void = () => undefined
  const wake = () => {
    woken = true
    rouse()
  }

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
        if (!abort.signal.aborted) log.warn({ topic: work.topic, error: String(error) }, 'a job goes back to the queue')
        await boss.fail(work.topic, attempt, { message: 'given back' }).catch(() => undefined)
      } finally {
        held.delete(job.id)
        wake()
      }
    }
    held.set(job.id, { attempt, abort, ended: run() })
  }

  async function take(): Promise<void> {
    while (!stopping) {
      woken = false
      const free = work.slots - held.size
      if (free > 0) {
        try {
          const jobs = await boss.fetch<JsonObject>(work.topic, { batchSize: free, includeMetadata: true })
          for (const job of jobs) await hold(job)
          if (jobs.length === free) continue
        } catch (error) {
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
    async stop(signal) {
      stopping = true
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
