import type { JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../db/db.ts'

/** One piece of work as a worker holds it: until the handler ends, the lease is kept alive; it is lost when this process dies. */
export interface Job {
  readonly data: JsonObject
  /** How often the job was given out before: 0 the first time. */
  readonly retries: number
  /** What whoever added it in this process gave `Slot.begin`; absent when the job was fetched from the database. */
  readonly handed?: unknown
  /** Marks the job done within a transaction of the handler's, so that its effect and its end are one commit. */
  completeIn(tx: Sql): Promise<void>
}

/**
 * Does a job. Returning means done. A throw gives the job back to the queue, to be tried again after a pause that grows.
 * `signal` aborts with `WorkerStops` when the worker stops: the job then goes back at once; and with `LeaseLost`: the job is another's then.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>

/** When a job may be given out, and which it shares slots with. */
export interface JobTerms {
  /** Not before this long after it was added. */
  readonly delayMs?: number
  /** Jobs of one group are bounded together where the worker says so: `Slots.perGroup`. */
  readonly group?: string
  /** Smaller ones go first, those of one turn in the order in which they were added. Absent: 0. Below 2^31. */
  readonly turn?: number
}

/**
 * Thrown by a handler whose job has no place now, for a reason that the queue does not know: it comes back after `afterMs`, which is
 * no failure. With `defersGroup` (the default), no other job of its group is given to this process until then.
 */
export class NotNow extends Error {
  override name = 'NotNow'
  readonly afterMs: number
  readonly defersGroup: boolean

  constructor(message: string, afterMs: number, { defersGroup = true }: { defersGroup?: boolean } = {}) {
    super(message)
    this.afterMs = afterMs
    this.defersGroup = defersGroup
  }
}

/** Why a job's signal aborts: its lease went to another attempt of the job, in this process or elsewhere. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Why a job's signal aborts: its worker stops. */
export class WorkerStops extends Error {
  override name = 'WorkerStops'
}

/** Jobs that may be held at once. */
export interface Slots {
  /** By this process. */
  readonly total: number
  /**
   * Of one group, by all processes together. Those beyond it wait without a slot and without holding up other groups. When
   * several processes fetch in the same moment it may be passed by a few.
   */
  readonly perGroup?: number
}

/** A place at a worker of this process that is kept free for a job which is about to be added. Used once: begun or given up. */
export interface Slot {
  /** Adds the job as one that this process holds already. When the process dies before it begins, it is given out as any other. */
  add(tx: Sql, data: JsonObject, terms?: Pick<JobTerms, 'group' | 'turn'>): Promise<void>
  /** Has the handler do it, with `handed`; once the transaction has committed. */
  begin(handed: unknown): void
  /** Gives the place back: nothing was added. */
  giveUp(): void
}

/** A durable queue in the database: jobs are added by the transaction that makes them necessary. */
export interface Queue {
  /** Adds a job and wakes a worker on whatever machine when the transaction commits, or when the delay is over. */
  add(tx: Sql, topic: string, data: JsonObject, terms?: JobTerms): Promise<void>
  /**
   * A place for a job of this topic, when this process works on it, has one free, and knows of nothing that waits for it:
   * the way through the queue is spared. Undefined: add the job.
   */
  slotFor(topic: string): Slot | undefined
  /** Jobs of a topic that wait, those whose time has not come among them; counted up to `most`. */
  waiting(topic: string, most: number): Promise<number>
  /** The smallest turn of the jobs of a topic that wait; 0 where none does. */
  firstTurn(topic: string): Promise<number>
  /** Works on a topic. */
  work(topic: string, slots: Slots, handler: JobHandler): void
  /** Takes no new job; waits for the running ones until `signal` aborts, then hands them back. */
  stop(signal: AbortSignal): Promise<void>
}
