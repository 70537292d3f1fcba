import { expect, test } from 'vitest'
import type { Evidence } from '../wire.ts'
import { layGrid, marksOnGrid } from './grid-text.ts'

const word = (text: string, row: number, column: number) => ({
  text,
  bbox: [column / 20, row / 4, text.length / 20, 1 / 4] as const,
})
const page = {
  ...{ columns: 20, rows: 4, left_out: 0 },
  words: [word('Item', 0, 0), word('Price', 0, 12), word('Tea', 2, 0), word('pot', 2, 4), word('48.00', 2, 12)],
}

test('words keep their lines and columns, with empty lines between', () => {
  expect(layGrid(page).text).toBe('Item        Price\n\nTea pot     48.00')
})

test('a box marks only the words in it, also over two lines', () => {
  const laid = layGrid(page)
  const marked = (bbox: Evidence['bbox'] & {}) =>
    marksOnGrid(laid, [['/a', { status: 'verified', confidence: 1, bbox }]]).map(([, { span }]) =>
      laid.text.slice(...(span ?? [0, 0])),
    )
  expect(marked([0, 0.5, 7 / 20, 0.25])).toEqual(['Tea pot'])
  expect(marked([12 / 20, 0.5, 5 / 20, 0.25])).toEqual(['48.00'])
  expect(marked([12 / 20, 0, 8 / 20, 1])).toEqual(['Price', '48.00'])
  expect(marked([0, 0.25, 1, 0.25])).toEqual([])
})

test('words that a proportional source crowds together are separated', () => {
  const crowded = { columns: 4, rows: 1, left_out: 0, words: [word('aa', 0, 0), word('bb', 0, 1)] }
  expect(layGrid(crowded).text).toBe('aa bb')
})
