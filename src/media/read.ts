import type { Job } from '../seams/workshop/workshop.ts'
import type { ReadDocument } from './document.ts'
import type { ReadRequest } from './read-document.ts'

export type { ReadRequest } from './read-document.ts'

/** Reads a document in the workshop; see `readDocument` for what it answers and throws. */
export const readJob: Job<ReadRequest, ReadDocument> = {
  name: 'read',
  module: new URL('./read.job.ts', import.meta.url),
}

/**
 * What reading one document may take: 40 recognised pages at 6 s, and a picture of 100 megapixels in three forms beside
 * Tesseract.
 */
export const readTerms = { wallMs: 300_000, memoryMb: 2_048 } as const
