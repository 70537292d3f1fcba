import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@skillrun/core/json.ts'
import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import type { Sql } from '../../db/db.ts'
import { type JobHandler, LeaseLost, NotNow, type Slot, type Slots, WorkerStops } from '../queue.ts'
import { type Attempt, createLeaseTable, type Lease } from './lease-table.ts'

/** Notifications wake the worker; this poll covers notifications that were lost with their connection. */
const defaultPollMs = 2_000

/** What works on one topic in this process. */
export interface TopicWorker {
  readonly topic: string
  wake(): void
  wakeIn(ms: number): void
  /** Whether this process holds the job, or is about to. */
  holds(attempt: Attempt): boolean
  /** See `Queue.slotFor`. */
  slot(): Slot | undefined
  stop(signal: AbortSignal): Promise<void>
}

/** A job as the store gives it out. */
export interface FetchedJob extends Attempt {
  readonly data: JsonObject
  readonly groupId?: string | null
}

/** The jobs of one topic in the database. Every write is fenced by the attempt: that of an earlier attempt changes nothing. */
export interface JobStore {
  /** Gives out up to `count` jobs, none of the groups in `except`. */
  fetch(count: number, except: readonly string[]): Promise<readonly FetchedJob[]>
  /** Adds a job that is given out already, for the first time. */
  addActive(tx: Sql, job: { id: string; data: JsonObject; group: string | null; turn: number }): Promise<void>
  /** Writes the heartbeats of these attempts, and gives those whose lease was lost. */
  renew(attempts: readonly Attempt[]): Promise<readonly Attempt[]>
  complete(attempt: Attempt, tx?: Sql): Promise<void>
  /** Gives a job back for anybody to take, `afterMs` from now. */
  giveBack(attempt: Attempt, afterMs?: number): Promise<void>
  /** Gives a job back after a failure, to be tried after a pause that grows. */
  fail(attempt: Attempt): Promise<void>
}

/** A job in this process: fetched, or handed over by the request that added it. */
interface HeldJob extends FetchedJob {
  readonly handed?: unknown
}

/** Fetches jobs of a topic into its free slots and keeps their leases until their handlers have ended. */
export function startWorker(
  { store, log, pollMs = defaultPollMs }: { store: JobStore; log: Log; pollMs?: number | undefined },
  work: { topic: string; slots: Slots; handler: JobHandler },
): TopicWorker {
  const { topic, slots, handler } = work
  const leases = createLeaseTable<HeldJob>(slots.total, runLease, {
    onFree() {
      if (isBehind || stopping) alarm.ring()
    },
    onAbandoned({ id, retryCount }) {
      log.warn(
        { topic, job: id, attempt: retryCount, waitedMs: limits.letGoMs },
        'a handler did not stop after its job was taken from it; its slot is given to others, and what it still writes is refused',
      )
    },
    deadline(call) {
      const timer = setTimeout(call, limits.letGoMs)
      return () => clearTimeout(timer)
    },
  })
  const alarm = createAlarm()
  let stopping = false
  // Whether jobs may be waiting that no slot was free for. Jobs that are added later wake the worker themselves.
  let isBehind = true
  // Groups whose jobs were deferred (`NotNow`): none is fetched until their time is over.
  const deferredGroups = new Set<string>()

  async function runLease({ job, signal }: Lease<HeldJob>): Promise<void> {
    const attempt = { id: job.id, retryCount: job.retryCount }
    const isHanded = job.handed !== undefined
    let completed = false
    try {
      // What was handed over has begun elsewhere: its handler must hear that it may not go on.
      if (!isHanded) signal.throwIfAborted()
      await handler(
        {
          data: job.data,
          retries: job.retryCount,
          ...(isHanded ? { handed: job.handed } : {}),
          completeIn: async (tx) => {
            await store.complete(attempt, tx)
            completed = true
          },
        },
        signal,
      )
      if (!completed) await store.complete(attempt)
    } catch (error) {
      // A job that cannot be given back now is found later, because its heartbeats stop.
      await settleFailed(job, signal, error).catch((failure: unknown) => {
        log.warn({ topic, error: String(failure) }, 'a job could not be given back; its lease will lapse')
      })
    }
  }

  async function settleFailed(job: HeldJob, signal: AbortSignal, error: unknown): Promise<void> {
    if (signal.reason instanceof LeaseLost) return
    if (signal.reason instanceof WorkerStops) return store.giveBack(job)
    if (error instanceof NotNow) {
      if (job.groupId && error.defersGroup) deferGroup(job.groupId, error.afterMs)
      return store.giveBack(job, error.afterMs)
    }
    log.warn({ topic, error: String(error) }, 'a job goes back to the queue')
    return store.fail(job)
  }

  function deferGroup(group: string, afterMs: number): void {
    deferredGroups.add(group)
    alarm.in(afterMs, () => deferredGroups.delete(group))
  }

  function slot(): Slot | undefined {
    // Where groups are bounded, only the database knows whether a group is full.
    if (isBehind || stopping || slots.perGroup !== undefined) return undefined
    const attempt = { id: randomUUID(), retryCount: 0 }
    if (!leases.reserve(attempt)) return undefined
    let added: JsonObject = {}
    const release = (): void => {
      leases.unreserve(attempt)
      if (isBehind) alarm.ring()
    }
    return {
      async add(tx, data, { group = null, turn = 0 } = {}) {
        added = data
        await store.addActive(tx, { id: attempt.id, data, group, turn })
      },
      begin(handed) {
        leases.unreserve(attempt)
        leases.take({ ...attempt, data: added, handed })
        if (isBehind) alarm.ring()
      },
      giveUp: release,
    }
  }

  async function fetchJobs(): Promise<void> {
    while (!stopping) {
      alarm.reset()
      const { free } = leases
      if (free <= 0 || slots.perGroup !== undefined) isBehind = true
      if (free > 0) {
        try {
          const jobs = await store.fetch(free, [...deferredGroups])
          for (const job of jobs) leases.take(job)
          isBehind = jobs.length === free || slots.perGroup !== undefined
          // Jobs behind a full group come with the next fetch.
          if (jobs.length === free || (slots.perGroup !== undefined && jobs.length > 0)) continue
        } catch (error) {
          isBehind = true
          if (!stopping) log.warn({ topic, error: String(error) }, 'the queue could not be read; it is tried again')
        }
      }
      await alarm.wait(pollMs)
    }
  }

  const stopHeartbeats = startHeartbeats(async () => {
    const { attempts } = leases
    if (attempts.length === 0) return
    try {
      leases.lose(await store.renew(attempts))
    } catch (error) {
      // Nobody can take the jobs over either while the database is away.
      log.warn({ topic, error: String(error) }, 'a heartbeat could not be written')
    }
  })
  const fetching = fetchJobs()
  return {
    topic,
    wake: alarm.ring,
    wakeIn: (ms) => alarm.in(ms),
    holds: leases.holds,
    slot,
    async stop(signal) {
      stopping = true
      leases.close()
      alarm.silence()
      await fetching
      if (signal.aborted) leases.abortAll()
      else signal.addEventListener('abort', () => leases.abortAll(), { once: true })
      await leases.drained()
      stopHeartbeats()
    },
  }
}

/** Calls `beat` every `limits.heartbeatMs`. One that hangs holds up the next ones, but for no longer than a lease lasts. */
function startHeartbeats(beat: () => Promise<void>): () => void {
  let hangsSinceMs: number | undefined
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (hangsSinceMs !== undefined && nowMs - hangsSinceMs < limits.leaseMs) return
    hangsSinceMs = nowMs
    void beat().finally(() => {
      hangsSinceMs = undefined
    })
  }, limits.heartbeatMs)
  return () => clearInterval(timer)
}

/** Wakes one loop, now or after a time. A ring while nobody waits is remembered. */
interface Alarm {
  ring(): void
  /** Rings after `ms`, right after `before`. */
  in(ms: number, before?: () => void): void
  /** Forgets rings so far. */
  reset(): void
  /** Resolves at the next ring, and after `ms` at the latest. */
  wait(ms: number): Promise<void>
  /** Rings, and forgets the rings that are to come. */
  silence(): void
}

function createAlarm(): Alarm {
  let rung = false
  let wake: () => void = () => undefined
  const timers = new Set<NodeJS.Timeout>()
  const ring = () => {
    rung = true
    wake()
  }
  return {
    ring,
    in(ms, before) {
      if (ms <= 0) {
        before?.()
        return ring()
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        before?.()
        ring()
      }, ms)
      timers.add(timer)
    },
    reset() {
      rung = false
    },
    async wait(ms) {
      if (rung) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    silence() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      ring()
    },
  }
}
