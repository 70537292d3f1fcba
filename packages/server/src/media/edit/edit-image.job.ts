import type { Box } from '@skillrun/reader/media/document.ts'
import type { OverlayOptions, Sharp } from 'sharp'
import { escapeXml } from '../escape-xml.ts'
import type { Edit, EditedImage, EditRequest } from './edit-image.ts'
import { encoded, openImageOrPage } from './open-image.ts'

export default async function editImage({ path, page, edit }: EditRequest): Promise<EditedImage> {
  const opened = await openImageOrPage(path, page)
  const { width, height } = await opened.metadata()
  return encoded(await apply(opened, edit, { width, height }))
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The pixels of a box: at least one, inside the image. */
function pixelsOf([x, y, w, h]: Box, { width, height }: Size) {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x * width)))
  const top = Math.min(height - 1, Math.max(0, Math.floor(y * height)))
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.ceil(w * width))),
    height: Math.max(1, Math.min(height - top, Math.ceil(h * height))),
  }
}

async function apply(opened: Sharp, edit: Edit, size: Size): Promise<Sharp> {
  switch (edit.does) {
    case 'crop':
      return opened.extract(pixelsOf(edit.box, size))
    case 'resize':
      return opened.resize({
        ...(edit.width === undefined ? {} : { width: edit.width }),
        ...(edit.height === undefined ? {} : { height: edit.height }),
        fit: 'inside',
      })
    case 'rotate':
      return opened.rotate(edit.degrees, { background: '#ffffff' })
    case 'blur':
      return opened.composite(await Promise.all(edit.boxes.map((box) => blurred(opened, box, size))))
    case 'cover':
      return opened.composite([{ input: Buffer.from(coversOf(edit.boxes, size)) }])
    case 'annotate':
      return opened.composite([{ input: Buffer.from(drawingOf(edit.marks, size)) }])
  }
}

/** A region reduced to a few cells and then smoothed, so that its content cannot be recovered. */
async function blurred(opened: Sharp, box: Box, size: Size): Promise<OverlayOptions> {
  const region = pixelsOf(box, size)
  const cells = { width: Math.min(4, region.width), height: Math.min(2, region.height), fit: 'fill' as const }
  const coarse = await opened.clone().extract(region).resize(cells).png().toBuffer()
  const { default: sharp } = await import('sharp')
  const whole = sharp(coarse).resize({ width: region.width, height: region.height, fit: 'fill', kernel: 'linear' })
  return { input: await whole.png().toBuffer(), left: region.left, top: region.top }
}

function coversOf(boxes: readonly Box[], size: Size): string {
  const covers = boxes.map((box) => {
    const { left, top, width, height } = pixelsOf(box, size)
    return `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#000000"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${covers.join('')}</svg>`
}

function drawingOf(marks: Extract<Edit, { does: 'annotate' }>['marks'], size: Size): string {
  const stroke = Math.max(2, Math.round(size.width / 400))
  const letters = Math.max(12, Math.round(size.width / 60))
  const drawn = marks.map(({ box, label }) => {
    const { left, top, width, height } = pixelsOf(box, size)
    const frame = `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="#e11d48" stroke-width="${stroke}"/>`
    if (label === undefined || label === '') return frame
    const y = top > letters * 1.4 ? top - letters * 0.4 : top + height + letters
    return `${frame}<text x="${left}" y="${y}" font-family="sans-serif" font-weight="bold" font-size="${letters}" fill="#e11d48" stroke="#ffffff" stroke-width="${letters / 6}" paint-order="stroke">${escapeXml(label)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${drawn.join('')}</svg>`
}
