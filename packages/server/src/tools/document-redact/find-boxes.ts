import type { Job } from '@skillrun/core/job.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

/** The words to find; `pages` are 0-based indices, null for all. */
export interface BoxesRequest {
  readonly packed: Uint8Array
  readonly pages: readonly number[] | null
  readonly words: readonly string[]
}

/** Boxes by 0-based page, and the words that were not found. */
export interface FoundBoxes {
  readonly pages: readonly { readonly page: number; readonly boxes: readonly Box[] }[]
  readonly missing: readonly string[]
}

/** Finds the boxes of words in a parsed document, in the process pool. */
export const findBoxesJob: Job<BoxesRequest, FoundBoxes> = {
  name: 'find-boxes',
  module: new URL('./find-boxes.job.ts', import.meta.url),
}
