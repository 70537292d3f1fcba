import { expect, test } from 'vitest'
import { readingsOf } from './written-numbers.ts'

test.each([
  ['1.234', [1.234, 1234]],
  ['1,234', [1234, 1.234]],
  ['1 234', [1234]],
  ['1 234,50', [1234.5]],
  ["1'234.50", [1234.5]],
  ['1\u202f234\u202f567,8', [1234567.8]],
  ['1,23,456.00', [123456]],
  ['0,125', [0.125]],
  ['.5', [0.5]],
  ['Rs.500', [500]],
  ['Fr. 12.50', [12.5]],
  ['(1,304.34)', [-1304.34]],
  ['EUR −12,50', [-12.5]],
  ['1.234,50 USD', [1234.5]],
  ['12 34', []],
  ['3 x 12', []],
  ['1.2.3', []],
  ['-12-', []],
])('%s can be the numbers %j', (text, numbers) => {
  expect(readingsOf(text, {})).toEqual(numbers)
})

test('the habit of the document decides where it can, and a whole number has no decimals', () => {
  expect(readingsOf('1.234', { decimal: ',' })).toEqual([1234])
  expect(readingsOf('1.234', { decimal: '.' })).toEqual([1.234])
  expect(readingsOf('12.5', { decimal: ',' })).toEqual([12.5])
  expect(readingsOf('1.234', { isWhole: true })).toEqual([1234])
})
