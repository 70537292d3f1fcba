import { expect, test } from 'vitest'
import { probabilityOf } from '../../src/score/trees.ts'
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
  const forest = boost(examples(600), options)
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
