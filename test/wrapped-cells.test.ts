import { expect, test } from 'vitest'
import { makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const item = { type: 'object', properties: { sku: text, description: text, quantity: number, amount: number } }
const json_schema = { type: 'object', properties: { items: { type: 'array', items: item } } }

const lines = [
  'SKU        Description                Qty   Amount',
  'BL-LNS-    Lens cleaning kit            2   172.40',
  '050',
  'BL-SAW-1   Saw                          1    15.50',
  'BL-NAIL-   Nail box, high-              3    12.00',
  '003        strength steel',
]
const items = [
  { sku: 'BL-LNS-050', description: 'Lens cleaning kit', quantity: 2, amount: 172.4 },
  { sku: 'BL-SAW-1', description: 'Saw', quantity: 1, amount: 15.5 },
  { sku: 'BL-NAIL-003', description: 'Nail box, high-strength steel', quantity: 3, amount: 12 },
]

const pdf = () => makePdf([lines], { font: 'Courier' } as PDFKit.PDFDocumentOptions)
const inputs: readonly [string, () => Promise<unknown>][] = [
  ['a text', async () => lines.join('\n')],
  ['a PDF', async () => ({ type: 'input_file', file_id: (await service.upload(await pdf(), 'order.pdf')).id })],
]

test.each(inputs)(
  '%s: what a cell wraps at a hyphen is joined without a space and called derived',
  async (_, input) => {
    const body = {
      inputs: { document: await input() },
      config: { prompt: 'Extract the items', json_schema },
    }
    const json = await service.execute(body)
    expect(json).toMatchObject({ status: 'completed', response: { items } })
    const joined = { status: 'derived', note: 'Joined from two lines, the first of which ends in a hyphen.' }
    expect(json.evidence).toMatchObject({
      '/items/0/sku': { ...joined, quote: 'BL-LNS- 050' },
      '/items/1/sku': { status: 'verified', quote: 'BL-SAW-1' },
      '/items/2/sku': { ...joined, quote: 'BL-NAIL- 003' },
      '/items/2/description': joined,
    })
  },
)
