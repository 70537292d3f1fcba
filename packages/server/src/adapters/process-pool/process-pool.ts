import { Fault } from '@skillrun/core/fault.ts'
import type { Job, JobTerms, Share } from '@skillrun/core/job.ts'

/**
 * Runs our own modules on hostile data in isolation: parsing never happens on the main thread.
 *
 * `run` returns the job's result or throws: the Fault that the job threw (same kind, code and message); Fault `input_too_costly` when it
 * exceeded a limit of time, memory or output; Fault `unreadable_input` for any other error or death of the job, with the child's own
 * description as `cause`, for logs only; Fault `process_pool_unavailable` when its process could not be started, could not load its code or
 * open its files, or was ended by somebody else; Fault `process_pool_full` when too many jobs wait, `process_pool_closed` after `close`;
 * `signal.reason` on abort. Jobs of one share start in the order of their calls, and shares alternate. `close` stops all work and resolves
 * when no child is left.
 */
export interface ProcessPool {
  run<I, O>(job: Job<I, O>, input: I, terms: JobTerms): Promise<O>
  close(): Promise<void>
}

/** The process pool with a fixed share. */
export const ofShare = (processPool: ProcessPool, share: Share): ProcessPool => ({
  run: (job, input, terms) => processPool.run(job, input, { share, ...terms }),
  close: () => processPool.close(),
})

/** The Fault of a job that exceeded a limit; `what` is the limit in words, as `2 seconds`. */
export const tooCostly = (what: string): Fault =>
  new Fault('too_large', 'input_too_costly', `The input takes more than ${what} to process; send a smaller one.`)

/** The Fault of a job that failed with an unexpected error. */
export const unreadable = (cause: unknown): Fault =>
  new Fault('invalid', 'unreadable_input', 'The input could not be processed; it may be damaged.', { cause })

/** The Fault of a call to a closed process pool, and of jobs that closing stopped. */
export const closed = (): Fault =>
  new Fault('unavailable', 'process_pool_closed', 'The service is stopping; try again.')
