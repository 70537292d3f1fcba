import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDocument } from '../media/read-document.ts'
import { extract } from './extract.ts'

const samples = new URL('../../../../samples/', import.meta.url)

test('the sample invoice that new users see first is read completely', async () => {
  const document = await readDocument({ path: fileURLToPath(new URL('invoice.pdf', samples)) })
  const schema = JSON.parse(await readFile(new URL('invoice.schema.json', samples), 'utf8'))
  const { answer, evidence } = extract({ documents: [{ input: 'invoice', document }], values: {}, schema })
  expect(answer).toMatchObject({
    invoice_number: 'KR-2026-0318',
    invoice_date: '2026-03-03',
    due_date: '2026-04-02',
    purchase_order: 'CS-2291',
    payment_terms: '30 days net',
    vendor: { name: 'Kestrel Coffee Roasters Ltd', vat_id: 'GB 384 2915 06' },
    customer: { name: 'The Corner Shelf Bookshop & Café' },
    currency: 'GBP',
    subtotal: 1131,
    tax: 217.39,
    total: 1304.34,
  })
  expect((answer as { line_items: unknown }).line_items).toMatchObject([
    { sku: 'KR-ESP-1K', description: 'Dockside espresso blend, 1 kg', quantity: 24, unit_price: 17.5, amount: 420 },
    { sku: 'KR-FLT-1K', quantity: 12, unit_price: 21.8, amount: 261.6 },
    { sku: 'KR-DEC-1K', quantity: 6, unit_price: 19.9, amount: 119.4 },
    { sku: 'AC-FIL-500', quantity: 8, unit_price: 6.75, amount: 54 },
    { sku: 'SV-GRD', quantity: 1.5, unit_price: 64, amount: 96 },
    { sku: 'SV-TRN', quantity: 1, unit_price: 180, amount: 180 },
  ])
  expect(Object.values(evidence).filter((entry) => entry.status === 'unsupported')).toEqual([])
})

test('its printed discount counts at any place of the sums in the schema', async () => {
  const document = await readDocument({ path: fileURLToPath(new URL('invoice.pdf', samples)) })
  const amount = { type: ['number', 'null'] }
  for (let before = 0; before <= 12; before++) {
    const others = Array.from({ length: before }, (_, index) => [`note_${index}`, { type: ['string', 'null'] }])
    const properties = { ...Object.fromEntries(others), subtotal: amount, tax: amount, total: amount }
    const { answer, warnings } = extract({
      documents: [{ input: 'invoice', document }],
      values: {},
      schema: { type: 'object', properties },
    })
    expect(answer).toMatchObject({ subtotal: 1131, tax: 217.39, total: 1304.34 })
    expect({ before, warnings }).toEqual({ before, warnings: [] })
  }
})
