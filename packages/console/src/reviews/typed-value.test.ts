import { expect, test } from 'vitest'
import { schemaAt, typedValue } from './typed-value.ts'

const schema = {
  properties: {
    total: { type: ['number', 'null'] },
    paid: { type: 'boolean' },
    rows: { items: { properties: { 'a/b': { type: 'string' } } } },
  },
}

test('the schema of a value is found through objects and lists', () => {
  expect(schemaAt(schema, '/rows/3/a~1b')).toEqual({ type: 'string' })
  expect(schemaAt(schema, '/other')).toBeUndefined()
  expect(schemaAt(undefined, '/total')).toBeUndefined()
})

test.each([
  ['1304.34', 1304.34],
  ['1,304.34', 1304.34],
  ['1.304,34', 1304.34],
  ['€ 12,50', 12.5],
  ['1,304', 1304],
  ['1.304.500', 1304500],
  ['-7', -7],
  ['−12.50', -12.5],
  ['–5', -5],
  ['−1.304,34 €', -1304.34],
  ['(12.50)', -12.5],
  ['12.50-', -12.5],
  ['0', 0],
  ['1-2', null],
  ['', null],
  ['twelve', null],
])('%s is the number %s', (text, value) => {
  expect(typedValue(text, schemaAt(schema, '/total'), null)).toBe(value)
})

test('text stays text, also where it looks like a number; without a schema the value before says the type', () => {
  expect(typedValue('0042', { type: 'string' }, null)).toBe('0042')
  expect(typedValue('true', schemaAt(schema, '/paid'), null)).toBe(true)
  expect(typedValue('5,5', undefined, 3)).toBe(5.5)
  expect(typedValue('5', undefined, 'x')).toBe('5')
})
