import { expect, test } from 'vitest'
import { makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const item = {
  type: 'object',
  properties: { description: text, quantity: number, unit_price: number, amount: number },
}
const json_schema = { type: 'object', properties: { items: { type: 'array', items: item }, total: number } }

const lines = [
  'Invoice 17',
  'Description          Qty   Unit price     Amount',
  'Hammer                 2        86.20   3,448.00',
  'Saw                    1        15.50      15.50',
  'Nail box               3         4.00      12.00',
  'Total                                   3,475.50',
]
const rows = [
  { description: 'Hammer', quantity: 2, unit_price: 86.2, amount: 3448 },
  { description: 'Saw', quantity: 1, unit_price: 15.5, amount: 15.5 },
  { description: 'Nail box', quantity: 3, unit_price: 4, amount: 12 },
]

const pdf = () => makePdf([lines], { font: 'Courier' } as PDFKit.PDFDocumentOptions)
const inputs: readonly [string, () => Promise<unknown>][] = [
  ['a text', async () => lines.join('\n')],
  ['a PDF', async () => ({ type: 'input_file', file_id: (await service.upload(await pdf(), 'invoice.pdf')).id })],
]

test.each(inputs)('%s: a row that does not add up is returned as printed, with a warning', async (_, input) => {
  const body = {
    inputs: { document: await input() },
    config: { prompt: 'Extract the items', json_schema },
  }
  const json = await service.execute(body)
  expect(json).toMatchObject({ status: 'completed', response: { items: rows, total: 3475.5 } })
  expect(json.warnings).toEqual([
    {
      code: 'row_does_not_add_up',
      path: '/items/0',
      message: 'Quantity 2 times unit price 86.2 is 172.4, but the amount of the row is 3448.',
    },
  ])
  expect(json.evidence['/items/0/quantity']).toMatchObject({ status: 'verified', quote: '2', confidence: 0.6 })
})
