import sharp from 'sharp'
import { picturedPdf } from '../../packages/reader/src/media/testing/made.ts'

/** The size of the picture in pixels. */
const [width, height] = [1100, 800]
/** Where the corners of the page lie in the picture, as shares of it: seen from the side and a little turned. */
const corners = { topLeft: [0.06, 0.05], topRight: [0.95, 0.09], bottomLeft: [0.02, 0.93], bottomRight: [0.97, 0.98] }
const table = 90
const grain = 26

/**
 * The first page of a PDF as a photograph: in perspective, in a shadow that grows to one side, with grain. Computed here, not by a
 * library, so that its bytes do not depend on the processor.
 */
export async function photographOf(pdf: Buffer, random: () => number): Promise<Buffer> {
  const { data: paper, info } = await (await picturedPdf(pdf, 200))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const paperAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= info.width || y >= info.height ? table : (paper[y * info.width + x] ?? table)
  const shades = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = onPage(x / width, y / height)
      const [px, py] = [u * info.width, v * info.height]
      const [left, top] = [Math.floor(px), Math.floor(py)]
      const [fx, fy] = [px - left, py - top]
      const above = paperAt(left, top) * (1 - fx) + paperAt(left + 1, top) * fx
      const below = paperAt(left, top + 1) * (1 - fx) + paperAt(left + 1, top + 1) * fx
      const light = 0.95 - (0.4 * x) / width - (0.15 * y) / height
      const shade = (above * (1 - fy) + below * fy) * light + (random() - 0.5) * grain
      shades[y * width + x] = Math.max(0, Math.min(255, Math.round(shade)))
    }
  return sharp(shades, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}

/** The place on the page, in shares of it, that a place in the picture shows: a few steps towards the solution are near enough. */
function onPage(x: number, y: number): readonly [number, number] {
  let [u, v] = [x, y]
  for (let step = 0; step < 4; step++) {
    const [seenX, seenY] = [0, 1].map((axis) => {
      const along = (start: readonly number[], end: readonly number[]): number =>
        (start[axis] ?? 0) * (1 - u) + (end[axis] ?? 0) * u
      return along(corners.topLeft, corners.topRight) * (1 - v) + along(corners.bottomLeft, corners.bottomRight) * v
    })
    u += x - (seenX ?? x)
    v += y - (seenY ?? y)
  }
  return [u, v]
}
