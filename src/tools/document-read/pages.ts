import type { Job } from '../../seams/workshop/workshop.ts'

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
}

/** Lays pages of a reading out as lines, in the workshop. Fault `unknown_page` for a page that was not read. */
export const pagesJob: Job<{ packed: Uint8Array; pages: readonly number[] }, PageLines[]> = {
  name: 'pages',
  module: new URL('./pages.job.ts', import.meta.url),
}
