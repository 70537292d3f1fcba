import sharp from 'sharp'
import drawPage from './draw-page.job.ts'
import type { PageImage, PageImageRequest } from './page-image.ts'

/** Small print stays legible, and a photo takes a tenth of its PNG. */
const quality = 82

export default async function picture({ longSide, ...request }: PageImageRequest): Promise<PageImage> {
  const { data, info } = await sharp(await drawPage(request))
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data), width: info.width, height: info.height }
}
