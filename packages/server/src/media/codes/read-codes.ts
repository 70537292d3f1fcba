import type { Job } from '@skillrun/core/job.ts'
import type { ReadCode } from '@skillrun/reader/fields/picture-codes.ts'

/** Reads the codes on a picture, or on a page of a document, in the workshop. */
export const readCodesJob: Job<{ readonly path: string; readonly page: number }, readonly ReadCode[]> = {
  name: 'read-codes',
  files: ['path'],
  module: new URL('./read-codes.job.ts', import.meta.url),
}
