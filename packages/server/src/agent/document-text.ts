import type { Job } from '@skillrun/core/job.ts'

/** Documents to convert to text, and the most characters for all together. */
export interface DocumentTextRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly charactersMax: number
}

/** A document as text for a model. */
export interface DocumentText {
  readonly input: string
  readonly mediaType: string
  readonly pageCount: number
  /** Pages with a marker before each; two spaces separate the cells of a line. */
  readonly text: string
  /** Pages (from 0) that were left out or truncated. */
  readonly left: readonly number[]
  /** Pages (from 0) that are images: their text comes from OCR. */
  readonly imagePages: readonly number[]
}

/** Converts parsed documents to text for a model, in the process pool. */
export const documentTextJob: Job<DocumentTextRequest, readonly DocumentText[]> = {
  name: 'document-text',
  module: new URL('./document-text.job.ts', import.meta.url),
}
