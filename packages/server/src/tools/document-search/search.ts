import type { Job } from '@skillrun/core/job.ts'

/** A matching line with its neighbours. `page` is 1-based. */
export type Hit = {
  readonly page: number
  readonly line: string
  readonly before: string
  readonly after: string
}

/** The first hits in page order, and the number of all. */
export type Hits = {
  readonly count: number
  readonly hits: readonly Hit[]
}

/** Searches a parsed document, in the process pool. */
export const searchJob: Job<{ packed: Uint8Array; query: string }, Hits> = {
  name: 'search',
  module: new URL('./search.job.ts', import.meta.url),
}
