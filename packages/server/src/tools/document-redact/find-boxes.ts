import type { Job } from '@skillrun/core/job.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

/** Which words to find on which pages; 0-based. */
export interface BoxesRequest {
  readonly packed: Uint8Array
  readonly pages: readonly number[] | null
  readonly words: readonly string[]
}

/** Where they stand, page by page; and which of the words stand nowhere. */
export interface FoundBoxes {
  readonly pages: readonly { readonly page: number; readonly boxes: readonly Box[] }[]
  readonly missing: readonly string[]
}

/** Finds the boxes of words in a reading, in the workshop. */
export const findBoxesJob: Job<BoxesRequest, FoundBoxes> = {
  name: 'find-boxes',
  module: new URL('./find-boxes.job.ts', import.meta.url),
}
