import type { Job } from '@skillrun/core/job.ts'

/** Where a query stands. `page` is 1-based. */
export type Hit = {
  readonly page: number
  readonly line: string
  readonly before: string
  readonly after: string
}

/** The hits from the first page on, and how many there are in all. */
export type Hits = {
  readonly count: number
  readonly hits: readonly Hit[]
}

/** Searches a reading, in the workshop. */
export const searchJob: Job<{ packed: Uint8Array; query: string }, Hits> = {
  name: 'search',
  module: new URL('./search.job.ts', import.meta.url),
}
