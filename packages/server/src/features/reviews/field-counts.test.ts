import { expect, test } from 'vitest'
import type { ReviewChange } from '../executions/executions.ts'
import { fieldCounts } from './field-counts.ts'

const none = { confirmed: 0, corrected: 0, untouched: 0 }

test('rows of a list are one field, and properties whose names are numbers are fields of their own', () => {
  const response = { '1': 'a', '2': 'b', 'a/b': 'c', rows: [{ '2024': 1 }, { '2024': 2 }] }
  const changes: ReviewChange[] = [
    { path: '/2', kind: 'corrected', from: 'b', to: 'x' },
    { path: '/rows/1/2024', kind: 'corrected', from: 2, to: 3 },
    { path: '/rows/2', kind: 'corrected', from: null, to: { '2024': 4 } },
    { path: '/rows/2/2024', kind: 'confirmed', from: 4, to: 4 },
  ]
  const reviewed = { ...response, '2': 'x', rows: [{ '2024': 1 }, { '2024': 3 }, { '2024': 4 }] }
  const counts = fieldCounts(response, changes, reviewed)
  expect(counts).toEqual({
    '/1': { ...none, untouched: 1 },
    '/2': { ...none, corrected: 1 },
    '/a~1b': { ...none, untouched: 1 },
    '/rows/*/2024': { confirmed: 1, corrected: 1, untouched: 1 },
    '/rows/*': { ...none, corrected: 1 },
  })
})

test('a change in what the answer left out counts for the rows of its list', () => {
  const changes: ReviewChange[] = [
    { path: '/rows', kind: 'corrected', from: null, to: [{ a: 1 }] },
    { path: '/rows/0/a', kind: 'corrected', from: null, to: 2 },
  ]
  const counts = fieldCounts({ rows: null }, changes, { rows: [{ a: 2 }] })
  expect(Object.keys(counts)).toEqual(['/rows', '/rows/*/a'])
})
