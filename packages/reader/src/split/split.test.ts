import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import type { ReadDocument } from '../media/document.ts'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { splitDocument } from './split-document.ts'

const bill = (number: string, total: string) => [
  'Harbour Trading Ltd',
  'Invoice',
  `Invoice number: ${number}`,
  'Invoice date: 14 March 2025',
  'Description   Quantity   Amount',
  `Work on site   1   ${total}`,
  `Total: EUR ${total}`,
]
const longLetter = [
  ['Linden Housing Ltd', 'Lift and stairs', 'Date: 3 May 2025', 'Dear tenant,', 'the stairs will be painted'],
  ['Lift and stairs, continued', 'and the lift is checked in the same week.', 'Yours faithfully,', 'A. Linden'],
]

const drawn = (pages: readonly (readonly string[])[]): Promise<Buffer> =>
  madePdf(
    (document) => {
      for (const [at, lines] of pages.entries()) {
        document.addPage().font('Helvetica')
        lines.forEach((line, index) => {
          document
            .fontSize(at > 0 && line === 'Invoice' ? 18 : 11)
            .text(line, 60, 60 + index * 24, { lineBreak: false })
        })
      }
    },
    { autoFirstPage: false },
  )
const read = async (pages: readonly (readonly string[])[]): Promise<ReadDocument> =>
  readDocument({ bytes: await drawn(pages) })
const ranges = (document: ReadDocument, kinds?: readonly string[]) =>
  splitDocument(document, kinds).map(({ first, last, kind }) => [first, last, kind?.kind ?? null])

test('a packet is split where documents begin, blank pages belong to none, and kinds are in the words of the caller', async () => {
  const packet = await read([bill('A-1001', '120.00'), [], ...longLetter, bill('A-1002', '75.50')])
  expect(ranges(packet, ['Rechnung', 'Brief'])).toEqual([
    [0, 0, 'Rechnung'],
    [2, 3, 'Brief'],
    [4, 4, 'Rechnung'],
  ])
})

test('page numbers that begin anew start a document, even with the same letterhead', async () => {
  const page = (number: number, of: number, figures: string) => [
    'Corvus Clinic',
    `Statement of treatment ${figures}`,
    `Record ${figures}`,
    `Page ${number} of ${of}`,
  ]
  const packet = await read([
    page(1, 2, '4417'),
    page(2, 2, '4417'),
    page(1, 3, '9023'),
    page(2, 3, '9023'),
    page(3, 3, '9023'),
  ])
  expect(ranges(packet).map(([first, last]) => [first, last])).toEqual([
    [0, 1],
    [2, 4],
  ])
})

test('a single page is one document, a kind that does not fit is null, and pages without text are none', async () => {
  expect(ranges(await read([bill('A-7', '1.00')]), ['passport'])).toEqual([[0, 0, null]])
  expect(
    ranges({
      mediaType: 'application/pdf',
      pageCount: 1,
      pages: [{ ...((await read([['x']])).pages[0] as ReadDocument['pages'][0]), words: [] }],
    }),
  ).toEqual([])
})

test('a schema with an annotated list is answered with a document per item, read from its own pages', async () => {
  const document = await read([bill('A-1001', '120.00'), ...longLetter, bill('A-1002', '75.50')])
  const text = { type: ['string', 'null'] }
  const schema = {
    type: 'object',
    properties: {
      documents: {
        type: 'array',
        'x-documents': true,
        items: {
          type: 'object',
          properties: {
            kind: { enum: ['invoice', 'letter', null] },
            first_page: { type: 'integer' },
            last_page: { type: 'integer' },
            pages: { type: 'array', items: { type: 'integer' } },
            invoice_number: text,
            total: { $ref: '#/$defs/amount' },
          },
          required: ['kind', 'first_page', 'last_page', 'pages', 'invoice_number', 'total'],
        },
      },
    },
    $defs: { amount: { type: ['number', 'null'] } },
  }
  const { answer, evidence } = extract({ documents: [{ input: 'packet', document }], values: {}, schema })
  expect(answer).toEqual({
    documents: [
      { kind: 'invoice', first_page: 1, last_page: 1, pages: [1], invoice_number: 'A-1001', total: 120 },
      { kind: 'letter', first_page: 2, last_page: 3, pages: [2, 3], invoice_number: null, total: null },
      { kind: 'invoice', first_page: 4, last_page: 4, pages: [4], invoice_number: 'A-1002', total: 75.5 },
    ],
  })
  expect(evidence['/documents/2/total']).toMatchObject({ page: 3, input: 'packet' })
  expect(evidence['/documents/2/kind']).toMatchObject({ page: 3, quote: 'Invoice', status: 'derived' })
  expect(evidence['/documents/1/total']).toMatchObject({ status: 'unsupported' })
})
