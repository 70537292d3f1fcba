import type { Grey } from './grey.ts'
import { type Blob, blobsOf } from './ink.ts'

/** The minimum number of characters of a separator. */
const signsMin = 10
/** The maximum height of its characters in letter heights: less than a digit, so that a row of zeros stays. */
const heightMax = 0.75
/** The maximum deviation of width, height and distance from their medians. */
const sameness = 0.35
/** The same in pixels, where that is more. */
const pixelsSame = 1.5
/** The maximum distance between characters in letter heights, and their maximum vertical offset. */
const pitchMax = 1.8
const levelMax = 0.15

/**
 * Erases rows of equal small characters at equal distances, such as asterisks, hyphens, equals signs and dots between
 * the parts of a receipt or before a price, because OCR turns them into words. The image is straight; `letterHeight` is
 * in pixels; ink is darker than `threshold`.
 */
export function eraseSeparators(
  picture: Grey,
  { letterHeight, threshold }: { letterHeight: number; threshold: number },
): Grey {
  const signs = blobsOf(picture, threshold).filter(
    ({ left, top, right, bottom }) => bottom - top <= heightMax * letterHeight && right - left <= letterHeight,
  )
  const rows = rowsOf(signs, letterHeight).filter(isSeparator)
  if (rows.length === 0) return picture
  const pixels = Uint8Array.from(picture.pixels)
  for (const { left, top, right, bottom } of rows.flat()) {
    // Including its blurred edge.
    for (let y = Math.max(0, top - 1); y < Math.min(picture.height, bottom + 1); y += 1) {
      pixels.fill(
        255,
        y * picture.width + Math.max(0, left - 1),
        y * picture.width + Math.min(picture.width, right + 1),
      )
    }
  }
  return { ...picture, pixels }
}

/** Components side by side at one height, from left to right. */
function rowsOf(signs: readonly Blob[], letterHeight: number): Blob[][] {
  const open = new Map<number, Blob[][]>()
  const rows: Blob[][] = []
  const level = Math.max(1, levelMax * letterHeight)
  for (const sign of [...signs].sort((a, b) => a.left - b.left)) {
    const height = middle(sign)
    const at = Math.floor(height / level)
    const near = [at - 1, at, at + 1].flatMap((key) => open.get(key) ?? [])
    const row = near.find((each) => {
      const last = each.at(-1)
      if (last === undefined) return false
      return (
        Math.abs(middle(last) - height) <= level &&
        sign.left - last.left <= pitchMax * letterHeight &&
        alike(last, sign)
      )
    })
    if (row !== undefined) row.push(sign)
    else {
      const started = [sign]
      rows.push(started)
      const there = open.get(at)
      if (there === undefined) open.set(at, [started])
      else there.push(started)
    }
  }
  return rows
}

const middle = ({ top, bottom }: Blob): number => (top + bottom) / 2

function alike(one: Blob, other: Blob): boolean {
  return near(one.right - one.left, other.right - other.left) && near(one.bottom - one.top, other.bottom - other.top)
}

function isSeparator(row: readonly Blob[]): boolean {
  if (row.length < signsMin) return false
  const pitches = row.slice(1).map((sign, index) => sign.left - (row[index]?.left ?? 0))
  const usual = [...pitches].sort((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0
  return pitches.filter((pitch) => near(pitch, usual)).length >= 0.9 * pitches.length
}

function near(value: number, usual: number): boolean {
  return Math.abs(value - usual) <= Math.max(pixelsSame, sameness * usual)
}
