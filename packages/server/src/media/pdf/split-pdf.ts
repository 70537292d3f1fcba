import type { Job } from '@skillrun/core/job.ts'

/** The ranges of 0-based pages to take out of a PDF, both ends included. */
export interface SplitRequest {
  readonly path: string
  readonly ranges: readonly { readonly first: number; readonly last: number }[]
}

/** A PDF for each range, made in the process pool. Throws Fault `encrypted_document`, `unreadable_document`, `not_a_pdf`. */
export const splitPdfJob: Job<SplitRequest, readonly Uint8Array[]> = {
  name: 'split-pdf',
  files: ['path'],
  module: new URL('./split-pdf.job.ts', import.meta.url),
}
