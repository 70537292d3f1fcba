import { randomUUID } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { JsonObject } from '../../../kit/json.ts'
import { limits } from '../../../kit/limits.ts'
import type { Log } from '../../../kit/log.ts'
import type { Db, Sql } from '../../db/db.ts'
import { type JobHandler, NotNow, type Slot, type Slots } from '../queue.ts'
import { type Attempt, addActive, giveBack, keepAlive, transactional } from './leases.ts'

/** Wake-ups carry the work; this poll is the net under them, for a notification lost with its connection. */
const pollMs = 2_000

/** What works on one topic in this process. */
export interface TopicWorker {
  readonly topic: string
  wake(): void
  wakeIn(ms: number): void
  /** See `Queue.slotFor`. */
  slot(): Slot | undefined
  stop(signal: AbortSignal): Promise<void>
}

interface HeldJob {
  readonly id: string
  readonly data: JsonObject
  readonly retryCount: number
  readonly groupId?: string | null
  readonly handed?: unknown
}

/** Fetches jobs of a topic into its free slots and holds them until their handlers end. */
export function startWorker(
  parts: { boss: PgBoss; db: Db; log: Log },
  work: { topic: string; slots: Slots; handler: JobHandler },
): TopicWorker {
  const { boss, log } = parts
  const held = new Map<string, { attempt: Attempt; abort: AbortController; ended: Promise<void> }>()
  let stopping = false
  let woken = false
  // Whether something may wait that no slot was free for: what comes later wakes by itself.
  let isBehind = true
  // Slots that are kept for jobs which are about to be added, and those in which a handler works.
  let kept = 0
  let busy = 0
  // Jobs that were fetched while the slot which they were fetched for was given to one that is about to be added.
  const crowded: (() => void)[] = []
  let rouse: () => void = () => undefined
  const wake = () => {
    woken = true
    rouse()
  }
  const timers = new Set<NodeJS.Timeout>()
  // Groups that have no place now: see `NotNow`.
  const putOffGroups = new Set<string>()
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

  function hold(job: HeldJob): void {
    const attempt = { id: job.id, retryCount: job.retryCount }
    const abort = new AbortController()
    const complete = async (tx: Sql) => {
      await boss.complete(work.topic, attempt, null, { db: transactional(tx) })
    }
    let completed = false
    const begun = busy < work.slots.total ? undefined : new Promise<void>((resolve) => crowded.push(resolve))
    if (!begun) busy += 1
    const run = async () => {
      try {
        await begun
        // What is not begun when the worker stops is not begun any more; what was handed over gives its own back.
        const isHanded = job.handed !== undefined
        if (stopping && (begun || isHanded)) abort.abort(new Error('the worker stops'))
        if (!isHanded) abort.signal.throwIfAborted()
        await work.handler(
          {
            data: job.data,
            retries: job.retryCount,
            ...(job.handed === undefined ? {} : { handed: job.handed }),
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
        else if (error instanceof NotNow) await putOff(job, error.afterMs)
        else {
          log.warn({ topic: work.topic, error: String(error) }, 'a job goes back to the queue')
          await boss.fail(work.topic, attempt, { message: 'given back' }).catch(() => undefined)
        }
      } finally {
        held.delete(job.id)
        const next = crowded.shift()
        if (next) next()
        else busy -= 1
        if (isBehind || stopping) wake()
      }
    }
    held.set(job.id, { attempt, abort, ended: run() })
  }

  async function putOff({ id, retryCount, groupId }: HeldJob, afterMs: number): Promise<void> {
    if (groupId) {
      putOffGroups.add(groupId)
      const timer = setTimeout(() => {
        timers.delete(timer)
        putOffGroups.delete(groupId)
        wake()
      }, afterMs)
      timers.add(timer)
    }
    await giveBack(parts, work.topic, [{ id, retryCount }], afterMs).catch(() => undefined)
  }

  function slot(): Slot | undefined {
    // Where groups are bounded, the database alone knows whether this one is full.
    const isFree = !isBehind && work.slots.perGroup === undefined && work.slots.total > held.size + kept
    if (!isFree || stopping) return undefined
    const attempt = { id: randomUUID(), retryCount: 0 }
    let added: JsonObject = {}
    kept += 1
    const release = (): void => {
      kept -= 1
      if (isBehind) wake()
    }
    return {
      async add(tx, data, { group = null, turn = 0 } = {}) {
        added = data
        await addActive(tx, { id: attempt.id, topic: work.topic, data, group, turn })
      },
      begin(handed) {
        release()
        hold({ ...attempt, data: added, handed })
      },
      giveUp: release,
    }
  }

  async function take(): Promise<void> {
    while (!stopping) {
      woken = false
      const free = work.slots.total - held.size - kept
      if (free <= 0 || work.slots.perGroup !== undefined) isBehind = true
      if (free > 0) {
        try {
          const ignoreGroups = [...putOffGroups]
          const terms = { batchSize: free, includeMetadata: true, ...groupTerms, ignoreGroups } as const
          const jobs = await boss.fetch<JsonObject>(work.topic, terms)
          for (const job of jobs) hold(job)
          isBehind = jobs.length === free || work.slots.perGroup !== undefined
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
      const alive = await keepAlive(parts.db, work.topic, attempts)
      for (const attempt of attempts)
        if (!alive.has(attempt.id)) held.get(attempt.id)?.abort.abort(new Error('the lease was lost'))
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
    slot,
    async stop(signal) {
      stopping = true
      for (const begin of crowded.splice(0)) begin()
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
