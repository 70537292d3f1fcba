import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import { textDocument } from '../media/testing/text-document.ts'
import { riskOf } from '../score/risk.ts'

const date = { type: ['string', 'null'], format: 'date' }
const single = { type: 'object', properties: { invoice_date: date } }
const read = (text: string, schema: object = single, rate?: number | null) =>
  extract({
    documents: [{ input: 'file', document: textDocument(text) }],
    values: {},
    schema: schema as never,
    risk: riskOf(rate),
  })

const ambiguous = 'Invoice 5\nDate: 03/04/2026\nTotal: 99.00'

test.each([undefined, null])('a date that may be another day is marked and names it (rate %s)', (rate) => {
  const { answer, evidence, unsure, warnings } = read(ambiguous, single, rate)
  expect(answer).toEqual({ invoice_date: '2026-04-03' })
  expect(evidence['/invoice_date']?.confidence).toBeLessThanOrEqual(0.5)
  expect(evidence['/invoice_date']?.note).toContain('"03/04/2026" is 2026-04-03 or 2026-03-04')
  expect(unsure).toEqual(['/invoice_date'])
  expect(warnings?.map(({ code, path }) => [code, path])).toEqual([['ambiguous_date', '/invoice_date']])
})

test('where a share of wrong values is promised, both days are candidates', () => {
  const { answer, evidence } = read(ambiguous, single, 0.05)
  expect(answer).toEqual({ invoice_date: null })
  expect(evidence['/invoice_date']?.candidates?.map(({ value }) => value)).toEqual(['2026-04-03', '2026-03-04'])
})

test('a date that the schema requires stays, marked', () => {
  const schema = {
    type: 'object',
    properties: { invoice_date: { type: 'string', format: 'date' } },
    required: ['invoice_date'],
  }
  const { answer, unsure } = read(ambiguous, schema, 0.05)
  expect(answer).toEqual({ invoice_date: '2026-04-03' })
  expect(unsure).toEqual(['/invoice_date'])
})

test.each([
  ['another date of the document', 'Invoice 5\nDate: 03/04/2026\nDelivered: 03/28/2026\nTotal: 99.00', '2026-03-04'],
  ['an American address', 'Acme Inc, 1 Main St, New York, NY 10001\nInvoice 5\nDate: 03/04/2026', '2026-03-04'],
  ['a currency', 'Invoice 5\nDate: 03/04/2026\nTotal: £99.00', '2026-04-03'],
  ['points', 'Invoice 5\nDate: 03.04.2026\nTotal: 99.00', '2026-04-03'],
  ['equal numbers', 'Invoice 5\nDate: 04/04/2026\nTotal: 99.00', '2026-04-04'],
  ['the year in front', 'Invoice 5\nDate: 2026/04/03\nTotal: 99.00', '2026-04-03'],
])('a date is not doubted where its order is shown by %s', (_by, text, value) => {
  const { answer, warnings } = read(text)
  expect(answer).toEqual({ invoice_date: value })
  expect(warnings?.filter(({ code }) => code === 'ambiguous_date')).toEqual([])
})

test('all such dates of a column are marked, with one warning', () => {
  const items = { type: 'object', properties: { date, description: { type: 'string' }, amount: { type: 'number' } } }
  const text = [
    'Date          Description          Amount',
    '03/04/2026    Oars of ash           80.00',
    '05/06/2026    Rope, ten metres      12.50',
    '07/08/2026    Anchor                30.00',
  ].join('\n')
  const { answer, unsure, warnings } = read(text, {
    type: 'object',
    properties: { transactions: { type: 'array', items } },
  })
  expect(answer).toMatchObject({
    transactions: [{ date: '2026-04-03' }, { date: '2026-06-05' }, { date: '2026-08-07' }],
  })
  expect(unsure).toEqual(expect.arrayContaining([0, 1, 2].map((at) => `/transactions/${at}/date`)))
  expect(warnings?.filter(({ code }) => code === 'ambiguous_date')).toHaveLength(1)
})

test.each([
  ['Invoice date, written MM/DD/YYYY', '2026-03-04'],
  ['Invoice date (DD/MM/YYYY)', '2026-04-03'],
  ['Rechnungsdatum, TT/MM/JJJJ', '2026-04-03'],
  ['Invoice date, month first', '2026-03-04'],
  ['Invoice date, for example 12/31/2025', '2026-03-04'],
])('the order that a description states decides: %s', (description, value) => {
  const invoice_date = { ...date, description }
  const { answer, evidence, unsure, warnings } = read(ambiguous, { type: 'object', properties: { invoice_date } }, 0.05)
  expect(answer).toEqual({ invoice_date: value })
  expect(evidence['/invoice_date']?.note).toContain('as the description of the field says')
  expect([unsure, warnings]).toEqual([[], []])
})

test.each(['Invoice date as YYYY-MM-DD', 'Invoice date; return it as MM/DD/YYYY', 'MM/DD/YYYY or DD/MM/YYYY'])(
  'a description that does not say how the date is written decides nothing: %s',
  (description) => {
    const { warnings } = read(ambiguous, { type: 'object', properties: { invoice_date: { ...date, description } } })
    expect(warnings?.map(({ code }) => code)).toEqual(['ambiguous_date'])
  },
)

test('the order that the description of a column states decides', () => {
  const items = {
    type: 'object',
    properties: {
      date: { ...date, description: 'MM/DD/YYYY' },
      description: { type: 'string' },
      amount: { type: 'number' },
    },
  }
  const text =
    'Date          Description          Amount\n03/04/2026    Oars of ash           80.00\n05/06/2026    Rope, ten metres      12.50'
  const { answer, warnings } = read(text, { type: 'object', properties: { transactions: { type: 'array', items } } })
  expect(answer).toMatchObject({ transactions: [{ date: '2026-03-04' }, { date: '2026-05-06' }] })
  expect(warnings?.filter(({ code }) => code === 'ambiguous_date')).toEqual([])
})
