import type { ImageDifference } from './edit-image.ts'
import { openImageOrPage } from './open-image.ts'

/** Both images are compared at this size, which removes compression noise but keeps changed letters. */
const side = 512
/** The smallest difference, of 256 levels, that counts as visible. */
const visible = 24

export default async function compareImages({
  paths,
  pages,
}: {
  paths: readonly [string, string]
  pages: readonly [number, number]
}): Promise<ImageDifference> {
  const [first, second] = await Promise.all([openImageOrPage(paths[0], pages[0]), openImageOrPage(paths[1], pages[1])])
  const [one, other] = await Promise.all([first.metadata(), second.metadata()])
  const pixels = (opened: typeof first) =>
    opened
      .flatten({ background: '#ffffff' })
      .greyscale()
      .resize({ width: side, height: side, fit: 'fill' })
      .raw()
      .toBuffer()
  const [left, right] = await Promise.all([pixels(first), pixels(second)])
  let sum = 0
  let changed = 0
  const edges = { left: side, top: side, right: -1, bottom: -1 }
  for (let at = 0; at < side * side; at += 1) {
    const difference = Math.abs((left[at] ?? 0) - (right[at] ?? 0))
    sum += difference
    if (difference < visible) continue
    changed += 1
    edges.left = Math.min(edges.left, at % side)
    edges.right = Math.max(edges.right, at % side)
    edges.top = Math.min(edges.top, Math.floor(at / side))
    edges.bottom = Math.max(edges.bottom, Math.floor(at / side))
  }
  const share = (value: number): number => Math.round((value / side) * 10_000) / 10_000
  const rounded = (value: number): number => Math.round(value * 100_000) / 100_000
  return {
    sameSize: one.width === other.width && one.height === other.height,
    difference: rounded(sum / (side * side * 255)),
    changedShare: rounded(changed / (side * side)),
    changedBox:
      changed === 0
        ? null
        : [
            share(edges.left),
            share(edges.top),
            share(edges.right - edges.left + 1),
            share(edges.bottom - edges.top + 1),
          ],
  }
}
