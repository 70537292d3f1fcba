import { expect, test } from 'vitest'
import { ShapeFinder } from './columns.ts'

const shapeOf = (...answers: Parameters<ShapeFinder['add']>[0][]) => {
  const finder = new ShapeFinder()
  for (const answer of answers) finder.add(answer)
  const { columns, lists } = finder.shape()
  return {
    columns: columns.map(({ name }) => name),
    lists: Object.fromEntries(lists.map((list) => [list.name, list.columns.map(({ name }) => name)])),
  }
}

test('the columns are the leaves of all answers, in the order in which they come first', () => {
  expect(
    shapeOf({ total: 1, seller: { name: 'A' } }, { total: null, seller: { vat: 'X', name: null }, 'a/b': 2 }),
  ).toEqual({ columns: ['total', 'seller.name', 'seller.vat', 'a/b'], lists: {} })
})

test('an absent object or list is no column beside the fields that it has elsewhere', () => {
  expect(shapeOf({ seller: null, lines: [], never: null }, { seller: { name: 'A' }, lines: [{ sku: 1 }] })).toEqual({
    columns: ['never', 'seller.name'],
    lists: { lines: ['sku'] },
  })
})

test('a list of objects becomes a table, another list a column', () => {
  expect(shapeOf({ tags: ['a', 'b'], lines: [{ sku: 1, tax: { rate: 0.2 } }, { name: 'x' }] })).toEqual({
    columns: ['tags'],
    lists: { lines: ['sku', 'tax.rate', 'name'] },
  })
})

test('an answer that is no object is one column', () => {
  expect(shapeOf('five', null)).toEqual({ columns: ['response'], lists: {} })
})

test('evidence beside a value is no column, a field that is named like it is one', () => {
  expect(
    shapeOf({ total: 1, total_metadata: { confidence: 'hi', bboxes: [] }, file: 'a', file_metadata: 'scanned' }),
  ).toEqual({ columns: ['total', 'file', 'file_metadata'], lists: {} })
})

test('more columns than a spreadsheet shows are refused', () => {
  const wide = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f${at}`, at]))
  expect(() => shapeOf(wide)).toThrow(/format=jsonl/)
})
