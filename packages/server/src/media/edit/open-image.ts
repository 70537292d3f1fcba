import { readFile } from 'node:fs/promises'
import drawPage from '@skillrun/reader/media/draw-page.job.ts'
import { damaged, tooLarge, unsupported } from '@skillrun/reader/media/faults.ts'
import { readLimits } from '@skillrun/reader/media/limits.ts'
import { sniff } from '@skillrun/reader/media/sniff.ts'
import sharp, { type Sharp } from 'sharp'
import type { EditedImage } from './edit-image.ts'

/** Rendered pages are this wide, so that small print stays legible. */
const pageWidth = 1_600

/** An image, rotated as its EXIF data says, or the rendered page of a document. Only for jobs of the process pool. */
export async function openImageOrPage(path: string, page: number): Promise<Sharp> {
  const bytes = await readFile(path)
  const { mediaType } = await sniff(bytes)
  if (mediaType === 'application/pdf') return sharp(await drawPage({ path, page, width: pageWidth }))
  return openImage({ bytes, mediaType }, page)
}

/** As `openImageOrPage`, for the bytes of an image. */
export async function openImage(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  page = 0,
): Promise<Sharp> {
  if (!mediaType.startsWith('image/')) throw unsupported(mediaType)
  const image = sharp(bytes, { page, limitInputPixels: false, failOn: 'truncated' })
  const { width, height } = await image.metadata().catch(() => {
    throw damaged('The image is damaged and cannot be read.')
  })
  if (width * height > readLimits.pixelsMax)
    throw tooLarge(`The image has ${width} × ${height} pixels; the limit is ${readLimits.pixelsMax} pixels in total.`)
  return sharp(await image.autoOrient().png({ compressionLevel: 1 }).toBuffer())
}

/** Larger images are encoded as JPEG. */
const pngPixelsMax = 2_000_000
const jpegQuality = 88

/** Encodes an image: PNG, or JPEG where PNG would be large. */
export async function encoded(image: Sharp): Promise<EditedImage> {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true })
  const size = { width: info.width, height: info.height }
  if (info.width * info.height <= pngPixelsMax)
    return { bytes: new Uint8Array(data), contentType: 'image/png', ...size }
  const jpeg = await image.flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality }).toBuffer()
  return { bytes: new Uint8Array(jpeg), contentType: 'image/jpeg', ...size }
}
