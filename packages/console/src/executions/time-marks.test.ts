import { expect, test } from 'vitest'
import type { EvidenceMap } from '../wire.ts'
import { lengthOf, rowsMax, timeMarksOf } from './time-marks.ts'

const at = (from: number, to: number, input = 'film') =>
  ({ status: 'verified', confidence: 1, input, seconds: [from, to] }) as const

test('marks are in time order, and those that would overlap are in different rows', () => {
  const evidence: EvidenceMap = {
    '/late': at(50, 60),
    '/long': at(0, 30),
    '/within': at(10, 12),
    '/just': at(12, 13),
    '/other': at(1, 2, 'sound'),
    '/untimed': { status: 'verified', confidence: 1, input: 'film', page: 0, bbox: [0, 0, 1, 1] },
  }
  const marks = timeMarksOf(evidence, 'film', 100)
  expect(marks.map(({ pointer, row }) => [pointer, row])).toEqual([
    ['/long', 0],
    ['/within', 1],
    ['/just', 1],
    ['/late', 0],
  ])
})

test('marks of one frame never overlap, up to the maximum number of rows', () => {
  const all = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/${n}`, at(5, 5)]))
  const rows = timeMarksOf(all, 'film', 100).map(({ row }) => row)
  expect(rows.slice(0, rowsMax)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(Math.max(...rows)).toBe(rowsMax - 1)
})

test('the timeline is as long as the player says, or ends at the last mark', () => {
  const evidence = { '/a': at(3, 9), '/b': at(3, 50, 'sound') }
  expect(lengthOf(evidence, 'film', 20)).toBe(20)
  expect([undefined, Number.NaN, Number.POSITIVE_INFINITY, 0].map((one) => lengthOf(evidence, 'film', one))).toEqual([
    9, 9, 9, 9,
  ])
  expect(lengthOf({}, 'film', undefined)).toBe(1)
})
