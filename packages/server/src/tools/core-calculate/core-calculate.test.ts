import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { decimalOf } from './fraction.ts'

const value = (formula: string): string => decimalOf(evaluate(formula), 12)

describe('a formula', () => {
  test.each([
    ['0.1 + 0.2', '0.3'],
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['1/3', '0.333333333333'],
    ['120 * 20%', '24'],
    ['sum(12.50, 3*4.99) * 1.2', '32.964'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.345, 2)', '-2.35'],
    ['round(2.5)', '3'],
    ['min(3, -1, 2) + max(1, 5) + abs(-2)', '6'],
    ['10 - 4 - 3', '3'],
    ['100 / 10 / 2', '5'],
    ['99999999999999999999 + 1', '100000000000000000000'],
    ['.5 + 0', '0.5'],
  ])('%s is %s', (formula, expected) => {
    expect(value(formula)).toBe(expected)
  })

  test.each([
    '',
    '1 +',
    '1 / 0',
    '1 / (2 - 2)',
    '(1',
    '1)',
    '1 2',
    'process.exit()',
    'foo(1)',
    '2^0.5',
    '9^9^9^9',
    '('.repeat(5_000),
    '-'.repeat(5_000),
    'sum()',
    '1,000',
    'round(1, 21)',
    '0x10',
  ])('%s is refused with a message', (formula) => {
    expect(() => evaluate(formula)).toThrow(/The formula is invalid: ./)
  })

  test('cents are added exactly, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1 }), (cents) => {
        const written = (cent: number) =>
          `(${cent < 0 ? '-' : ''}${Math.floor(Math.abs(cent) / 100)}.${String(Math.abs(cent) % 100).padStart(2, '0')})`
        const total = cents.reduce((sum, cent) => sum + BigInt(cent), 0n)
        expect(evaluate(`sum(${cents.map(written).join(', ')}) * 100`)).toEqual({ over: total, under: 1n })
        expect(evaluate(cents.map(written).join(' + '))).toEqual(evaluate(cents.toReversed().map(written).join('+')))
      }),
    )
  })
})
