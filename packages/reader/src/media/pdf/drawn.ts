import type { Job } from '@skillrun/core/job.ts'
import type { PlacedText } from './drawn-text.ts'

/** A local PDF, and texts of its text layer. */
export interface DrawnRequest {
  readonly path: string
  readonly places: readonly PlacedText[]
}

/** For each place what the page as drawn says, where that clearly differs, in the process pool. */
export const drawnJob: Job<DrawnRequest, readonly (string | null)[]> = {
  name: 'drawn-text',
  files: ['path'],
  module: new URL('./drawn-text.job.ts', import.meta.url),
}

/** Limits for comparing the quotations of an answer: sixty of them on as many pages. */
export const drawnTerms = { wallMs: 120_000, memoryMb: 1_024 } as const
