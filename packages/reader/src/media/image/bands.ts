import type { Grey } from './grey.ts'
import { type Blob, blobsOf } from './ink.ts'

/** Cells per letter height, in which dark pixels are counted. */
const cellsOfLetter = 4
/** A cell is dark with this share of ink; an area is dark when this share of the surrounding cells is. */
const cellDark = 0.5
const placeDark = 0.65
/** Radius in cells of the surrounding square: wide enough that light letters leave it mostly dark. */
const around = 2
/** The minimum width and height of a band in letter heights, and its minimum share of ink. */
const widthMin = 2
const heightMin = 1.2
const fullMin = 0.55
/** The minimum share of ink in a band's outermost rows and columns; a line of bold letters has no such edge. */
const edgeFull = 0.9
/** A band is inverted only when light letters take this share of it: a bar or a logo has no text. */
const letterShareMin = 0.02

interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/**
 * Inverts dark bands and boxes of a straight image with even contrast, so that light letters in them, as in table
 * headers, become dark on light. `letterHeight` is in pixels; ink is darker than `threshold`.
 */
export function invertBands(
  picture: Grey,
  { letterHeight, threshold }: { letterHeight: number; threshold: number },
): Grey {
  const cell = Math.max(2, Math.round(letterHeight / cellsOfLetter))
  const found = placesOf(picture, { cell, threshold })
    .map((place) => trimmed(picture, { place: grown(place, { cell, picture }), threshold }))
    .filter(({ left, top, right, bottom }) => {
      return right - left >= widthMin * letterHeight && bottom - top >= heightMin * letterHeight
    })
    .filter((band) => {
      const full = inkShare(picture, { bounds: band, threshold })
      return full >= fullMin && full <= 1 - letterShareMin
    })
  if (found.length === 0) return picture
  const pixels = Uint8Array.from(picture.pixels)
  for (const band of found) invert({ ...picture, pixels }, band)
  return { ...picture, pixels }
}

/** The bounds of connected dark areas, in pixels. */
function placesOf({ width, height, pixels }: Grey, { cell, threshold }: { cell: number; threshold: number }): Blob[] {
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  const counts = new Uint16Array(columns * rows)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / cell) * columns
    for (let column = 0, x = 0; x < width; column += 1) {
      const end = Math.min(width, x + cell)
      let count = 0
      for (; x < end; x += 1) if ((pixels[y * width + x] ?? 255) < threshold) count += 1
      counts[row + column] = (counts[row + column] ?? 0) + count
    }
  }
  const least = cell * cell * cellDark
  const dark = counts.map((count) => (count >= least ? 1 : 0))
  const sums = windowSums(windowSums(dark, { length: columns, step: 1, lines: rows, lineStep: columns }), {
    length: rows,
    step: columns,
    lines: columns,
    lineStep: 1,
  })
  const wanted = (2 * around + 1) ** 2 * placeDark
  const places = Uint8Array.from(sums, (sum) => (sum >= wanted ? 0 : 255))
  return blobsOf({ width: columns, height: rows, pixels: places }, 128).map(({ left, top, right, bottom, area }) => ({
    left: left * cell,
    top: top * cell,
    right: right * cell,
    bottom: bottom * cell,
    area,
  }))
}

/** A sliding sum along each line: every value plus its neighbours. */
function windowSums(
  values: Uint16Array,
  { length, step, lines, lineStep }: { length: number; step: number; lines: number; lineStep: number },
): Uint16Array {
  const sums = new Uint16Array(values.length)
  for (let line = 0; line < lines; line += 1) {
    let sum = 0
    for (let at = -around; at < length; at += 1) {
      const enters = at + around
      const leaves = at - around - 1
      if (enters < length) sum += values[line * lineStep + enters * step] ?? 0
      if (leaves >= 0) sum -= values[line * lineStep + leaves * step] ?? 0
      if (at >= 0) sums[line * lineStep + at * step] = sum
    }
  }
  return sums
}

/** Extends a dark area by the radius, as its band may end some cells further out. */
function grown({ left, top, right, bottom }: Bounds, { cell, picture }: { cell: number; picture: Grey }): Bounds {
  const more = cell * (around + 1)
  return {
    left: Math.max(0, left - more),
    top: Math.max(0, top - more),
    right: Math.min(picture.width, right + more),
    bottom: Math.min(picture.height, bottom + more),
  }
}

/** A dark area without outer rows and columns that are not all ink. */
function trimmed(picture: Grey, { place, threshold }: { place: Bounds; threshold: number }): Bounds {
  let { left, top, right, bottom } = place
  const isLight = (bounds: Bounds): boolean => inkShare(picture, { bounds, threshold }) < edgeFull
  while (top < bottom && isLight({ left, top, right, bottom: top + 1 })) top += 1
  while (top < bottom && isLight({ left, top: bottom - 1, right, bottom })) bottom -= 1
  while (left < right && isLight({ left, top, right: left + 1, bottom })) left += 1
  while (left < right && isLight({ left: right - 1, top, right, bottom })) right -= 1
  return { left, top, right, bottom }
}

function inkShare({ width, pixels }: Grey, { bounds, threshold }: { bounds: Bounds; threshold: number }): number {
  const { left, top, right, bottom } = bounds
  let count = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) if ((pixels[y * width + x] ?? 255) < threshold) count += 1
  }
  return count / Math.max(1, (right - left) * (bottom - top))
}

function invert({ width, pixels }: Grey, { left, top, right, bottom }: Bounds): void {
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) pixels[y * width + x] = 255 - (pixels[y * width + x] ?? 255)
  }
}
