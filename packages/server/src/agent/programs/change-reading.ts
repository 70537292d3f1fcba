import type { Job } from '@skillrun/core/job.ts'

export interface ChangeRequest {
  readonly packed: Uint8Array
  /** `digits`: every digit is another one, dates stay possible days; `empty`: no words are left. */
  readonly how: 'digits' | 'empty'
}

/** A reading with other contents in the same places, packed: on it an answer that is read from the document must change. */
export const changeReadingJob: Job<ChangeRequest, Uint8Array> = {
  name: 'change-reading',
  module: new URL('./change-reading.job.ts', import.meta.url),
}
