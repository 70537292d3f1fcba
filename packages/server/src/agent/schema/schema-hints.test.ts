import { expect, test } from 'vitest'
import { withHints } from './schema-hints.ts'

const text = { type: 'string' }

test('a field without a description gets the one in the instructions; existing ones stay', () => {
  const schema = {
    type: 'object',
    properties: {
      ref: text,
      total: { type: 'number', description: 'Gross' },
      vendor: { type: 'object', properties: { name: text } },
      customer: { type: 'object', properties: { name: text } },
      rows: { type: 'array', items: { type: 'object', properties: { sku: text } } },
    },
  }
  const instructions = `
# Fields
- \`ref\`: Case number
- \`total\`: Net
* **vendor.name** – Letterhead
- \`rows[].sku\`: Article code
- nothing: of a field`
  expect(withHints(schema, instructions)).toEqual({
    type: 'object',
    properties: {
      ref: { ...text, description: 'Case number' },
      total: { type: 'number', description: 'Gross' },
      vendor: { type: 'object', properties: { name: { ...text, description: 'Letterhead' } } },
      customer: { type: 'object', properties: { name: text } },
      rows: { type: 'array', items: { type: 'object', properties: { sku: { ...text, description: 'Article code' } } } },
    },
  })
  expect(withHints(schema, 'Extract the invoice.')).toBe(schema)
})
