import type { JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../db/db.ts'

/** A job that this process holds. Its lease is renewed until the handler ends, and lapses when the process dies. */
export interface Job {
  readonly data: JsonObject
  /** Earlier deliveries: 0 the first time. */
  readonly retries: number
  /** The argument of `Slot.begin`, from the code of this process that added the job; absent when it was fetched from the database. */
  readonly handed?: unknown
  /** Completes the job in a transaction of the handler, so that its effect and its completion commit together. */
  completeIn(tx: Sql): Promise<void>
}

/**
 * Handles a job. Returning completes it; throwing returns it to the queue with backoff. `signal` aborts with `WorkerStops`
 * when the worker stops (the job returns to the queue at once), and with `LeaseLost` when another attempt has taken over.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>

/** Scheduling options of a job. */
export interface JobTerms {
  /** The shortest time until its delivery, in milliseconds. */
  readonly delayMs?: number
  /** Jobs of one group share the limit `Slots.perGroup`. */
  readonly group?: string
  /** Smaller turns are delivered first; equal ones in the order in which they were added. Absent: 0. Below 2^31. */
  readonly turn?: number
}

/**
 * Thrown by a handler that cannot run the job now: it is delivered again after `afterMs`, without counting as a failure. With
 * `defersGroup` (the default), this process gets no other job of its group until then.
 */
export class Deferred extends Error {
  override name = 'Deferred'
  readonly afterMs: number
  readonly defersGroup: boolean

  constructor(message: string, afterMs: number, { defersGroup = true }: { defersGroup?: boolean } = {}) {
    super(message)
    this.afterMs = afterMs
    this.defersGroup = defersGroup
  }
}

/** The abort reason when another attempt of the job has taken over, in this process or elsewhere. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The abort reason when the worker stops. */
export class WorkerStops extends Error {
  override name = 'WorkerStops'
}

/** Limits of concurrently held jobs. */
export interface Slots {
  /** By this process. */
  readonly total: number
  /**
   * Per group, in all processes together. Further jobs wait without blocking other groups. Concurrent fetches of several
   * processes can exceed it by a few.
   */
  readonly perGroup?: number
}

/** A reserved slot of this process for a job that is about to be added. End it with `begin` or `giveUp`, once. */
export interface Slot {
  /** Adds the job as held by this process. If the process dies before `begin`, the job is delivered like any other. */
  add(tx: Sql, data: JsonObject, terms?: Pick<JobTerms, 'group' | 'turn'>): Promise<void>
  /** Runs the handler with `handed`; call it after the transaction has committed. */
  begin(handed: unknown): void
  /** Releases the slot; nothing was added. */
  giveUp(): void
}

/** A durable queue in the database: jobs are added by the transaction that makes them necessary. */
export interface Queue {
  /** Adds a job and wakes a worker on any machine when the transaction commits, or when the delay is over. */
  add(tx: Sql, topic: string, data: JsonObject, terms?: JobTerms): Promise<void>
  /**
   * Reserves a slot for a job of this topic when this process works on the topic, has a free slot and knows of no waiting
   * jobs: the job then skips the queue. Undefined: use `add`.
   */
  slotFor(topic: string): Slot | undefined
  /** The number of waiting jobs of a topic, including delayed ones, counted up to `most`. */
  waiting(topic: string, most: number): Promise<number>
  /** Seconds since the longest waiting job of a topic could have begun; 0 when none could. Of many jobs, those counted up to `most`. */
  oldestSeconds(topic: string, most: number): Promise<number>
  /** The smallest turn among the waiting jobs of a topic; 0 when none is waiting. */
  firstTurn(topic: string): Promise<number>
  /** Starts a worker for a topic. */
  work(topic: string, slots: Slots, handler: JobHandler): void
  /** Fetches no more jobs; waits for running handlers until `signal` aborts, then returns their jobs to the queue. */
  stop(signal: AbortSignal): Promise<void>
}
