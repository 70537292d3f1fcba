import type { Job } from '@skillrun/core/job.ts'
import type { Json } from '@skillrun/core/json.ts'

/** A JSON text and the values to select from it. */
export interface Query {
  readonly text: string
  readonly path: string
  readonly where?: { readonly path: string; readonly equals: string | number | boolean | null }
  readonly limit: number
}

/** The first `limit` matches and the number of all matches. */
export type Queried = { readonly count: number; readonly values: readonly Json[]; readonly more: boolean }

/** Queries a JSON text in the process pool. Faults `bad_path`, `no_json`. */
export const queryJob: Job<Query, Queried> = {
  name: 'query',
  module: new URL('./query.job.ts', import.meta.url),
}
