import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@skillrun/core/json.ts'
import { limits } from '../../../core/limits.ts'
import type { Log } from '../../../core/log.ts'
import type { Sql } from '../../db/db.ts'
import { Deferred, type JobHandler, LeaseLost, type Slot, type Slots, WorkerStops } from '../queue.ts'
import { type Attempt, createLeaseTable, type Lease } from './lease-table.ts'

/** Notifications wake the worker; polling covers notifications lost with their connection. */
const defaultPollMs = 2_000

/** The worker of one topic in this process. */
export interface TopicWorker {
  readonly topic: string
  wake(): void
  wakeIn(ms: number): void
  /** Whether this process holds or has reserved the job. */
  holds(attempt: Attempt): boolean
  /** See `Queue.slotFor`. */
  slot(): Slot | undefined
  stop(signal: AbortSignal): Promise<void>
}

/** A delivered job. */
export interface FetchedJob extends Attempt {
  readonly data: JsonObject
  readonly groupId?: string | null
}

/** The jobs of one topic in the database. Every write is fenced by the attempt: a write of an earlier attempt has no effect. */
export interface JobStore {
  /** Delivers up to `count` jobs, skipping the groups in `except`. */
  fetch(count: number, except: readonly string[]): Promise<readonly FetchedJob[]>
  /** Adds a job that counts as delivered to this process. */
  addActive(tx: Sql, job: { id: string; data: JsonObject; group: string | null; turn: number }): Promise<void>
  /** Writes heartbeats, and returns the attempts whose lease was lost. */
  renew(attempts: readonly Attempt[]): Promise<readonly Attempt[]>
  complete(attempt: Attempt, tx?: Sql): Promise<void>
  /** Returns a job to the queue, available `afterMs` from now. */
  giveBack(attempt: Attempt, afterMs?: number): Promise<void>
  /** Returns a job to the queue after a failure, with backoff. */
  fail(attempt: Attempt): Promise<void>
}

/** A job in this process: fetched, or handed over by the request that added it. */
interface HeldJob extends FetchedJob {
  readonly handed?: unknown
}

/** Fetches jobs of a topic into free slots and renews their leases until their handlers have ended. */
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
        'a handler did not stop after its lease was lost; its slot is free again and its later writes are fenced',
      )
    },
    deadline(call) {
      const timer = setTimeout(call, limits.letGoMs)
      return () => clearTimeout(timer)
    },
  })
  const alarm = createAlarm()
  let stopping = false
  // Whether jobs may be waiting for a slot. Jobs that are added later wake the worker by notification.
  let isBehind = true
  // Groups with a deferred job: not fetched until the deferral ends.
  const deferredGroups = new Set<string>()

  async function runLease({ job, signal }: Lease<HeldJob>): Promise<void> {
    const attempt = { id: job.id, retryCount: job.retryCount }
    const isHanded = job.handed !== undefined
    let completed = false
    try {
      // A handed-over job has already begun elsewhere: its handler must run to learn that it may not continue.
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
      // A job that cannot be returned now is found later, because its heartbeats stop.
      await settleFailed(job, signal, error).catch((failure: unknown) => {
        log.warn({ topic, error: String(failure) }, 'cannot return a job to the queue; its lease will lapse')
      })
    }
  }

  async function settleFailed(job: HeldJob, signal: AbortSignal, error: unknown): Promise<void> {
    if (signal.reason instanceof LeaseLost) return
    if (signal.reason instanceof WorkerStops) return store.giveBack(job)
    if (error instanceof Deferred) {
      if (job.groupId && error.defersGroup) deferGroup(job.groupId, error.afterMs)
      return store.giveBack(job, error.afterMs)
    }
    log.warn({ topic, error: String(error) }, 'a job failed and returns to the queue')
    return store.fail(job)
  }

  function deferGroup(group: string, afterMs: number): void {
    deferredGroups.add(group)
    alarm.in(afterMs, () => deferredGroups.delete(group))
  }

  function slot(): Slot | undefined {
    // With a limit per group, only the database knows whether a group is full.
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
          // Jobs behind a full group are found by the next fetch.
          if (jobs.length === free || (slots.perGroup !== undefined && jobs.length > 0)) continue
        } catch (error) {
          isBehind = true
          if (!stopping) log.warn({ topic, error: String(error) }, 'cannot fetch jobs; will retry')
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
      // While the database is unavailable, no other process can take the jobs either.
      log.warn({ topic, error: String(error) }, 'cannot write a heartbeat')
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

/** Calls `beat` every `limits.heartbeatMs`. While one hangs, later ones are skipped, for at most the length of a lease. */
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

/** Wakes one loop, now or after a delay. A ring while nothing waits is remembered. */
interface Alarm {
  ring(): void
  /** Calls `before` and rings, after `ms`. */
  in(ms: number, before?: () => void): void
  /** Clears a remembered ring. */
  reset(): void
  /** Resolves at the next ring, and after `ms` at the latest. */
  wait(ms: number): Promise<void>
  /** Rings once more, and cancels all delayed rings. */
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
