import { expect, test } from 'vitest'
import { numberText } from './number-text.ts'

/** As the locale of this machine groups digits, whichever it is. */
const grouped = (value: number, minimumFractionDigits = 0) =>
  new Intl.NumberFormat(navigator.language, { minimumFractionDigits, maximumFractionDigits: 20 }).format(value)

test('digits of amounts are grouped as the locale does, and those of years are not', () => {
  expect(numberText(1348.39)).toBe(grouped(1348.39))
  expect(numberText(1348, 2)).toBe(grouped(1348, 2))
  expect(numberText(1234567.5, 2)).toBe(grouped(1234567.5, 2))
  expect(numberText(2026)).toMatch(/^\d{4}$/u)
  expect(numberText(120260)).toBe(grouped(120260))
})
