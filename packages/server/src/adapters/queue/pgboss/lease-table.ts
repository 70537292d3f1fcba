import { LeaseLost, WorkerStops } from '../queue.ts'

/** One delivery of a job. pg-boss raises the count at each delivery and fences its own writes with it. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

/** A job that this process holds. */
export interface Lease<Job extends Attempt> {
  readonly job: Job
  /** Aborts with `LeaseLost` or `WorkerStops`; the handler must then let go. */
  readonly signal: AbortSignal
}

/**
 * The leases of one topic in this process, keyed by job id and attempt. A lease is in one of three states:
 *
 *     take ──▶ waiting ──▶ running ──▶ (removed)
 *                 │           │            ▲
 *                 └── abort ──┴─▶ ending ──┘
 *
 * - `waiting` → `running`: a slot is free, and no earlier attempt of the same job still runs here.
 * - `waiting` or `running` → `ending`: the lease was lost, a later attempt of the job was taken, or the worker stops. The handler
 *   of a running lease keeps its slot until it has let go, or until its deadline; a waiting one needs no slot to end.
 * - removed: `work` has settled, or the handler ignored its abort until the deadline (abandoned). Only the entry of the same
 *   attempt is removed. An abandoned handler may still run; its writes are fenced by its attempt.
 *
 * A data structure without timers and database access.
 */
export interface LeaseTable<Job extends Attempt> {
  /** Slots without a lease or reservation. */
  readonly free: number
  readonly attempts: readonly Attempt[]
  holds(attempt: Attempt): boolean
  /** Reserves a slot for a job that is about to be added; false when none is free. */
  reserve(attempt: Attempt): boolean
  /** Ends the reservation. If the job was added, call `take` immediately afterwards. */
  unreserve(attempt: Attempt): void
  /** Adds a lease. Earlier attempts of the job are aborted; the job starts when they have ended. */
  take(job: Job): void
  /** Aborts leases that another process has taken over. Unknown attempts are ignored. */
  lose(attempts: readonly Attempt[]): void
  /** Aborts waiting leases, and all later ones. */
  close(): void
  /** Aborts all leases. */
  abortAll(): void
  /** Resolves when there are no leases. */
  drained(): Promise<void>
}

/** Callbacks to the owner of a table. */
export interface LeaseEvents<Job extends Attempt> {
  /** A lease ended or was abandoned. */
  onFree(): void
  /** A handler did not end before its deadline; its slot becomes free. */
  onAbandoned(job: Job): void
  /** Calls `call` after the time that an aborted handler has to end. Returns a function that cancels the call. */
  deadline(call: () => void): () => void
}

interface Entry<Job extends Attempt> extends Lease<Job> {
  readonly abort: AbortController
  readonly ended: PromiseWithResolvers<void>
  state: 'waiting' | 'running' | 'ending'
  takesSlot: boolean
  cancelDeadline?: () => void
}

const keyOf = ({ id, retryCount }: Attempt): string => `${id} ${retryCount}`

/** `work` runs a lease and never rejects. */
export function createLeaseTable<Job extends Attempt>(
  slots: number,
  work: (lease: Lease<Job>) => Promise<void>,
  events: LeaseEvents<Job>,
): LeaseTable<Job> {
  const entries = new Map<string, Entry<Job>>()
  const waiting = new Set<Entry<Job>>()
  const reserved = new Set<string>()
  let slotsTaken = 0
  let closed = false

  const ofJob = (id: string): Entry<Job>[] => [...entries.values()].filter((one) => one.job.id === id)

  function abort(entry: Entry<Job>, reason: Error): void {
    if (entry.state === 'ending') return
    const wasWaiting = waiting.delete(entry)
    entry.state = 'ending'
    if (!wasWaiting) entry.cancelDeadline = events.deadline(() => abandon(entry))
    entry.abort.abort(reason)
    if (wasWaiting) begin(entry, { takesSlot: false })
  }

  function begin(entry: Entry<Job>, { takesSlot }: { takesSlot: boolean }): void {
    entry.takesSlot = takesSlot
    if (takesSlot) slotsTaken += 1
    void work(entry).then(() => remove(entry))
  }

  function abandon(entry: Entry<Job>): void {
    if (entries.get(keyOf(entry.job)) !== entry) return
    events.onAbandoned(entry.job)
    remove(entry)
  }

  /** Does nothing when the entry has been removed already. */
  function remove(entry: Entry<Job>): void {
    const key = keyOf(entry.job)
    if (entries.get(key) !== entry) return
    entries.delete(key)
    if (entry.takesSlot) slotsTaken -= 1
    entry.cancelDeadline?.()
    entry.ended.resolve()
    advance()
    events.onFree()
  }

  function advance(): void {
    for (const entry of waiting) {
      if (slotsTaken >= slots) return
      if (ofJob(entry.job.id).some(({ state }) => state !== 'waiting')) continue
      waiting.delete(entry)
      entry.state = 'running'
      begin(entry, { takesSlot: true })
    }
  }

  return {
    get free() {
      return Math.max(0, slots - entries.size - reserved.size)
    },
    get attempts() {
      return [...entries.values()].map(({ job: { id, retryCount } }) => ({ id, retryCount }))
    },
    holds: (attempt) => entries.has(keyOf(attempt)) || reserved.has(keyOf(attempt)),
    reserve(attempt) {
      if (closed || slots <= entries.size + reserved.size) return false
      reserved.add(keyOf(attempt))
      return true
    },
    unreserve(attempt) {
      reserved.delete(keyOf(attempt))
    },
    take(job) {
      const controller = new AbortController()
      const entry: Entry<Job> = {
        job,
        abort: controller,
        signal: controller.signal,
        state: 'waiting',
        takesSlot: false,
        ended: Promise.withResolvers(),
      }
      const others = ofJob(job.id)
      entries.set(keyOf(job), entry)
      waiting.add(entry)
      for (const other of others)
        if (other.job.retryCount < job.retryCount)
          abort(other, new LeaseLost('this process took a later attempt of the job'))
      if (others.some((other) => other.job.retryCount > job.retryCount))
        abort(entry, new LeaseLost('this process already holds a later attempt of the job'))
      else if (closed) abort(entry, new WorkerStops('the worker is stopping'))
      else advance()
    },
    lose(attempts) {
      for (const attempt of attempts) {
        const entry = entries.get(keyOf(attempt))
        if (entry) abort(entry, new LeaseLost('the lease was lost'))
      }
    },
    close() {
      closed = true
      for (const entry of waiting) abort(entry, new WorkerStops('the worker is stopping'))
    },
    abortAll() {
      for (const entry of entries.values()) abort(entry, new WorkerStops('the worker is stopping'))
    },
    async drained() {
      while (entries.size > 0) await Promise.all([...entries.values()].map(({ ended }) => ended.promise))
    },
  }
}
