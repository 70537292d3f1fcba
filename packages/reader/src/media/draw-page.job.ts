import { readFile, stat } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import sharp from 'sharp'
import { type DrawRequest, drawnPixelsMax } from './draw-page.ts'
import { damaged, tooLarge, unknownPage } from './faults.ts'
import { asDamaged, openImage } from './image/decode.ts'
import { readLimits } from './limits.ts'
import { sniff } from './sniff.ts'

/** Light compression, because a user waits for the page. */
const compressionLevel = 3

export default async function drawPage({ page, width, ...source }: DrawRequest): Promise<Uint8Array> {
  const size = 'bytes' in source ? source.bytes.length : (await stat(source.path)).size
  if (size === 0) throw damaged('The file is empty; it has no page.')
  if (size > readLimits.fileBytesMax)
    throw tooLarge(`The file has ${size} bytes; pages can be drawn of files with at most ${readLimits.fileBytesMax}.`)
  const bytes = 'bytes' in source ? source.bytes : await readFile(source.path)
  const { mediaType } = await sniff(bytes)
  if (mediaType === 'application/pdf') return await drawPdfPage(bytes, { page, width })
  if (mediaType.startsWith('image/')) return await drawImage({ bytes, mediaType }, { page, width })
  throw new Fault(
    'invalid',
    'undrawable_input',
    `A file of type ${mediaType} has no page to draw; only pages of PDF files and images can be drawn`,
  )
}

async function drawPdfPage(bytes: Uint8Array, request: { page: number; width: number }): Promise<Uint8Array> {
  const { withPdf } = await import('./pdf/open-pdf.ts')
  const { renderColour } = await import('./pdf/render-colour.ts')
  const { pixels, width, height } = await withPdf(bytes, (pdf) => {
    if (request.page >= pdf.pageCount) throw unknownPage(request.page, pdf.pageCount)
    return renderColour(pdf, request, drawnPixelsMax)
  })
  const image = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha()
  return await image.png({ compressionLevel }).toBuffer()
}

async function drawImage(
  picture: { bytes: Uint8Array; mediaType: string },
  request: { page: number; width: number },
): Promise<Uint8Array> {
  const image = await openImage(picture, readLimits.pixelsMax)
  if (request.page >= image.pageCount) throw unknownPage(request.page, image.pageCount)
  const shrink = Math.min(request.width / image.width, Math.sqrt(drawnPixelsMax / (image.width * image.height)), 1)
  const drawn = sharp(image.bytes, { page: request.page, limitInputPixels: image.pixelsMax })
    .autoOrient()
    .resize({
      width: Math.max(1, Math.round(image.width * shrink)),
      height: Math.max(1, Math.round(image.height * shrink)),
      fit: 'fill',
    })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
  return await drawn.png({ compressionLevel }).toBuffer().catch(asDamaged)
}
