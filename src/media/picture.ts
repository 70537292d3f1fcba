import type { Job } from '../seams/workshop/workshop.ts'
import type { DrawRequest } from './draw-page.ts'

/** A page as a model looks at it. */
export interface Picture {
  /** JPEG. */
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Draws a page of a PDF or a picture small enough for a model, in the workshop. Throws the Faults of `drawPageJob`. */
export const pictureJob: Job<DrawRequest, Picture> = {
  name: 'picture',
  module: new URL('./picture.job.ts', import.meta.url),
}
