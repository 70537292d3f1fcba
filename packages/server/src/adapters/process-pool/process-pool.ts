import { Fault } from '@skillrun/core/fault.ts'
import type { Job, JobTerms, Share } from '@skillrun/core/job.ts'

/**
 * Runs our own modules on hostile data where it can do no harm: parsing never happens on the main thread.
 *
 * `run` answers what the job returned, or throws: the Fault that the job threw (kind, code and message as they were);
 * Fault `input_too_costly` when it took more time or memory, or gave more output, than it may; Fault `unreadable_input` for
 * anything else that the job threw or died of, with the child's own account as `cause`, for logs only; Fault
 * `workshop_unavailable` when its process could not be started, could not load its code or open its files, or was asked to end by somebody else; Fault
 * `workshop_full` when too many jobs wait, `workshop_closed` after `close`; `signal.reason` on abort. Jobs of one
 * share start in the order of their calls, those of several shares in turn. `close` stops all work and resolves when no child is left.
 */
export interface ProcessPool {
  run<I, O>(job: Job<I, O>, input: I, terms: JobTerms): Promise<O>
  close(): Promise<void>
}

/** The process pool, all that it is given being of one share. */
export const ofShare = (processPool: ProcessPool, share: Share): ProcessPool => ({
  run: (job, input, terms) => processPool.run(job, input, { share, ...terms }),
  close: () => processPool.close(),
})

/** The Fault of a job that took more than it may; `what` is the limit in words, as `2 seconds`. */
export const tooCostly = (what: string): Fault =>
  new Fault('too_large', 'input_too_costly', `The input takes more than ${what} to process; send a smaller one.`)

/** The Fault of a job that failed for no reason of its own words. */
export const unreadable = (cause: unknown): Fault =>
  new Fault('invalid', 'unreadable_input', 'The input could not be processed; it may be damaged.', { cause })

/** The Fault of a call to a closed process pool, and of work that closing stopped. */
export const closed = (): Fault => new Fault('unavailable', 'workshop_closed', 'The service is stopping; try again.')
