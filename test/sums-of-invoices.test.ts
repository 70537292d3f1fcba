import { expect, test } from 'vitest'
import type { JsonSchema } from '../packages/core/src/json.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const amount = { type: ['number', 'null'] }

async function recordOf(document: string, properties: JsonSchema) {
  const json_schema = { type: 'object', properties }
  return service.execute({ inputs: { document }, config: { prompt: 'Extract the fields', json_schema } })
}

const sums = { subtotal: amount, discount: amount, tax: amount, total: amount }

test.each([
  ['-$131.00', '$'],
  ['$131.00', '$'],
  ['($131.00)', '$'],
  ['\u2212131.00', ''],
])('a discount of %s is read beside the sums that it is a part of', async (discount, sign) => {
  const document = [
    `Subtotal: ${sign}1,131.00`,
    `Discount: ${discount}`,
    `Tax: ${sign}200.00`,
    `Total: ${sign}1,200.00`,
  ].join('\n')
  const record = await recordOf(document, sums)
  expect(record.response).toEqual({ subtotal: 1131, discount: 131, tax: 200, total: 1200 })
  expect(record.warnings ?? []).toEqual([])
})

test('sums that do not add up are returned as printed, with a warning', async () => {
  const record = await recordOf('Subtotal: $1,131.00\nDiscount: -$131.00\nTax: $200.00\nTotal: $1,300.00', sums)
  expect(record.response).toEqual({ subtotal: 1131, discount: 131, tax: 200, total: 1300 })
  expect(record.warnings).toEqual([
    {
      code: 'sums_do_not_add_up',
      path: '/total',
      message: 'Subtotal 1131, tax 200 and all other additions and deductions do not add up to the total 1300.',
    },
  ])
  expect(record.evidence['/total']).toMatchObject({ confidence: 0.6 })
})

test.each([
  ['Page total: 500.00\nGrand total: 1,500.00', 1500],
  ['Total carried forward: 500.00\nTotal: 1,500.00', 1500],
  ['Seitensumme: 500,00\nGesamtsumme: 1.500,00', 1500],
  ['Zwischensumme Seite 1: 500,00\nÜbertrag: 500,00\nGesamtbetrag: 1.500,00', 1500],
  ['Total page 1: 500,00 €\nTotal: 1.500,00 €', 1500],
  ['Totale pagina: 500,00\nTotale: 1.500,00', 1500],
])('the sum of a page is not the total: %j', async (document, total) => {
  const record = await recordOf(document, { total: amount })
  expect(record).toMatchObject({ status: 'completed', response: { total } })
})

test('a lone page sum is not the total, and is found when requested', async () => {
  const none = await recordOf('Page total: 500.00', { total: amount })
  expect(none).toMatchObject({ status: 'failed', error: { code: 'nothing_found' } })
  const record = await recordOf('Page total: 500.00\nGrand total: 1,500.00', { page_total: amount, total: amount })
  expect(record.response).toEqual({ page_total: 500, total: 1500 })
})

test.each([
  ['Invoice No: 12,345', '12,345', 12345],
  ['Invoice No: 1,234,567, of 1 May 2026', '1,234,567', 1234567],
  ['Rechnungsnummer: 12.345', '12.345', 12345],
])('an invoice number may be printed in groups: %s', async (document, printed, number) => {
  const asText = await recordOf(document, { invoice_number: { type: 'string' } })
  expect(asText.response).toEqual({ invoice_number: printed })
  const asInteger = await recordOf(document, { invoice_number: { type: 'integer' } })
  expect(asInteger.response).toEqual({ invoice_number: number })
})

test('taxes of several rates are added when they give the total, and none of them is taken for the whole', async () => {
  const taxes = { subtotal: amount, tax_rate: amount, tax: amount, total: amount }
  const lines = (total: string) => `Subtotal: 100.00\nVAT 20%: 12.00\nVAT 5%: 2.00\nTotal: ${total}`
  const record = await recordOf(lines('114.00'), taxes)
  expect(record.response).toEqual({ subtotal: 100, tax_rate: null, tax: 14, total: 114 })
  expect(record.evidence['/tax']).toMatchObject({ status: 'derived', note: 'The sum of the taxes at 2 rates.' })
  const other = await recordOf(lines('120.00'), taxes)
  expect(other.response).toEqual({ subtotal: 100, tax_rate: null, tax: null, total: 120 })
  expect(other.evidence['/tax']).toMatchObject({
    reason: 'The likeliest value, 12, is one of several parts, and no whole is stated.',
    candidates: [{ value: 12 }, { value: 2 }],
  })
})
