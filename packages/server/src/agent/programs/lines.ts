import type { Job } from '@skillrun/core/job.ts'
import type { DocumentLine } from './candidates.ts'

export interface LinesRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
}

/** The lines of documents from the top, with what can be read in them. In the workshop. */
export const linesJob: Job<LinesRequest, DocumentLine[]> = {
  name: 'lines',
  module: new URL('./lines.job.ts', import.meta.url),
}
