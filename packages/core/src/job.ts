/**
 * One of our own modules that runs in the process pool. Its default export is `(input: I) => Promise<O> | O`. Input and
 * output are sent by structured clone: data only, no functions. Declare the job next to its module:
 * `export const readJob: Job<In, Out> = { name: 'read', module: new URL('./read.job.ts', import.meta.url) }`.
 */
export interface Job<I, O> {
  /** For logs. */
  readonly name: string
  readonly module: URL
  /**
   * Fields of the input that contain paths of local files, single or in lists: `path`, `bundle.path`. The job gets these
   * files under new names and can open no others.
   */
  readonly files?: readonly string[]
  /** It takes at most seconds and a caller waits for it: some children are reserved for such jobs. */
  readonly isQuick?: true
  /** Its output is plain JSON, which may be large: it is sent as text and parsed without blocking. */
  readonly givesJson?: true
  /** Never set; carries the types. */
  readonly types?: (input: I) => O
}

/** Limits of one run of a job. */
export interface JobTerms {
  /** Wall time in milliseconds from the moment a child takes the job; waiting in the queue does not count. */
  readonly wallMs: number
  /** Megabytes (2^20 bytes) of resident memory of the child process. */
  readonly memoryMb: number
  readonly signal: AbortSignal
  /** Absent: no group, with the default rank. */
  readonly share?: Share
}

/** The owner and urgency of a job, for fair sharing of the process pool. */
export interface Share {
  /** Groups take turns; usually a workspace. */
  readonly group: string
  /** Smaller ranks run first; the default is 1. */
  readonly rank: number
}
