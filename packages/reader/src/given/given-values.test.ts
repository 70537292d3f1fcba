import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'

const types: Readonly<Record<string, JsonObject>> = {
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  string: { type: 'string' },
  clock: { type: 'string', format: 'time' },
  date: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  status: { enum: ['paid', 'not_paid'] },
  email: { type: 'string', format: 'email' },
}

/** The answer to the field `name` of one type from a plain JSON input, with its evidence status. */
function ask(given: JsonObject, name: string, type: string): { value: Json; status: string | undefined } {
  const schema = {
    type: 'object',
    properties: { [name]: { anyOf: [types[type] ?? {}, { type: 'null' }] } },
    required: [name],
  }
  const { answer, evidence } = extract({ documents: [], values: { order: given }, schema })
  return { value: (answer as JsonObject)[name] ?? null, status: evidence[`/${name}`]?.status }
}

test.each([
  ['total', 'number', 'EUR 9.00', 9, 'normalised'],
  ['total', 'number', '$1,234.50', 1234.5, 'normalised'],
  ['total', 'number', '1.234,50 €', 1234.5, 'normalised'],
  ['total', 'number', '12.50 dollars', 12.5, 'normalised'],
  ['total', 'number', '(9.00)', -9, 'normalised'],
  ['total', 'number', '9', 9, 'verified'],
  ['total', 'string', 'EUR 9.00', 'EUR 9.00', 'verified'],
  ['vat_rate', 'number', '19 %', 19, 'normalised'],
  ['contact', 'email', 'a.b@example.com', 'a.b@example.com', 'verified'],
  ['quantity', 'integer', '3', 3, 'verified'],
  ['due_date', 'date', '12 March 2026', '2026-03-12', 'normalised'],
  ['due_date', 'date', '12.03.2026', '2026-03-12', 'normalised'],
  ['due_date', 'date', '13/04/2026', '2026-04-13', 'normalised'],
  ['due_date', 'date', '2026-03-12', '2026-03-12', 'verified'],
  ['created_at', 'moment', '2026-03-12T10:00:00+02:00', '2026-03-12T10:00:00+02:00', 'verified'],
  ['paid', 'boolean', 'yes', true, 'derived'],
  ['paid', 'boolean', 'Nein', false, 'derived'],
  ['status', 'status', 'Not paid', 'not_paid', 'normalised'],
  ['currency', 'string', '€', 'EUR', 'derived'],
])(`a text of a JSON input is parsed as the field's type: %s as %s, "%s"`, (name, type, text, value, status) => {
  expect(ask({ [name]: text }, name, type)).toEqual({ value, status })
})

test.each([
  ['total', 'number', '1,234'],
  ['total', 'number', '3 million'],
  ['total', 'number', 'USD 1,000 or 2,000'],
  ['total', 'number', '9.00 CR'],
  ['total', 'number', '19%'],
  ['vat_rate', 'number', '0.19'],
  ['vat_rate', 'number', 'at most 19 %'],
  ['contact', 'email', 'write to a.b@example.com'],
  ['due_date', 'date', '03/04/2026'],
  ['due_date', 'date', 'soon'],
  ['due_date', 'date', '2026-03-12T23:00:00-05:00'],
  ['due_date', 'date', '2026-02-30'],
  ['due_date', 'date', '0000-00-00'],
  ['created_at', 'moment', '2026-03-12'],
  ['created_at', 'moment', '2026-03-12T25:00:00Z'],
  ['starts_at', 'clock', '25:00'],
  ['paid', 'boolean', 'yes, in part'],
  ['paid', 'boolean', '1'],
  ['status', 'status', 'partly paid'],
])(
  'a text of a JSON input that may be read in two ways, or in none, is left out: %s as %s, "%s"',
  (name, type, text) => {
    expect(ask({ [name]: text }, name, type)).toEqual({ value: null, status: 'unsupported' })
  },
)

test('other texts of the input show how an ambiguous one is written', () => {
  expect(ask({ total: '1,234', tax: '9.50' }, 'total', 'number').value).toBe(1234)
  expect(ask({ total: '1,234', tax: '9,50' }, 'total', 'number').value).toBe(1.234)
  expect(ask({ due_date: '03/04/2026', paid_on: '25/12/2025' }, 'due_date', 'date').value).toBe('2026-04-03')
  expect(ask({ due_date: '03/04/2026', paid_on: '12/25/2025' }, 'due_date', 'date').value).toBe('2026-03-04')
})

test('of two values with one name the outer one is used, and neither when both are at the same depth and differ', () => {
  expect(ask({ first: { total: 9 }, total: 10 }, 'total', 'number').value).toBe(10)
  expect(ask({ first: { total: 9 }, second: { total: 10 } }, 'total', 'number').value).toBeNull()
  expect(ask({ first: { total: 9 }, second: { total: 9 } }, 'total', 'number').value).toBe(9)
})

test("lists of a JSON input are taken over item by item, with texts parsed as the column's types", () => {
  const item = {
    type: 'object',
    properties: {
      description: { type: 'string' },
      amount: { type: ['number', 'null'] },
      due_date: types['date'] ?? {},
    },
    required: ['description', 'amount'],
  }
  const schema = {
    type: 'object',
    properties: { line_items: { type: 'array', items: item }, tags: { type: 'array', items: { type: 'string' } } },
  }
  const order = {
    lineItems: [
      { Description: 'Chair', Amount: 'EUR 9.00', 'Due date': '12 March 2026' },
      { Description: 'Table', Amount: 'about 20' },
    ],
    tags: ['new', 'urgent'],
    others: [{ amount: 1 }],
  }
  const { answer, evidence } = extract({ documents: [], values: { order }, schema })
  expect(answer).toEqual({
    line_items: [
      { description: 'Chair', amount: 9, due_date: '2026-03-12' },
      { description: 'Table', amount: null },
    ],
    tags: ['new', 'urgent'],
  })
  expect(evidence['/line_items/0/amount']).toMatchObject({ status: 'normalised', input: 'order', quote: 'EUR 9.00' })
})

test('a list with another name, or without any requested property, is not used', () => {
  const properties = { items: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } } }
  const schema = { type: 'object', properties, required: ['items'] }
  for (const order of [{ others: [{ amount: 1 }] }, { items: [{ name: 'Chair' }] }, { items: [] }, { items: 'none' }])
    expect(extract({ documents: [], values: { order }, schema }).answer).toEqual({ items: [] })
  const tags = {
    type: 'object',
    properties: { tags: { type: 'array', items: { type: 'string' } } },
    required: ['tags'],
  }
  const order = { tags: ['new', ['nested']] }
  expect(extract({ documents: [], values: { order }, schema: tags }).answer).toEqual({ tags: [] })
})
