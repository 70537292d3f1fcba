import type { Job } from '@skillrun/core/job.ts'

/** The page of a local file, or of bytes in memory, and its size in pixels. */
export type DrawRequest = ({ readonly path: string } | { readonly bytes: Uint8Array }) & {
  /** 0-based. */
  readonly page: number
  /** The wanted width in pixels; reduced where the image would exceed `drawnPixelsMax`. */
  readonly width: number
}

/** The maximum pixels of a drawn page: a width of 2000 for a page twice as long as wide. */
export const drawnPixelsMax = 8_000_000

/**
 * Draws one page of a PDF or an image as PNG, in the process pool. The proportions are those of the page as read, so
 * boxes in page fractions fit. Throws Fault `undrawable_input` for formats without pages to draw, and the Faults of
 * `readDocument`.
 */
export const drawPageJob: Job<DrawRequest, Uint8Array> = {
  name: 'draw-page',
  files: ['path'],
  module: new URL('./draw-page.job.ts', import.meta.url),
}

/** Limits for drawing one page: an image of 100 megapixels, decoded and scaled down. */
export const drawTerms = { wallMs: 30_000, memoryMb: 1_024 } as const
