import type { Blob } from './ink.ts'

/** The usual maximum skew of lines in degrees. */
const skewMax = 15
/** A larger skew, up to where a quarter turn is nearer, needs rows that are sharper by this factor. */
const leanMax = 45
const sharperBy = 1.5
/** More than noise: at 0 degrees, rows count as sharper by this factor. */
const flatBy = 1.001
const coarseStep = 0.5
const fineStep = 0.05
/** With fewer letters, skew is random. */
const lettersMin = 12
/** Lines are vertical when this share of the letters has its nearest neighbour above or below. */
const lyingShare = 0.65
/** The maximum number of letters kept per cell in the search for neighbours. */
const neighboursMax = 16
/** The maximum number of letters sampled; more add no information. */
const lettersSampled = 2_500

/**
 * The skew of lines in degrees, positive where they fall to the right: the angle at which the feet of letters form the
 * sharpest rows. 0 when there are too few letters.
 */
export function skewOf(letters: readonly Blob[], letterHeight: number): number {
  if (letters.length < lettersMin) return 0
  const rows = rowsOf(letters, letterHeight)
  const coarse = sharpestOf(rows, { from: -skewMax, to: skewMax, by: coarseStep })
  return sharpestOf(rows, { from: coarse - coarseStep, to: coarse + coarseStep, by: fineStep })
}

/** A skew beyond the usual, up to 45 degrees, to within half a degree; 0 where the lines have none. */
export function leanOf(letters: readonly Blob[], letterHeight: number): number {
  if (letters.length < lettersMin) return 0
  const rows = rowsOf(letters, letterHeight)
  const usual = sharpestOf(rows, { from: -skewMax, to: skewMax, by: coarseStep })
  const lean = sharpestOf(rows, { from: -leanMax, to: leanMax, by: coarseStep })
  return Math.abs(lean) > skewMax && sharpnessOf(rows, lean) > sharperBy * sharpnessOf(rows, usual) ? lean : 0
}

/** The feet of letters, and the height of the rows that they are counted in. */
interface Rows {
  readonly points: readonly Foot[]
  readonly bin: number
}

const rowsOf = (letters: readonly Blob[], letterHeight: number): Rows => ({
  points: feetOf(letters),
  bin: Math.max(1, letterHeight / 6),
})

function sharpestOf(rows: Rows, { from, to, by }: { from: number; to: number; by: number }): number {
  let angle = 0
  let sharpest = sharpnessOf(rows, 0) * flatBy
  for (let candidate = from; candidate <= to; candidate += by) {
    const sharpness = sharpnessOf(rows, candidate)
    if (sharpness > sharpest) {
      sharpest = sharpness
      angle = candidate
    }
  }
  return angle
}

/** True when the lines are vertical: letters are closer to their neighbours in the line than to those of the next line. */
export function areLying(letters: readonly Blob[], letterHeight: number): boolean {
  if (letters.length < lettersMin) return false
  // The height of rotated letters is their width; a cell of several letters contains the nearest neighbour in both
  // cases.
  const cell = Math.max(1, letterHeight * 2.5)
  const cells = new Map<string, Blob[]>()
  const keyOf = (x: number, y: number): string => `${Math.floor(x / cell)} ${Math.floor(y / cell)}`
  for (const blob of letters) {
    const { x, y } = middleOf(blob)
    const key = keyOf(x, y)
    const there = cells.get(key)
    if (there === undefined) cells.set(key, [blob])
    else if (there.length < neighboursMax) there.push(blob)
  }
  let across = 0
  let down = 0
  const step = Math.max(1, Math.ceil(letters.length / lettersSampled))
  for (let index = 0; index < letters.length; index += step) {
    const blob = letters[index]
    if (blob === undefined) continue
    const { x, y } = middleOf(blob)
    let nearest = Number.POSITIVE_INFINITY
    let isDown = false
    for (const [dx, dy] of around) {
      for (const other of cells.get(keyOf(x + dx * cell, y + dy * cell)) ?? []) {
        if (other === blob) continue
        const there = middleOf(other)
        const distance = Math.hypot(there.x - x, there.y - y)
        if (distance < nearest) {
          nearest = distance
          isDown = Math.abs(there.y - y) > Math.abs(there.x - x)
        }
      }
    }
    if (isDown) down += 1
    else if (nearest < Number.POSITIVE_INFINITY) across += 1
  }
  return down > lyingShare * (down + across)
}

const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const))

function middleOf({ left, top, right, bottom }: Blob): { x: number; y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

interface Foot {
  readonly x: number
  readonly y: number
}

/** The bottom centres of some letters, evenly sampled. */
function feetOf(letters: readonly Blob[]): Foot[] {
  const step = Math.max(1, Math.ceil(letters.length / lettersSampled))
  return letters
    .filter((_, index) => index % step === 0)
    .map((blob) => ({ x: (blob.left + blob.right) / 2, y: blob.bottom }))
}

/** The sum of squared counts of points per row, for a skew of `degrees`. */
function sharpnessOf({ points, bin }: Rows, degrees: number): number {
  const radians = (degrees * Math.PI) / 180
  const sin = Math.sin(radians)
  const cos = Math.cos(radians)
  const places = points.map(({ x, y }) => Math.round((y * cos - x * sin) / bin))
  const first = places.reduce((least, place) => Math.min(least, place), 0)
  const last = places.reduce((most, place) => Math.max(most, place), 0)
  const rows = new Uint32Array(last - first + 1)
  for (const place of places) rows[place - first] = (rows[place - first] ?? 0) + 1
  let sum = 0
  for (const count of rows) sum += count * count
  return sum
}
