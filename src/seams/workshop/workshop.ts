import { Fault } from '../../kit/fault.ts'

/**
 * A job: one of our own modules, whose default export is `(input: I) => Promise<O> | O`. Input and output cross between
 * processes by structured clone: data only, no functions. Declare it beside its module:
 * `export const readJob: Job<In, Out> = { name: 'read', module: new URL('./read.job.ts', import.meta.url) }`.
 */
export interface Job<I, O> {
  /** For logs. */
  readonly name: string
  readonly module: URL
  /**
   * Places in its input that hold paths of local files, one or a list of them: `path`, `bundle.path`. The job is given these files, by names
   * of their own, and can open no other.
   */
  readonly files?: readonly string[]
  /** It takes seconds at most and somebody waits for it: there are always children for such jobs. */
  readonly isQuick?: true
  /** Its output is plain JSON, which may be large: it comes as text, and others are served while it is parsed. */
  readonly givesJson?: true
  /** Never set: carries the types. */
  readonly types?: (input: I) => O
}

/** What one run of a job may take. */
export interface JobTerms {
  /** Milliseconds from the moment a child takes the job; waiting in the queue does not count. */
  readonly wallMs: number
  /** Megabytes (2^20 bytes) of resident memory of the whole child. */
  readonly memoryMb: number
  readonly signal: AbortSignal
  /** Absent: of nobody in particular, neither urgent nor patient. */
  readonly share?: Share
}

/** Whose work a job is, so that those who share a workshop are served fairly. */
export interface Share {
  /** Those who take turns with others: a workspace. */
  readonly group: string
  /** Smaller goes first; 1 where nothing was said. */
  readonly rank: number
}

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
export interface Workshop {
  run<I, O>(job: Job<I, O>, input: I, terms: JobTerms): Promise<O>
  close(): Promise<void>
}

/** The workshop, all that it is given being of one share. */
export const ofShare = (workshop: Workshop, share: Share): Workshop => ({
  run: (job, input, terms) => workshop.run(job, input, { share, ...terms }),
  close: () => workshop.close(),
})

/** The Fault of a job that took more than it may; `what` is the limit in words, as `2 seconds`. */
export const tooCostly = (what: string): Fault =>
  new Fault('too_large', 'input_too_costly', `The input takes more than ${what} to process; send a smaller one.`)

/** The Fault of a job that failed for no reason of its own words. */
export const unreadable = (cause: unknown): Fault =>
  new Fault('invalid', 'unreadable_input', 'The input could not be processed; it may be damaged.', { cause })

/** The Fault of a call to a closed workshop, and of work that closing stopped. */
export const closed = (): Fault => new Fault('unavailable', 'workshop_closed', 'The service is stopping; try again.')
