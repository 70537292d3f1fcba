import type { Grey } from './grey.ts'

/** The minimum length of a rule in letter heights: longer than a dash, a stem of a heading or an underscore. */
const lengthMin = 3
/** The maximum thickness of a rule in letter heights, and as a share of its length. */
const thicknessMax = 0.35
const thicknessOfLength = 1 / 12
/**
 * The minimum share of a rule within that thickness; elsewhere letters and other rules may touch it. The merged feet of
 * a heading's letters are thin for two thirds of their length.
 */
const thinShare = 0.85
/** The maximum gap in pixels between two pieces of a worn rule. */
const gapMax = 2
/** Pixels beside a rule that are its blurred edge unless they are ink. */
const edge = 2

/** Memory strides from a pixel to the next along and across a rule. */
interface Way {
  readonly pixels: Uint8Array
  readonly threshold: number
  readonly along: number
  readonly across: number
  /** Pixels across. */
  readonly breadth: number
  readonly thickest: number
}

/** A run of ink along a rule: its first pixel, its length, and the number of pixels before it across. */
interface Run {
  readonly start: number
  readonly length: number
  readonly before: number
}

/**
 * Erases rules from a straight image (within half a degree) with even contrast: long thin horizontal and vertical runs
 * of ink, such as borders of tables and boxes, underlines and signature lines. Where a run is thicker than the rule, a
 * letter touches it, and the ink stays. `letterHeight` is in pixels; ink is darker than `threshold`.
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
  // Vertical rules are searched after horizontal ones are gone, so that crossings belong to neither.
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

/** Vertical runs, found row by row with a counter per column, to read memory in order. */
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

/** Turns a run into paper wherever it is as thin as a rule, if it is one. */
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

/** The number of consecutive ink pixels in one direction, at most `most`. */
function reach({ pixels, threshold }: Way, pixel: number, { by, most }: { by: number; most: number }): number {
  let count = 0
  while (count < most && (pixels[pixel + by * (count + 1)] ?? 255) < threshold) count += 1
  return count
}
