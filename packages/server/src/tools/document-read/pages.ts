import type { Job } from '@skillrun/core/job.ts'

/** One line of a page: its text, and its place in thousandths of the page. */
export type PlacedLine = {
  readonly text: string
  readonly box: readonly [x: number, y: number, w: number, h: number]
}

/** A page as lines. `page` is 1-based, as models count. */
export type PageLines = {
  readonly page: number
  readonly recognised: boolean
  readonly lines: readonly PlacedLine[]
  /** The line at which to read on, where the page has more than fits into one answer. */
  readonly goesOnAt?: number
}

/** Which pages to lay out, each from this line on (1-based). */
export interface PagesRequest {
  readonly packed: Uint8Array
  readonly pages: readonly number[]
  readonly fromLine: number
}

/** Lays pages of a reading out as lines, in the workshop. Fault `unknown_page` for a page that was not read. */
export const pagesJob: Job<PagesRequest, PageLines[]> = {
  name: 'pages',
  module: new URL('./pages.job.ts', import.meta.url),
}
