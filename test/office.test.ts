import { expect, test } from 'vitest'
import { madeExcel, madeWord } from '../packages/reader/src/media/testing/made-office.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const schema = {
  type: 'object',
  properties: {
    invoice_number: { type: ['string', 'null'] },
    invoice_date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          description: { type: ['string', 'null'] },
          quantity: { type: ['number', 'null'] },
          amount: { type: ['number', 'null'] },
        },
      },
    },
  },
}
const answer = {
  invoice_number: 'INV-2024-77',
  invoice_date: '2026-03-14',
  total: 108,
  items: [
    { description: 'Teapot', quantity: 2, amount: 48 },
    { description: 'Kettle', quantity: 1, amount: 60 },
  ],
}
const head = ['Description', 'Quantity', 'Unit price', 'Amount']

test.each([
  [
    'docx',
    () =>
      madeWord(
        ['Northwind Traders Ltd', 'Invoice number: INV-2024-77', 'Invoice date: 14 March 2026'],
        [head, ['Teapot', '2', '24.00', '48.00'], ['Kettle', '1', '60.00', '60.00'], ['', '', 'Total', '108.00']],
      ),
  ],
  [
    'xlsx',
    () =>
      madeExcel({
        Invoice: [
          ['Northwind Traders Ltd'],
          ['Invoice number', 'INV-2024-77'],
          ['Invoice date', '2026-03-14'],
          head,
          ['Teapot', 2, 24, 48],
          ['Kettle', 1, 60, 60],
          ['', '', 'Total', 108],
        ],
      }),
  ],
] as const)('an invoice as %s is read into the schema, with evidence on its page', async (kind, make) => {
  const { id } = await service.upload(await make(), `invoice.${kind}`)
  const json = await service.execute({
    inputs: { file: { type: 'input_file', file_id: id } },
    config: { prompt: 'Extract the fields of this invoice', json_schema: schema },
  })
  expect([json.status, json.response]).toEqual(['completed', answer])
  expect(json.usage).toMatchObject({ elements_processed: 1, element_type: 'page' })
  expect(json.evidence['/invoice_number']).toMatchObject({ status: 'verified', page: 0, quote: 'INV-2024-77' })
})
