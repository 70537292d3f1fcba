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
