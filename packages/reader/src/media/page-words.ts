import type { Job } from '@skillrun/core/job.ts'
import type { Box } from './document.ts'

/** The page of a local file, or of bytes in memory. */
export type PageWordsRequest = ({ readonly path: string } | { readonly bytes: Uint8Array }) & {
  /** 0-based. */
  readonly page: number
}

/** The words of a page, in reading order. */
export type PageWords = {
  /** The detected media type. */
  readonly mediaType: string
  readonly pageCount: number
  /** Columns and rows of the character grid. */
  readonly columns: number
  readonly rows: number
  readonly words: readonly { readonly text: string; readonly box: Box }[]
  /** The number of words beyond `pageWordsMax`. */
  readonly leftOut: number
}

/** The maximum number of words returned per page: some 40 printed pages of a long Word file, about a megabyte. */
export const pageWordsMax = 20_000

/** Limits for the words of one page: a scan is read by OCR. */
export const wordsTerms = { wallMs: 60_000, memoryMb: 2_048 } as const

/**
 * The words of one page of an office file, e-book, email, PDF file or image, read in the process pool; of a scan by OCR. Throws Fault
 * `undrawable_input` for other formats, and the Faults of `readDocument`.
 */
export const pageWordsJob: Job<PageWordsRequest, PageWords> = {
  name: 'page-words',
  files: ['path'],
  module: new URL('./page-words.job.ts', import.meta.url),
}
