import type { Grey } from './grey.ts'

/** A rule is at least this long, in letter heights: longer than a dash, a stem of a heading or an underscore. */
const lengthMin = 3
/** A rule is at most this thick, in letter heights, and at most this share of its length. */
const thicknessMax = 0.35
const thicknessOfLength = 1 / 12
/**
 * This share of a rule is no thicker than that; the rest is where letters and other rules touch it. The feet of a heading's
 * letters, grown together to a line, are thin for two thirds of it.
 */
const thinShare = 0.85
/** Pixels of paper that a worn rule may have between two pieces. */
const gapMax = 2
/** Pixels beside a rule that are its blurred edge where they are no ink themselves. */
const edge = 2

/** How far it is in memory from a pixel to the next along a rule and across it. */
interface Way {
  readonly pixels: Uint8Array
  readonly threshold: number
  readonly along: number
  readonly across: number
  /** Pixels across. */
  readonly breadth: number
  readonly thickest: number
}

/** A run of ink along a rule: its first pixel, how many pixels it has, and how many lie before it across. */
interface Run {
  readonly start: number
  readonly length: number
  readonly before: number
}

/**
 * Erases the rules of a picture with even contrast that stands straight (within half a degree): long thin runs of ink across and
 * down, such as the borders of tables and boxes, underlines and lines to sign on. Where a run is thicker than the rule, a
 * letter touches or crosses it, and the ink stays. `letterHeight` is in pixels, ink is darker than `threshold`.
 */
export function eraseRules(
  picture: Grey,
  { letterHeight, threshold }: { letterHeight: number; threshold: number },
): Grey {
  const { width, height } = picture
  const pixels = Uint8Array.from(picture.pixels)
  const thickest = Math.max(2, Math.round(letterHeight * thicknessMax))
  const shortest = Math.max(8, Math.round(letterHeight * lengthMin))
  const flat: Way = { pixels, threshold, along: 1, across: width, breadth: height, thickest }
  const upright: Way = { pixels, threshold, along: width, across: 1, breadth: width, thickest }
  // Those down the page are looked for when those across are gone, so that crossings belong to neither.
  for (const run of flatRuns(picture, { threshold, shortest })) eraseRun(flat, run)
  for (const run of uprightRuns({ width, height, pixels }, { threshold, shortest })) eraseRun(upright, run)
  return { width, height, pixels }
}

interface Sought {
  readonly threshold: number
  readonly shortest: number
}

function flatRuns({ width, height, pixels }: Grey, { threshold, shortest }: Sought): Run[] {
  const runs: Run[] = []
  for (let y = 0; y < height; y += 1) {
    let first = -1
    let last = -1
    for (let x = 0; x <= width + gapMax; x += 1) {
      if (x < width && (pixels[y * width + x] ?? 255) < threshold) {
        if (first < 0) first = x
        last = x
      } else if (first >= 0 && x - last > gapMax) {
        if (last + 1 - first >= shortest) runs.push({ start: y * width + first, length: last + 1 - first, before: y })
        first = -1
      }
    }
  }
  return runs
}

/** Runs down the page, found row by row with a counter for each column: memory is read in its order. */
function uprightRuns({ width, height, pixels }: Grey, { threshold, shortest }: Sought): Run[] {
  const runs: Run[] = []
  const first = new Int32Array(width).fill(-1)
  const last = new Int32Array(width)
  for (let y = 0; y <= height + gapMax; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = first[x] ?? -1
      if (y < height && (pixels[y * width + x] ?? 255) < threshold) {
        if (from < 0) first[x] = y
        last[x] = y
      } else if (from >= 0 && y - (last[x] ?? 0) > gapMax) {
        const length = (last[x] ?? 0) + 1 - from
        if (length >= shortest) runs.push({ start: from * width + x, length, before: x })
        first[x] = -1
      }
    }
  }
  return runs
}

/** Makes a run paper wherever it is as thin as a rule, if it is one. */
function eraseRun(way: Way, { start, length, before }: Run): void {
  const { pixels, threshold, along, across, breadth } = way
  const thickest = Math.min(way.thickest, Math.max(2, Math.floor(length * thicknessOfLength)))
  const extents = new Int16Array(length * 2)
  let thin = 0
  for (let at = 0; at < length; at += 1) {
    const pixel = start + at * along
    const up = reach(way, pixel, { by: -across, most: Math.min(before, thickest) })
    const down = reach(way, pixel, { by: across, most: Math.min(breadth - 1 - before, thickest) })
    if (up + down + 1 > thickest) extents[at * 2] = -1
    else {
      extents[at * 2] = up
      extents[at * 2 + 1] = down
      thin += 1
    }
  }
  if (thin < length * thinShare) return
  for (let at = 0; at < length; at += 1) {
    const up = extents[at * 2] ?? -1
    if (up < 0) continue
    const down = extents[at * 2 + 1] ?? 0
    const upMost = Math.min(before, up + edge)
    const downMost = Math.min(breadth - 1 - before, down + edge)
    for (let step = -upMost; step <= downMost; step += 1) {
      const pixel = start + at * along + step * across
      if ((step >= -up && step <= down) || (pixels[pixel] ?? 0) >= threshold) pixels[pixel] = 255
    }
  }
}

/** How many pixels of ink follow a pixel in one direction, `most` at most. */
function reach({ pixels, threshold }: Way, pixel: number, { by, most }: { by: number; most: number }): number {
  let count = 0
  while (count < most && (pixels[pixel + by * (count + 1)] ?? 255) < threshold) count += 1
  return count
}
