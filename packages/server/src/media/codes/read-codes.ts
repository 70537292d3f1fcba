import type { Job } from '@skillrun/core/job.ts'
import type { DecodedCode } from '@skillrun/reader/fields/image-codes.ts'

/** Reads the barcodes of an image, or of a page of a document, in the process pool. */
export const readCodesJob: Job<{ readonly path: string; readonly page: number }, readonly DecodedCode[]> = {
  name: 'read-codes',
  files: ['path'],
  module: new URL('./read-codes.job.ts', import.meta.url),
}
