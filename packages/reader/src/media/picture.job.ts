import sharp from 'sharp'
import drawPage from './draw-page.job.ts'
import type { Picture, PictureRequest } from './picture.ts'

/** Small print stays legible, and a photo takes a tenth of its PNG. */
const quality = 82

export default async function picture({ longSide, ...request }: PictureRequest): Promise<Picture> {
  const { data, info } = await sharp(await drawPage(request))
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data), width: info.width, height: info.height }
}
