import type { Job } from '@skillrun/core/job.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

/** An edit of an image. Boxes are fractions of its size; y grows downwards. */
export type Edit =
  | { readonly does: 'crop'; readonly box: Box }
  | { readonly does: 'resize'; readonly width?: number | undefined; readonly height?: number | undefined }
  | { readonly does: 'rotate'; readonly degrees: number }
  | { readonly does: 'blur' | 'cover'; readonly boxes: readonly Box[] }
  | { readonly does: 'annotate'; readonly marks: readonly { readonly box: Box; readonly label?: string | undefined }[] }

export interface EditRequest {
  readonly path: string
  /** The page of a document, from 0. */
  readonly page: number
  readonly edit: Edit
}

/** An image file: PNG, or JPEG where PNG would be large. */
export interface EditedImage {
  readonly bytes: Uint8Array
  readonly contentType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/** Edits an image, or the rendered page of a document, in the process pool. Throws the Faults of reading it. */
export const editImageJob: Job<EditRequest, EditedImage> = {
  name: 'edit-image',
  files: ['path'],
  module: new URL('./edit-image.job.ts', import.meta.url),
}

/** Converts an image of any supported format to PNG or JPEG in the process pool. Throws the Faults of reading it. */
export const convertImageJob: Job<{ readonly bytes: Uint8Array }, EditedImage> = {
  name: 'convert-image',
  module: new URL('./convert-image.job.ts', import.meta.url),
}

/** Properties of an image. */
export interface ImageFacts {
  readonly format: string
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
  readonly isGrey: boolean
  /** The most frequent colour, as `#rrggbb`. */
  readonly dominantColour: string
  /** Mean brightness, 0 black to 1 white. */
  readonly brightness: number
  /** Bits per pixel: 0 for a plain area, 8 for noise. */
  readonly entropy: number
}

/** Computes the properties of an image in the process pool. */
export const imageFactsJob: Job<{ readonly path: string; readonly page: number }, ImageFacts> = {
  name: 'image-facts',
  files: ['path'],
  module: new URL('./image-facts.job.ts', import.meta.url),
}

/** The difference between two images. */
export interface ImageDifference {
  readonly sameSize: boolean
  /** Mean difference of their pixels after scaling to the same size, 0 to 1. */
  readonly difference: number
  /** The share of the image that differs visibly, 0 to 1. */
  readonly changedShare: number
  /** The box around all differences; null when there are none. */
  readonly changedBox: Box | null
}

/** Compares two images in the process pool. */
export const compareImagesJob: Job<
  { readonly paths: readonly [string, string]; readonly pages: readonly [number, number] },
  ImageDifference
> = {
  name: 'compare-images',
  files: ['paths'],
  module: new URL('./compare-images.job.ts', import.meta.url),
}
