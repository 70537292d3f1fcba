import type { Job } from '@skillrun/core/job.ts'
import type { DrawRequest } from './draw-page.ts'

/** A page as an image for a model. */
export interface PageImage {
  /** JPEG. */
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The page, and the maximum length of its longer side in pixels. */
export type PageImageRequest = DrawRequest & { readonly longSide: number }

/** The sizes of images for models: an A4 page with a width of 1200 is 1700 high, about what providers process. */
export const imageSizes = {
  low: { width: 512, longSide: 512 },
  auto: { width: 1_200, longSide: 1_700 },
  high: { width: 2_048, longSide: 2_048 },
} as const

/** Draws a page of a PDF or an image in a size for models, in the process pool. Throws the Faults of `drawPageJob`. */
export const pageImageJob: Job<PageImageRequest, PageImage> = {
  name: 'picture',
  files: ['path'],
  module: new URL('./page-image.job.ts', import.meta.url),
}
