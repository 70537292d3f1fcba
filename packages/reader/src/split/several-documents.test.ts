import { expect, test } from 'vitest'
import { madePdf } from '../media/testing/made.ts'
import { read } from '../reader.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const items = { type: 'array', items: { type: 'object', properties: { description: text, amount: number } } }
const schema = { type: 'object', properties: { invoice_number: text, invoice_date: date, total: number, items } }

type Row = readonly string[]
const columns = [60, 300, 380, 470]
const tableHead = ['Description', 'Quantity', 'Unit price', 'Amount']
const head = (title: string): Row[] => [['Harbour Joinery Ltd'], ['12 Mill Lane, Ashford'], [], [title]]
const item = (name: string, price: number): Row => [name, '2', price.toFixed(2), (2 * price).toFixed(2)]

function bill(number: string, day: string, ...prices: readonly number[]): Row[] {
  const sum = prices.reduce((all, price) => all + 2 * price, 0)
  return [
    ...head('Invoice'),
    [`Invoice number: ${number}`],
    [`Invoice date: ${day}`],
    [],
    tableHead,
    ...prices.map((price, at) => item(`Oak board ${'abcdef'[at] ?? ''}`, price)),
    [],
    ['', '', 'Total', `EUR ${sum.toFixed(2)}`],
  ]
}

const letter: Row[] = [
  ...head('Your invoices'),
  ['Date: 30 April 2026'],
  [],
  ['Dear Ms Falk,'],
  ['please find our invoices enclosed. Thank you for your orders.'],
  ['Yours sincerely,'],
  ['A. Harbour'],
]

const pdf = (pages: readonly (readonly Row[])[]): Promise<Buffer> =>
  madePdf(
    (document) => {
      for (const rows of pages) {
        document.addPage().font('Helvetica')
        for (const [at, cells] of rows.entries())
          for (const [n, cell] of cells.entries())
            document
              .fontSize(at === 3 && cells.length === 1 ? 18 : 10)
              .text(cell, columns[n] ?? 60, 50 + at * 22, { lineBreak: false })
      }
    },
    { autoFirstPage: false },
  )

const first = bill('R-1001', '3 March 2026', 20, 35.5)
const second = bill('R-1002', '9 March 2026', 99, 12, 40)
const third = bill('R-1003', '21 March 2026', 7.25)
const ofFirst = {
  invoice_number: 'R-1001',
  invoice_date: '2026-03-03',
  total: 111,
  items: [
    { description: 'Oak board a', amount: 40 },
    { description: 'Oak board b', amount: 71 },
  ],
}

async function answered(pages: readonly (readonly Row[])[], asked: Parameters<typeof read>[1]['schema'] = schema) {
  const { response, evidence, warnings } = await read(await pdf(pages), { schema: asked })
  const used = [...new Set(Object.values(evidence).flatMap(({ page = [] }) => page))].toSorted()
  return { response, used, warnings: warnings.filter(({ code }) => code === 'several_documents') }
}

test('of several invoices in a file the first is answered, single values and lists, and a warning names the others', async () => {
  expect(await answered([first, second, third])).toEqual({
    response: ofFirst,
    used: [0],
    warnings: [
      {
        code: 'several_documents',
        path: '',
        message:
          'The file "document" seems to hold several documents. The values are those of page 1 alone, and page 2 and page 3 would give others. To read each document, ask for a list with "x-documents": true, or split the file with document.split',
      },
    ],
  })
})

test('a letter in front of several invoices is not the document that is asked for', async () => {
  const { response, used, warnings } = await answered([letter, first, second])
  expect([response, used]).toEqual([ofFirst, [1]])
  expect(warnings[0]?.message).toContain('those of page 2 alone, and page 3 would give others')
})

test('pages that state nothing otherwise belong to the document before them', async () => {
  const hours: Row[] = [...head('Annex: record of hours'), ['Invoice number: R-1001'], ['Hours in all', '43.50']]
  const terms: Row[] = [...head('General terms and conditions'), ['1. Goods remain our property until they are paid.']]
  const note: Row[] = [...head('Delivery note'), ['Delivery note number: L-77'], ['Invoice number: R-1001']]
  for (const annex of [hours, terms, note])
    expect(await answered([first, annex])).toMatchObject({ response: ofFirst, warnings: [] })
  const { used, warnings } = await answered([first, note, second])
  expect(warnings[0]?.message).toContain('those of pages 1 to 2 alone, and page 3 would give others')
  expect(used).not.toContain(2)
})

test('a list of the documents in a file is answered without a warning', async () => {
  const documents = { type: 'array', 'x-documents': true, items: schema }
  const { response, warnings } = await answered([first, second], { type: 'object', properties: { documents } })
  expect(response).toMatchObject({ documents: [{ total: 111 }, { total: 302 }] })
  expect(warnings).toEqual([])
})
