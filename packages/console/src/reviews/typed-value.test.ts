import { expect, test } from 'vitest'
import { misfitTold, schemaAt, typedReadings, typedValue } from './typed-value.ts'

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

test('the schema of a value is found through references and nullable alternatives, as Pydantic writes them', () => {
  const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })
  const schema = {
    $defs: { Row: { properties: { amount: nullable('number') } } },
    properties: { tax: nullable('number'), rows: { anyOf: [{ items: { $ref: '#/$defs/Row' } }, { type: 'null' }] } },
  }
  expect(schemaAt(schema, '/tax')).toEqual({ type: 'number' })
  expect(schemaAt(schema, '/rows/0/amount')).toEqual({ type: 'number' })
  expect(typedValue('12,50', schemaAt(schema, '/rows/0/amount'), null)).toBe(12.5)
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

test('a day can be typed as the document writes its dates, and anything else is refused with an explanation', () => {
  const due = { type: ['string', 'null'], format: 'date' }
  expect(typedReadings('4/11/26', due, null, { order: 'day-first' })).toEqual(['2026-11-04'])
  expect(typedReadings('31.02.2026', due, null)).toEqual([])
  expect(misfitTold('31.02.2026', due, null)).toContain('“31.02.2026” is not a day of the calendar.')
})

test('text stays text, also where it looks like a number; without a schema the value before says the type', () => {
  expect(typedValue('0042', { type: 'string' }, null)).toBe('0042')
  expect(typedValue('true', schemaAt(schema, '/paid'), null)).toBe(true)
  expect(typedValue('5,5', undefined, 3)).toBe(5.5)
  expect(typedValue('5', undefined, 'x')).toBe('5')
})
