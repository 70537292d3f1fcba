import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNumbers, shownNumberStyle } from './numbers.ts'

const values = (text: string, style: 'point' | 'comma' = 'point'): number[] =>
  findNumbers(text, style).map((match) => match.value)

test('amounts are read with every thousands and decimal separator', () => {
  for (const [text, value] of [
    ['1,234.56', 1234.56],
    ['1.234,56', 1234.56],
    ['1 234,56', 1234.56],
    ["1'234.56", 1234.56],
    ['12.345.678,90', 12345678.9],
    ['(12.00)', -12],
    ['12.00-', -12],
    ['-12.00', -12],
    ['$-12.00', -12],
    ['12.00 CR', -12],
    ['€ 1.234,00', 1234],
    ['RM15.50', 15.5],
    ['-.02', -0.02],
    ['42', 42],
    ['1.234,- EUR', 1234],
    ['2.500,-- €', 2500],
    ['1,234.— CHF', 1234],
    ['5,-', 5],
    ['-EUR 5.00', -5],
    ['- CHF 5.00', -5],
    ['-RM15.50', -15.5],
    ['(EUR 25,00)', -25],
    ['(€4 937,70)', -4937.7],
    ['(8.667,59 EUR)', -8667.59],
    ['283,45- EUR', -283.45],
    ['283.45-€', -283.45],
    ['Rs 1,45,678.08', 145678.08],
    ['12,34,56,789', 123456789],
  ] as const) {
    expect(values(text), text).toEqual([value])
  }
})

test('groups of thousands do not start with a zero: that is the number of a box', () => {
  expect(values('09 360,00', 'comma')).toEqual([9, 360])
  expect(values('0.123')).toEqual([0.123])
  expect(values('*01,250.00')).toEqual([1250])
})

test('a number in brackets is negative, but not a count that repeats the word before it', () => {
  for (const text of ['(500.00)', 'Deposit (500.00)', '(500.00) EUR', '(500) issued', 'Refund (500.00) issued'])
    expect(values(text), text).toEqual([-500])
  expect(values('within fourteen (14) days of its disclosure')).toEqual([14])
})

test('a dash after a word or a number is not the minus of a currency', () => {
  expect(values('A-EUR 5.00')).toEqual([5])
  expect(values('EUR 5.00 - EUR 6.00')).toEqual([5, 6])
  expect(values('5.00 - EUR 6.00')).toEqual([5, 6])
  expect(values('120.00 (incl. 20.00 tax)')).toEqual([120, 20])
  expect(values('12.00 (EUR) and (net) 5.00')).toEqual([12, 5])
})

test("one separator in front of three digits is read in the document's style", () => {
  expect(values('1.234', 'comma')).toEqual([1234])
  expect(values('1.234', 'point')).toEqual([1.234])
  expect(values('1,234', 'point')).toEqual([1234])
})

test('more than three digits after a separator are all decimals, and none is dropped', () => {
  for (const style of ['point', 'comma'] as const) {
    for (const [text, value] of [
      ['0.1234', 0.1234],
      ['1.0825', 1.0825],
      ['2,5000', 2.5],
      ['12.34567', 12.34567],
      ['1,234.5678', 1234.5678],
    ] as const)
      expect(values(text, style), text).toEqual([value])
    expect(values('1,234.567891', style)).toEqual([])
  }
})

test('a number in thousands, millions or hundredths is not taken for the bare number', () => {
  for (const text of ['99k', '$1.5M', '3bn', '99 k€', '1.5 m EUR', '99¢']) expect(values(text), text).toEqual([])
  expect(values('12.50 B')).toEqual([12.5])
  expect(values('5 m €12.00')).toEqual([5, 12])
})

test('digits of dates, times, ids and IP addresses are not numbers', () => {
  for (const text of ['12/03/2024', '10:30', 'A-12', 'INV2024', '192.168.1.1', 'x2'])
    expect(values(text), text).toEqual([])
})

test('an amount is found in every style of separators', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999_99 })
  const marks = fc.constantFrom([',', '.'], ['.', ','], ["'", '.'], [' ', ','])
  fc.assert(
    fc.property(cents, marks, (amount, [thousands = '', decimal = '']) => {
      const whole = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, thousands)
      const text = `${whole}${decimal}${String(amount % 100).padStart(2, '0')}`
      expect(values(`Total: ${text} EUR`)).toEqual([amount / 100])
    }),
  )
})

test('the decimal mark of a document is the one in front of two final digits', () => {
  expect(shownNumberStyle(['12,50', '1.234,00', '3.5'])).toBe('comma')
  expect(shownNumberStyle(['12.50', '1,234.00'])).toBe('point')
  expect(shownNumberStyle([])).toBeNull()
})

test('without decimals, a separator in front of three digits of an amount separates thousands', () => {
  expect(shownNumberStyle(['Total: 12.671 EUR', 'VAT: 2.199 EUR'])).toBe('comma')
  expect(shownNumberStyle(['Total: 12,671 EUR'])).toBe('point')
  expect(shownNumberStyle(['Total: 1.234,- EUR'])).toBe('comma')
  expect(shownNumberStyle(['1.459 EUR/l', 'Total: 40.12 EUR'])).toBe('point')
})

test.each(['1\u03362\u0336.\u033550', 'EUR \u202e05.21\u202c', '12.5\u03380'])(
  'no number is found in %j, which shows another one',
  (text) => {
    expect(findNumbers(text, 'point')).toEqual([])
  },
)
