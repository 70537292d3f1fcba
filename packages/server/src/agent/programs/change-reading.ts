import type { Job } from '@skillrun/core/job.ts'

export interface ChangeRequest {
  readonly packed: Uint8Array
  /** `digits`: changes every digit, keeping dates valid; `empty`: removes all words. */
  readonly how: 'digits' | 'empty'
}

/** Changes the content of a parsed document but not its layout: an answer that is read from it must then change. */
export const changeReadingJob: Job<ChangeRequest, Uint8Array> = {
  name: 'change-reading',
  module: new URL('./change-reading.job.ts', import.meta.url),
}
