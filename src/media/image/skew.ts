import type { Blob } from './ink.ts'

/** Lines lean at most this much, in degrees; more is a quarter turn gone wrong. */
const skewMax = 15
const coarseStep = 0.5
const fineStep = 0.05
/** Letters below which a lean is chance. */
const lettersMin = 12
/** Letters that are looked at; more tell nothing more. */
const lettersSampled = 2_500

/**
 * How far the lines of letters lean, in degrees, positive where they fall to the right: the angle along which the letters'
 * feet gather in the sharpest rows. 0 where there are too few letters to tell.
 */
export function skewOf(letters: readonly Blob[], letterHeight: number): number {
  if (letters.length < lettersMin) return 0
  const step = Math.max(1, Math.ceil(letters.length / lettersSampled))
  const points = letters
    .filter((_, index) => index % step === 0)
    .map((blob) => ({ x: (blob.left + blob.right) / 2, y: blob.bottom }))
  const bin = Math.max(1, letterHeight / 6)
  const best = (from: number, to: number, by: number): number => {
    let angle = 0
    let sharpest = rowSharpness(points, 0, bin) * 1.001
    for (let candidate = from; candidate <= to; candidate += by) {
      const sharpness = rowSharpness(points, candidate, bin)
      if (sharpness > sharpest) {
        sharpest = sharpness
        angle = candidate
      }
    }
    return angle
  }
  const coarse = best(-skewMax, skewMax, coarseStep)
  return best(coarse - coarseStep, coarse + coarseStep, fineStep)
}

/** Sum of the squares of how many points fall into each row of height `bin` when the page leans by `degrees`. */
export function rowSharpness(points: readonly { x: number; y: number }[], degrees: number, bin: number): number {
  const radians = (degrees * Math.PI) / 180
  const sin = Math.sin(radians)
  const cos = Math.cos(radians)
  const rows = new Map<number, number>()
  for (const { x, y } of points) {
    const row = Math.round((y * cos - x * sin) / bin)
    rows.set(row, (rows.get(row) ?? 0) + 1)
  }
  let sum = 0
  for (const count of rows.values()) sum += count * count
  return sum
}
