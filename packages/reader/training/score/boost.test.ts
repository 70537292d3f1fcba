import { expect, test } from 'vitest'
import { packed, probabilityOf } from '../../src/score/trees.ts'
import { type BoostOptions, boost, type Examples } from './boost.ts'
import { isotonic } from './fit.ts'
import { shareOf } from './questions.ts'

const options: BoostOptions = {
  ...{ trees: 40, depth: 3, rate: 0.3, leafMin: 5, bins: 16, lambda: 1 },
  ...{ rowShare: 0.8, featureShare: 1 },
}

/** Right where exactly one of the first two features is above a half; the third says nothing. */
function examples(count: number): Examples {
  const rows = Float32Array.from({ length: count * 3 }, (_, at) => shareOf(`value ${at}`))
  const labels = Uint8Array.from({ length: count }, (_, n) =>
    (rows[n * 3] ?? 0) > 0.5 !== (rows[n * 3 + 1] ?? 0) > 0.5 ? 1 : 0,
  )
  return { width: 3, rows, labels, weights: new Float32Array(count).fill(1) }
}

test('boosted trees learn what no single feature tells', () => {
  const forest = packed(boost(examples(600), options))
  const of = (...row: number[]) => probabilityOf(forest, Float32Array.from(row))
  for (const noise of [0.1, 0.9]) {
    expect(of(0.9, 0.1, noise)).toBeGreaterThan(0.8)
    expect(of(0.1, 0.9, noise)).toBeGreaterThan(0.8)
    expect(of(0.9, 0.9, noise)).toBeLessThan(0.2)
    expect(of(0.1, 0.1, noise)).toBeLessThan(0.2)
  }
})

test('the same examples give the same trees', () => {
  expect(boost(examples(200), options)).toEqual(boost(examples(200), options))
})

test('a calibration curve rises, and pools what falls', () => {
  const points = [0, 1, 0, 0, 1, 1].map((y, n) => ({ x: n / 10, y, weight: 1 }))
  const { x, y } = isotonic(points)
  expect(x).toEqual(x.toSorted((a, b) => a - b))
  expect(y).toEqual(y.toSorted((a, b) => a - b))
  expect(y[0]).toBeLessThan(0.4)
  expect(y.at(-1)).toBeGreaterThan(0.6)
})

test('of choices, trees learn which of a group is the answer, and that a group without a good one has none', () => {
  // Of four rows the largest is the answer, unless it is below a half; the second feature is the largest of the group.
  const groups = 400
  const rows = new Float32Array(groups * 4 * 2)
  const labels = new Uint8Array(groups * 4)
  for (let group = 0; group < groups; group++) {
    const values = [0, 1, 2, 3].map((at) => shareOf(`choice ${group}/${at}`) * (group % 2 === 0 ? 1 : 0.5))
    const most = Math.max(...values)
    for (const [at, value] of values.entries()) {
      rows.set([value, most], (group * 4 + at) * 2)
      labels[group * 4 + at] = value === most && value > 0.5 ? 1 : 0
    }
  }
  const starts = Int32Array.from({ length: groups }, (_, group) => group * 4)
  const forest = packed(
    boost({ width: 2, rows, labels, weights: new Float32Array(groups * 4).fill(1), starts }, options),
  )
  const of = (...row: number[]) => probabilityOf(forest, Float32Array.from(row))
  expect(of(0.95, 0.95)).toBeGreaterThan(of(0.7, 0.95) * 3)
  // Each row alone is the answer less often than not; only as a choice is the largest of these sure.
  expect(of(0.7, 0.7)).toBeGreaterThan(0.8)
  expect(of(0.4, 0.4)).toBeLessThan(0.2)
})
