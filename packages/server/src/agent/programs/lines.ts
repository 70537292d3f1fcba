import type { Job } from '@skillrun/core/job.ts'
import type { DocumentLine } from './candidates.ts'

export interface LinesRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
}

/** The lines of documents from top to bottom, with parsed values, computed in the process pool. */
export const linesJob: Job<LinesRequest, DocumentLine[]> = {
  name: 'lines',
  module: new URL('./lines.job.ts', import.meta.url),
}
