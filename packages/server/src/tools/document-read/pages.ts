import type { Job } from '@skillrun/core/job.ts'

/** One line of a page; the box is in thousandths of the page. */
export type PlacedLine = {
  readonly text: string
  readonly box: readonly [x: number, y: number, w: number, h: number]
}

/** A page as lines. `page` is 1-based. */
export type PageLines = {
  readonly page: number
  readonly recognised: boolean
  readonly lines: readonly PlacedLine[]
  /** The next line to read (1-based); absent when the page is complete. */
  readonly goesOnAt?: number
}

/** The pages to lay out, each starting at `fromLine`; both are 1-based. */
export interface PagesRequest {
  readonly packed: Uint8Array
  readonly pages: readonly number[]
  readonly fromLine: number
}

/** Lays out pages of a parsed document as lines, in the process pool. Fault `unknown_page`. */
export const pagesJob: Job<PagesRequest, PageLines[]> = {
  name: 'pages',
  module: new URL('./pages.job.ts', import.meta.url),
}
