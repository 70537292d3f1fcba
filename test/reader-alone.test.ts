import { read } from '@skillrun/reader'
import { expect, test } from 'vitest'

const sample = new URL('../samples/invoice.pdf', import.meta.url)

test('the reader alone returns the values of a PDF with their positions', async () => {
  const schema = {
    type: 'object',
    properties: { invoice_number: { type: 'string' }, total: { type: 'number' }, iban_of_the_moon: { type: 'string' } },
  }
  const { values, evidence, completeness } = await read(sample, { schema })
  expect(values).toMatchObject({ invoice_number: expect.stringMatching(/\d/), total: expect.any(Number) })
  expect(evidence['/total']).toMatchObject({ page: 0, bbox: expect.anything() })
  expect(completeness).toMatchObject({ asked: 3, found: 2, notFound: 1 })
})

test('a text is read as text', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const { values } = await read({ text: 'Invoice 17\nTotal: 42.50 EUR' }, { schema })
  expect(values).toEqual({ total: 42.5 })
})
