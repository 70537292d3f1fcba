import type { Job } from '@skillrun/core/job.ts'
import type { Box } from './document.ts'

/** Which page to read: of a local file, or of bytes that are at hand. */
export type PageWordsRequest = ({ readonly path: string } | { readonly bytes: Uint8Array }) & {
  /** 0-based. */
  readonly page: number
}

/** The words of a page, in reading order. */
export type PageWords = {
  /** The sniffed media type. */
  readonly mediaType: string
  readonly pageCount: number
  /** Columns and rows of the grid of characters on which the words stand. */
  readonly columns: number
  readonly rows: number
  readonly words: readonly { readonly text: string; readonly box: Box }[]
  /** Words after `pageWordsMax`. */
  readonly leftOut: number
}

/** Words that are shown of one page: some 40 printed pages of a long Word file, about a megabyte. */
export const pageWordsMax = 20_000

/**
 * The words of one page of an office file or a book, whose pages are no pictures, in the workshop. Throws Fault
 * `undrawable_input` for every other kind, and those of `readDocument`.
 */
export const pageWordsJob: Job<PageWordsRequest, PageWords> = {
  name: 'page-words',
  files: ['path'],
  module: new URL('./page-words.job.ts', import.meta.url),
}
