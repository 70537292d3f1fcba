import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { fieldsOf } from './fields.ts'

const looksOf = (response: Json, needsLook: readonly string[]) =>
  fieldsOf({ response, evidence: null, needsLook }).map(({ path, value, needsLook: look }) => [path, value, look])

test('a value to check is marked, and a list with one in its rows', () => {
  const lines = [{ price: 1 }, { price: 2 }]
  const response = { total: 3, vendor: { name: 'A', vat_id: 'B' }, lines }
  expect(looksOf(response, ['/vendor/vat_id', '/lines/1/price'])).toEqual([
    ['/total', 3, false],
    ['/vendor/name', 'A', false],
    ['/vendor/vat_id', 'B', true],
    ['/lines', lines, true],
  ])
  expect(looksOf(response, ['/lines']).at(-1)).toEqual(['/lines', lines, true])
})

test('a required field that the answer lacks is an empty one to check', () => {
  const response = { total: 3, vendor: { name: 'A' }, lines: [{ price: 1 }] }
  expect(looksOf(response, ['/order', '/vendor/vat_id', '/lines/0/tax'])).toEqual([
    ['/total', 3, false],
    ['/vendor/name', 'A', false],
    ['/lines', [{ price: 1 }], true],
    ['/order', null, true],
    ['/vendor/vat_id', null, true],
  ])
  // What surrounds shown fields is not lacking.
  expect(looksOf(response, ['/vendor'])).toHaveLength(3)
  expect(looksOf('text', [''])).toEqual([['', 'text', true]])
})
