import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesText, dollarsText, durationText, percentText } from './figures.ts'

const factor: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }
const millisecondsOf = (text: string): number =>
  [...text.matchAll(/([\d.]+) (ms|s|min|h)/g)].reduce(
    (sum, [, many, unit = '']) => sum + Number(many) * (factor[unit] ?? 0),
    0,
  )

describe('a figure that people read', () => {
  test('is off by no more than half of its last digit', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (amount) => {
        const value = Number(dollarsText(amount).replace('$', ''))
        expect(Math.abs(value - amount)).toBeLessThanOrEqual(Math.abs(amount) >= 1 ? 0.005_001 : 0.000_000_501)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (ms) => {
        const off = ms < 1_000 ? 0 : ms < 59_950 ? 50 : ms < 3_599_500 ? 500 : 30_500
        expect(Math.abs(millisecondsOf(durationText(ms)) - ms)).toBeLessThanOrEqual(off)
      }),
    )
  })

  test('never counts sixty of a unit that the next one holds, or a thousand', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
        expect(durationText(value)).not.toMatch(/\b60(\.0)? (s|min)\b|\b1000 ms/)
        expect(bytesText(Math.round(value))).not.toMatch(/^1000/)
      }),
    )
  })

  test('has the same form everywhere', () => {
    expect([0, 0.002, 0.0123456, 0.5, 12.345, -3].map(dollarsText)).toEqual([
      ...['$0', '$0.002', '$0.012346', '$0.50'],
      ...['$12.35', '-$3.00'],
    ])
    expect([0, 999.6, 1_500, 59_999, 119_700, 3_600_000].map(durationText)).toEqual([
      ...['0 ms', '1.0 s', '1.5 s', '1 min 0 s', '2 min 0 s', '1 h 0 min'],
    ])
    expect([999, 1_000, 999_960, 12_345_678].map(bytesText)).toEqual(['999 B', '1.0 kB', '1.0 MB', '12.3 MB'])
    expect([0, 0.004, 0.5, 1].map(percentText)).toEqual(['0.0 %', '0.40 %', '50.0 %', '100.0 %'])
  })
})
