import { Fault } from '@skillrun/core/fault.ts'
import sharp, { type Sharp } from 'sharp'
import { damaged, tooLarge, unsupported } from '../faults.ts'
import type { Grey } from './grey.ts'

/** Image types that sharp's prebuilt binary reads. */
const readTypes = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'svg+xml'].map((type) => `image/${type}`))
/** Formats with real pages; animation frames are not pages. */
const pagedTypes = new Set(['image/tiff'])

/** An image before decoding. */
export interface EncodedImage {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** The limit for every page; later pages may be larger than the first. */
  readonly pixelsMax: number
  /** Pixels of one page as displayed, after its EXIF orientation. */
  readonly width: number
  readonly height: number
  readonly pageCount: number
}

// One image at a time, as other processes run beside this one; nothing is worth caching between them.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Reads the header of an image file. Throws Fault `unsupported_input` for other formats, `unreadable_document` for a
 * damaged file, `input_too_costly` for more than `pixelsMax` pixels.
 */
export async function openImage(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  pixelsMax: number,
): Promise<EncodedImage> {
  if (!readTypes.has(mediaType)) throw unsupported(mediaType)
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(asDamaged)
  const { pageCount, pageHeight } = {
    pageCount: metadata.pages ?? 1,
    pageHeight: metadata.pageHeight ?? metadata.height,
  }
  if (metadata.width * pageHeight > pixelsMax) {
    throw tooLarge(`The image has ${metadata.width} × ${pageHeight} pixels; the limit is ${pixelsMax} in total.`)
  }
  const lies = (metadata.orientation ?? 1) >= 5
  return {
    bytes,
    mediaType,
    pixelsMax,
    width: lies ? pageHeight : metadata.width,
    height: lies ? metadata.width : pageHeight,
    pageCount: pagedTypes.has(mediaType) ? pageCount : 1,
  }
}

/** One page of an image in grey on white, with its EXIF orientation applied, scaled down to at most `areaMax` pixels. */
export async function decodeImage(
  { bytes, width, height, pixelsMax }: EncodedImage,
  { page, areaMax }: { page: number; areaMax: number },
): Promise<Grey> {
  const shrink = Math.min(1, Math.sqrt(areaMax / (width * height)))
  const image = sharp(bytes, { page, limitInputPixels: pixelsMax, failOn: 'truncated' })
    .autoOrient()
    .resize({
      width: Math.max(1, Math.round(width * shrink)),
      height: Math.max(1, Math.round(height * shrink)),
      fit: 'fill',
    })
    .flatten({ background: '#ffffff' })
  return await greyOf(image).catch(asDamaged)
}

/** The pixels of a sharp pipeline, one grey byte each. */
export async function greyOf(image: Sharp): Promise<Grey> {
  const { data, info } = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (info.channels === 1) return { width: info.width, height: info.height, pixels: data }
  const pixels = new Uint8Array(info.width * info.height)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = data[at * info.channels] ?? 255
  return { width: info.width, height: info.height, pixels }
}

/** The Fault for an image that sharp could not decode. */
export function asDamaged(error: unknown): never {
  if (error instanceof Fault) throw error
  if (error instanceof Error && /pixel limit/i.test(error.message))
    throw tooLarge('A page of the image has too many pixels.')
  throw damaged('The image is damaged or truncated; send a complete file.')
}
