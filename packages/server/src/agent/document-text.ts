import type { Job } from '@skillrun/core/job.ts'

/** Which documents to write out, and how much of them in all. */
export interface DocumentTextRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly charactersMax: number
}

/** A document as a model reads it. */
export interface DocumentText {
  readonly input: string
  readonly mediaType: string
  readonly pageCount: number
  /** Pages with markers between them, cells of a line parted by two spaces. */
  readonly text: string
  /** 0-based pages that did not fit, or of which only the beginning did. */
  readonly left: readonly number[]
  /** 0-based pages that are pictures: their text was recognised. */
  readonly pictured: readonly number[]
}

/** Writes readings out as text for a model, in the workshop. */
export const documentTextJob: Job<DocumentTextRequest, readonly DocumentText[]> = {
  name: 'document-text',
  module: new URL('./document-text.job.ts', import.meta.url),
}
