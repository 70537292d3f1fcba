import { describe, expect, test } from 'vitest'
import { separateFields, withFields, withoutFields } from './separate-fields.ts'

const text = { type: 'string' }
const seller = { type: 'object', properties: { name: text, vat: text }, required: ['name', 'vat'] }

describe('separate fields', () => {
  test('are the leaves of objects, and lists as a whole', () => {
    const properties = { seller, lines: { type: 'array', items: seller }, total: text }
    expect(separateFields({ type: 'object', properties })).toEqual(['/seller/name', '/seller/vat', '/lines', '/total'])
  })

  test.each([
    { ...seller, type: ['object', 'null'] },
    { ...seller, type: undefined },
  ])('of an object that may be something else are one field: %j', (optional) => {
    const { type, ...rest } = optional
    const schema = { type: 'object', properties: { seller: type ? { ...rest, type } : rest, total: text } }
    expect(separateFields(schema)).toEqual(['/seller', '/total'])
  })

  test.each([{ additionalProperties: text }, { additionalProperties: true }, { patternProperties: { '^x': text } }])(
    'are undefined where the schema allows fields that it does not list: %j',
    (open) => {
      expect(separateFields({ type: 'object', properties: { total: text }, ...open })).toBeUndefined()
      const nested = { type: 'object', properties: { seller: { ...seller, ...open }, total: text } }
      expect(separateFields(nested)).toBeUndefined()
    },
  )
})

test('fields that a schema does not name come from the answer that was asked last, or from none', () => {
  const schema = { type: 'object', properties: { seller, total: text } }
  const all = separateFields(schema) ?? []
  const earlier = { seller: { name: 'A', vat: 'B', extra: 1 }, total: '1', extra: 1 }
  const kept = withoutFields(earlier, { all, left: ['/total'] })
  expect(kept).toEqual({ seller: { name: 'A', vat: 'B' } })
  const left = ['/total', '/seller/vat']
  const part = withoutFields(earlier, { all, left })
  expect(part).toEqual({ seller: { name: 'A' } })
  const other = { seller: { name: 'Z', vat: 'C', extra: 2 }, total: '2', extra: 2 }
  expect(withFields(part, other, { schema, left })).toEqual({
    seller: { name: 'A', vat: 'C', extra: 2 },
    total: '2',
    extra: 2,
  })
})
