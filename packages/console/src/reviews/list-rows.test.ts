import { expect, test } from 'vitest'
import { draftedList, rowKeys, shownRows } from './list-rows.ts'

const items = ['b', 'x', 'd', 'x']
// The reader had a to d; a person removed a and c, and added x twice.
const change = { from: ['a', 'b', 'c', 'd'], rows: [1, null, 3, null] }
const added = { id: 1, after: '1', cells: {} }

test('rows that a review removed stand where they were, and a row that is being added after the one that it follows', () => {
  const shown = shownRows(items, change, { removed: ['3'], added: [added] })
  expect(shown.map((row) => `${row.kind} ${row.kind === 'new' ? '' : row.value}`)).toEqual([
    ...['gone a', 'row b', 'new ', 'row x', 'gone c', 'row d', 'row x'],
  ])
  expect(shown.flatMap((row) => (row.kind === 'row' ? [[row.isAdded, row.isRemoved]] : []))).toEqual([
    ...[
      [false, false],
      [true, false],
      [false, true],
      [true, false],
    ],
  ])
})

test('what is saved names the row that each was, and leaves out what is removed', () => {
  const shown = shownRows(items, change, { removed: ['3'], added: [added] })
  expect(draftedList(shown, (row) => (row.kind === 'new' ? 'new' : row.value))).toEqual({
    value: ['b', 'new', 'x', 'x'],
    rows: [0, null, 1, 3],
  })
})

test('a row keeps its key when others go, and equal rows that were added have keys of their own', () => {
  const keys = rowKeys(items, change.rows)
  expect(keys.slice(0, 3)).toEqual(['1', '+1 "x"', '3'])
  expect(new Set(keys).size).toBe(4)
  expect(rowKeys(['d'], [3])).toEqual(['3'])
})

test('what followed a row that is gone is the first', () => {
  const shown = shownRows(['d'], undefined, { removed: [], added: [{ ...added, after: '7' }] })
  expect(shown.map(({ kind }) => kind)).toEqual(['new', 'row'])
})
