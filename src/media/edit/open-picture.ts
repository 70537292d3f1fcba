import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import drawPage from '../draw-page.job.ts'
import { damaged, tooLarge, unsupported } from '../faults.ts'
import { readLimits } from '../limits.ts'
import { sniff } from '../sniff.ts'

/** A page is drawn this wide: small print stays legible. */
const pageWidth = 1_600

/** A picture as it is shown, turned as its EXIF says; of a document its page, drawn. Only for the workshop. */
export async function openPicture(path: string, page: number): Promise<Sharp> {
  const bytes = await readFile(path)
  const { mediaType } = await sniff(bytes)
  if (mediaType === 'application/pdf') return sharp(await drawPage({ path, page, width: pageWidth }))
  if (!mediaType.startsWith('image/')) throw unsupported(mediaType)
  const image = sharp(bytes, { page, limitInputPixels: false, failOn: 'truncated' })
  const { width, height } = await image.metadata().catch(() => {
    throw damaged('The picture is damaged and cannot be read.')
  })
  if (width * height > readLimits.pixelsMax)
    throw tooLarge(`The picture has ${width} × ${height} pixels; at most ${readLimits.pixelsMax} in all are read.`)
  return sharp(await image.autoOrient().png({ compressionLevel: 1 }).toBuffer())
}
