import type { Job } from '@skillrun/core/job.ts'
import type { Box } from '@skillrun/reader/media/document.ts'

/** What may be done to a picture. Boxes are fractions of it, y grows downwards. */
export type Edit =
  | { readonly does: 'crop'; readonly box: Box }
  | { readonly does: 'resize'; readonly width?: number | undefined; readonly height?: number | undefined }
  | { readonly does: 'rotate'; readonly degrees: number }
  | { readonly does: 'blur' | 'cover'; readonly boxes: readonly Box[] }
  | { readonly does: 'annotate'; readonly marks: readonly { readonly box: Box; readonly label?: string | undefined }[] }

export interface EditRequest {
  readonly path: string
  /** Of a document that has pages; 0-based. */
  readonly page: number
  readonly edit: Edit
}

/** A picture as a file: PNG, or JPEG where PNG would be large. */
export interface EditedPicture {
  readonly bytes: Uint8Array
  readonly contentType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/** Edits a picture, or a page of a document drawn as one, in the workshop. Throws the Faults of reading it. */
export const editPictureJob: Job<EditRequest, EditedPicture> = {
  name: 'edit-picture',
  files: ['path'],
  module: new URL('./edit-picture.job.ts', import.meta.url),
}

/** Writes a picture of any kind that is read as PNG or JPEG, in the workshop. Throws the Faults of reading it. */
export const convertPictureJob: Job<{ readonly bytes: Uint8Array }, EditedPicture> = {
  name: 'convert-picture',
  module: new URL('./convert-picture.job.ts', import.meta.url),
}

/** What a picture says of itself and looks like. */
export interface PictureFacts {
  readonly format: string
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
  readonly isGrey: boolean
  /** The commonest colour, as `#rrggbb`. */
  readonly dominantColour: string
  /** 0 black to 1 white, of the whole. */
  readonly brightness: number
  /** Bits a pixel: a plain area has none, noise eight. */
  readonly entropy: number
}

/** Tells the facts of a picture in the workshop. */
export const pictureFactsJob: Job<{ readonly path: string; readonly page: number }, PictureFacts> = {
  name: 'picture-facts',
  files: ['path'],
  module: new URL('./picture-facts.job.ts', import.meta.url),
}

/** How far two pictures are apart. */
export interface PictureDifference {
  /** Same width and height. */
  readonly sameSize: boolean
  /** Mean difference of their pixels, brought to one size, 0 to 1. */
  readonly difference: number
  /** The part of the picture that differs visibly, 0 to 1. */
  readonly changedShare: number
  /** Where it differs; null where it does not. */
  readonly changedBox: Box | null
}

/** Compares two pictures in the workshop. */
export const comparePicturesJob: Job<
  { readonly paths: readonly [string, string]; readonly pages: readonly [number, number] },
  PictureDifference
> = {
  name: 'compare-pictures',
  files: ['paths'],
  module: new URL('./compare-pictures.job.ts', import.meta.url),
}
