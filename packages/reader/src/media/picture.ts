import type { Job } from '@skillrun/core/job.ts'
import type { DrawRequest } from './draw-page.ts'

/** A page as a model looks at it. */
export interface Picture {
  /** JPEG. */
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Which page, and the pixels that its longer side may have. */
export type PictureRequest = DrawRequest & { readonly longSide: number }

/** How large a picture is shown: a page of A4 at 1200 across is 1700 high, about what providers look at. */
export const pictureSizes = {
  low: { width: 512, longSide: 512 },
  auto: { width: 1_200, longSide: 1_700 },
  high: { width: 2_048, longSide: 2_048 },
} as const

/** Draws a page of a PDF or a picture small enough for a model, in the workshop. Throws the Faults of `drawPageJob`. */
export const pictureJob: Job<PictureRequest, Picture> = {
  name: 'picture',
  files: ['path'],
  module: new URL('./picture.job.ts', import.meta.url),
}
