import type { Job } from '@skillrun/core/job.ts'

/** Which page to draw, and how large: of a local file, or of bytes that are at hand. */
export type DrawRequest = ({ readonly path: string } | { readonly bytes: Uint8Array }) & {
  /** 0-based. */
  readonly page: number
  /** Pixels across that the drawing should have; fewer where the whole would exceed `drawnPixelsMax`. */
  readonly width: number
}

/** Pixels of a drawn page: 2000 across on a page that is twice as long as wide. */
export const drawnPixelsMax = 8_000_000

/**
 * Draws one page of a PDF or a picture as PNG, in the workshop. The drawing has the proportions of the page as it was read,
 * so that boxes in fractions of the page fit it. Throws Fault: `undrawable_input` for a kind that has no pages to look at,
 * and those of `readDocument`.
 */
export const drawPageJob: Job<DrawRequest, Uint8Array> = {
  name: 'draw-page',
  files: ['path'],
  module: new URL('./draw-page.job.ts', import.meta.url),
}

/** What drawing one page may take: a picture of 100 megapixels, decoded and made smaller. */
export const drawTerms = { wallMs: 30_000, memoryMb: 1_024 } as const
