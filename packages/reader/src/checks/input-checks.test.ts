import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { extract } from '../extract/extract.ts'
import type { NamedDocument } from '../extract/extraction.ts'
import { declaredByName } from '../media/declared-text.ts'
import { readDocument } from '../media/read-document.ts'
import { eInvoice, madeCii } from '../media/testing/made-e-invoice.ts'
import { riskOf } from '../score/risk.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }

async function named(input: string, content: string): Promise<NamedDocument> {
  const declared = declaredByName(input)
  const bytes = Buffer.from(content)
  return { input, document: await readDocument({ bytes, ...(declared && { declared }) }) }
}

const xml = await named('invoice.xml', madeCii(eInvoice))
const other = await named('other.txt', 'INVOICE\n\nInvoice No: HS-5501\nDate: 5 March 2026\nTotal GBP 51.60\n')
const letter = await named('letter.txt', 'Dear Sir,\nthank you for your letter of 3 March 2026.\n')
const order = await named(
  'order.txt',
  'PURCHASE ORDER\nItem code  Description   Qty  Unit price  Amount\nHX-1       Hex bolt       10        0.50    5.00\nHX-2       Hex nut        10        0.20    2.00\n',
)

const extracted = (documents: readonly NamedDocument[], properties: Record<string, Json>) =>
  extract({ documents, values: {}, schema: { type: 'object', properties }, risk: riskOf(undefined) })

test('inputs that state the values otherwise are warned of where another input gives them, and a letter beside is not', () => {
  const warningsFor = (...documents: NamedDocument[]) =>
    extracted(documents, { invoice_number: text, invoice_date: date, total: number }).warnings?.map(
      ({ code, message }) => `${code}: ${message}`,
    )
  expect(warningsFor(xml, other)).toEqual([
    'several_inputs: The values come from the input "invoice.xml", not from "other.txt", where most of them are others. If these are separate documents, execute each by itself, or all in a batch',
  ])
  expect(warningsFor(xml, letter)).toEqual([])
  expect(warningsFor(other, letter)).toEqual([])
})

test('rows of pages beside an electronic invoice are doubted as those of pages alone are', () => {
  const invoices = {
    type: 'array',
    items: { type: 'object', properties: { invoice_number: text, date, total: number } },
  }
  const alone = extracted([order], { invoices })
  expect(alone.unsure).toContain('/invoices/0/invoice_number')
  const beside = extracted([xml, order], { invoices })
  expect(beside.answer).toEqual(alone.answer)
  expect(beside.unsure).toEqual(alone.unsure)
  expect(beside.evidence).toEqual(alone.evidence)
})
