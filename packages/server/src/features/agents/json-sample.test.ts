import { expect, test } from 'vitest'
import { sampleOf } from './json-sample.ts'

test("a sample matches the shape of its schema, with the schema's own values", () => {
  const schema = {
    type: 'object',
    properties: {
      number: { type: 'string', examples: ['INV-7'] },
      day: { type: 'string', format: 'date' },
      currency: { enum: ['EUR', 'USD'] },
      total: { type: ['number', 'null'] },
      paid: { type: 'boolean', default: false },
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
    },
    $defs: { item: { type: 'object', properties: { quantity: { type: 'integer', minimum: 1 } } } },
  }
  expect(sampleOf(schema)).toEqual({
    number: 'INV-7',
    day: '2026-01-31',
    currency: 'EUR',
    total: 0,
    paid: false,
    items: [{ quantity: 1 }],
  })
})

test('a recursive schema, or one without an object, terminates', () => {
  const tree = { $ref: '#/$defs/a', $defs: { a: { properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#' } } } } }
  expect(JSON.stringify(sampleOf(tree)).length).toBeLessThan(10_000)
  expect(sampleOf({ type: 'string' })).toBeNull()
  expect(sampleOf({ $ref: '#' })).toBeNull()
})
