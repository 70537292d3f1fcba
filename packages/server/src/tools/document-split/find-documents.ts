import type { Job } from '@skillrun/core/job.ts'

/** A packed document, and the kinds to tell apart; none for the usual ones. */
export interface FindDocumentsRequest {
  readonly packed: Uint8Array
  readonly kinds: readonly string[]
}

/** One of the documents of a file, with 0-based pages. */
export interface FoundDocument {
  readonly first: number
  readonly last: number
  readonly confidence: number
  readonly kind: string | null
  readonly kindConfidence: number | null
}

/** The documents of a file, and what was not read of it. */
export interface FoundDocuments {
  readonly isPdf: boolean
  readonly documents: readonly FoundDocument[]
  readonly unread: readonly { readonly indices: readonly number[]; readonly reason: string }[]
}

/** Finds the documents of a parsed file in the process pool. */
export const findDocumentsJob: Job<FindDocumentsRequest, FoundDocuments> = {
  name: 'find-documents',
  module: new URL('./find-documents.job.ts', import.meta.url),
}
