import { expect, test } from 'vitest'
import { cellsOf, isNumeric, isTyped, typedRow, WrongCell, withValue } from './new-row.ts'

const schema = {
  type: 'object',
  properties: {
    items: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        required: ['sku'],
        properties: {
          sku: { type: 'string' },
          price: { $ref: '#/$defs/price' },
          unit: { enum: ['kg', 'm', null] },
          paid: { type: 'boolean' },
          maker: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
          parts: { type: 'array', items: {} },
        },
      },
    },
    codes: { type: 'array', items: { type: 'integer' } },
  },
  $defs: { price: { type: ['number', 'null'] } },
}

test('a new row has the values that its schema names, with their types and choices', () => {
  const cells = cellsOf(schema, '/items', [])
  expect(cells.map(({ pointer, name, options }) => [pointer, name, options])).toEqual([
    ['/sku', 'SKU', undefined],
    ['/price', 'Price', undefined],
    ['/unit', 'Unit', ['kg', 'm']],
    ['/paid', 'Paid', ['true', 'false']],
    ['/maker/name', 'Maker name', undefined],
  ])
  expect(cells.filter(isNumeric).map(({ name }) => name)).toEqual(['Price'])
  expect(typedRow(cells, { '/sku': 'A1', '/price': '1.234,50', '/paid': 'true' })).toEqual({
    ...{ sku: 'A1', price: 1234.5, paid: true, maker: { name: null } },
  })
  expect(() => typedRow(cells, { '/price': 'twelve' })).toThrow(WrongCell)
})

test('a list of single values has one, and without a schema the other rows say what a row has', () => {
  expect(typedRow(cellsOf(schema, '/codes', []), { '': '12' })).toBe(12)
  const rows = [{ a: null, 'b/c': 'x' }, { a: 3 }]
  const cells = cellsOf(undefined, '/rows', rows)
  expect(typedRow(cells, { '/a': '4', '/b~1c': 'y' })).toEqual({ a: 4, 'b/c': 'y' })
  expect(typedRow(cellsOf(undefined, '/rows', []), { '': 'y' })).toBe('y')
})

test('a value is set inside lists and in objects that are missing', () => {
  expect(withValue([{ a: 1 }], ['0', 'b', 'c'], 2)).toEqual([{ a: 1, b: { c: 2 } }])
})

test('a schema that contains itself has the values up to where it repeats', () => {
  const part = { type: 'object', properties: { name: { type: 'string' }, inner: { $ref: '#/$defs/part' } } }
  const recursive = { properties: { parts: { type: 'array', items: { $ref: '#/$defs/part' } } }, $defs: { part } }
  expect(cellsOf(recursive, '/parts', []).map(({ pointer }) => pointer)).toEqual(['/name'])
})

test('a new row has the lists that its schema requires, empty, and choices of the type that the schema names', () => {
  const parts = { type: 'array', items: { type: 'string' } }
  const item = { type: 'object', required: ['parts'], properties: { size: { enum: [7, 8] }, parts, more: parts } }
  const cells = cellsOf({ properties: { items: { type: 'array', items: item } } }, '/items', [])
  expect(typedRow(cells, { '/size': '7' })).toEqual({ size: 7, parts: [] })
  expect(cells.filter(isTyped).map(({ pointer }) => pointer)).toEqual(['/size'])
})
