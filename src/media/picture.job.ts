import sharp from 'sharp'
import drawPage from './draw-page.job.ts'
import type { DrawRequest } from './draw-page.ts'
import type { Picture } from './picture.ts'

/** Small print stays legible, and a photograph takes a tenth of its PNG. */
const quality = 82

/** See `pictureJob`. */
export default async function picture(request: DrawRequest): Promise<Picture> {
  const { data, info } = await sharp(await drawPage(request))
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data), width: info.width, height: info.height }
}
