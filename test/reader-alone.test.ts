import type { JsonObject } from '@skillrun/core/json.ts'
import { read } from '@skillrun/reader'
import { expect, test } from 'vitest'

const sample = new URL('../samples/invoice.pdf', import.meta.url)

test('the reader alone returns the values of a PDF with their positions', async () => {
  const schema = {
    type: 'object',
    properties: { invoice_number: { type: 'string' }, total: { type: 'number' }, iban_of_the_moon: { type: 'string' } },
  }
  const { response, evidence, completeness } = await read(sample, { schema })
  expect(response).toMatchObject({ invoice_number: expect.stringMatching(/\d/), total: expect.any(Number) })
  expect(evidence['/total']).toMatchObject({ page: 0, bbox: expect.anything() })
  expect(completeness).toMatchObject({ asked: 3, found: 2, notFound: 1 })
})

test('a text is read as text', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const { response } = await read({ text: 'Invoice 17\nTotal: 42.50 EUR' }, { schema })
  expect(response).toEqual({ total: 42.5 })
})

test('a list is not held to a share of wrong values, and the reader says so to who asked for one; single values of a sheet are', async () => {
  const total = { type: ['number', 'null'] }
  const list = { type: 'array', items: { type: 'object', properties: { invoice: { type: 'string' }, total } } }
  const sheet = { text: 'Invoice;Total\n17;42.50\n' }
  const warningsOf = async (properties: JsonObject, held: { maxWrongRate?: number }) =>
    (await read(sheet, { schema: { type: 'object', properties }, fileName: 'sheet.csv', ...held })).warnings
  const unheld = [expect.objectContaining({ code: 'wrong_rate_not_promised' })]
  expect(await warningsOf({ invoices: list }, { maxWrongRate: 0.05 })).toEqual(unheld)
  expect(await warningsOf({ invoices: list }, {})).toEqual([])
  expect(await warningsOf({ total }, { maxWrongRate: 0.05 })).toEqual([])
})
