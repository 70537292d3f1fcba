import type { Job } from '../seams/workshop/workshop.ts'
import type { ReadDocument } from './document.ts'
import type { ReadRequest } from './read-document.ts'

export type { ReadRequest } from './read-document.ts'

/** Reads a document in the workshop; see `readDocument` for what it answers and throws. */
export const readJob: Job<ReadRequest, ReadDocument> = {
  name: 'read',
  files: ['path'],
  module: new URL('./read.job.ts', import.meta.url),
}

/**
 * What reading one document may take: 40 recognised pages at some 3 s each on a machine that has twice as much to do as it
 * can, and a picture of 16 megapixels in a few forms beside Tesseract and PDFium.
 */
export const readTerms = { wallMs: 300_000, memoryMb: 2_048 } as const
