import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { EvidenceMap } from '../evidence/evidence.ts'
import { extracted } from '../extract/testing/extracted.ts'
import type { Page } from '../media/document.ts'

const fields: Readonly<Record<string, JsonObject>> = {
  total: { type: 'number' },
  subtotal: { type: 'number' },
  tax_amount: { type: 'number' },
  balance: { type: 'number' },
  vat_rate: { type: 'number' },
  weight: { type: 'number' },
  age: { type: 'integer' },
  currency: { type: 'string' },
  due_date: { type: 'string', format: 'date' },
  invoice_number: { type: 'string' },
  status: { enum: ['paid', 'open'] },
}

function ask(text: string, names: readonly string[], source: Page['source'] = 'plain') {
  const properties = Object.fromEntries(names.map((name) => [name, { anyOf: [fields[name] ?? {}, { type: 'null' }] }]))
  const schema = { type: 'object', properties, required: names }
  return extracted(text, schema, source) as {
    answer: Record<string, Json>
    evidence: EvidenceMap
  }
}

test.each([
  ['The total is 99 euros.', { total: 99, currency: 'EUR' }],
  ['The total is 99.00 euros and the tax is 19.00 euros.', { total: 99, tax_amount: 19, currency: 'EUR' }],
  [
    'The subtotal is 80 euros, the tax is 19 euros, and the total is 99 euros.',
    { subtotal: 80, tax_amount: 19, total: 99 },
  ],
  ['We bought 3 chairs. The total is 99.00 euros. Thanks for 2 good years.', { total: 99 }],
  [
    'Dear Bob,\nThe total is 99 euros and the due date is 5 May\n2026. Please pay.',
    { total: 99, due_date: '2026-05-05' },
  ],
  ['Your invoice number is 4711. The balance is 500.', { invoice_number: '4711', balance: 500 }],
  ['Der Gesamtbetrag beträgt 1.234,50 Euro.', { total: 1234.5, currency: 'EUR' }],
  ["Le total s'élève à 99 euros.", { total: 99, currency: 'EUR' }],
  ['Das Fälligkeitsdatum ist der 5. Mai 2026.', { due_date: '2026-05-05' }],
  ['The VAT rate is 19 %.', { vat_rate: 19 }],
  ['The VAT rate is 19 percent. The weight is 12 kg. His age is 42.', { vat_rate: 19, weight: 12, age: 42 }],
  ['The total is 99 euros. It is due on 5 May 2026.', { total: 99 }],
  ['The total is 99 euros. Your current total is 99.00 euros.', { total: 99 }],
  ['The subtotal is 1,234.50 euros. The total is 1,334 euros.', { subtotal: 1234.5, total: 1334 }],
])('a value that a sentence states is answered: "%s"', (text, answer) => {
  expect(ask(text, Object.keys(answer)).answer).toEqual(answer)
})

test.each([
  ['total', 'The total is not 99.00 euros.'],
  ['total', 'If the total is 99.00 euros, shipping is free.'],
  ['total', 'Last year the total was 89.00 euros. This year it is 99.00.'],
  ['total', 'The total was 99.00 euros, 5.00 more than last year.'],
  ['total', 'The total is 99 euros. The total is 89 euros.'],
  ['total', 'Total: 89\nThe total is 99 euros.'],
  ['total', 'The total is 99 euros?'],
  ['total', 'The total is 3 million dollars.'],
  ['total', 'The total is about 99 euros.'],
  ['total', 'The total is 1,234 euros.'],
  ['vat_rate', 'The VAT rate is not 19 %.'],
  ['total', 'The total is 99 days.'],
  ['subtotal', 'The subtotal is 80 euros and 50 cents.'],
  ['invoice_number', 'The invoice number is 5 digits long.'],
  ['weight', 'The weight is 12 million.'],
  ['status', 'The status is not paid.'],
  ['status', 'Status: no longer open'],
  ['status', 'Status: not fully paid'],
  ['status', 'Status: partly paid'],
  ['status', 'The status is to be paid.'],
  ['total', 'The total was 99 euros, but is now 89 euros.'],
  ['total', 'The total was 99 euros; it is 89 euros now.'],
  ['total', 'The total was 99 euros. It is 89 euros now.'],
  ['total', 'The total is 99 euros, and that is wrong.'],
  ['total', 'The total was 99 euros, your new total is 89 euros.'],
  ['balance', 'The balance was 500 euros. Today the balance is 300 euros.'],
  ['balance', 'The balance is 500 euros. The balance is 300 euros as of May.'],
  ['due_date', 'The due date was 5 May 2026. The due date is 9 May 2026.'],
  ['due_date', 'The due date is not 5 May 2026.'],
  ['total', 'The total is $1.5M.'],
  ['total', 'Total: 99k'],
  ['total', 'Total: .5'],
])('a sentence that states something else, or is ambiguous, gives %s no value: "%s"', (name, text) => {
  expect(ask(text, [name]).answer).toEqual({ [name]: null })
})

test('a value from a sentence has its position as evidence', () => {
  const { evidence } = ask('Thank you.\nThe total is 99 euros.', ['total', 'currency'])
  expect(evidence['/total']).toMatchObject({ status: 'verified', input: 'file', page: 0, quote: '99', span: [24, 26] })
  expect(evidence['/currency']).toMatchObject({ status: 'derived', quote: 'euros.' })
})

test('sentences of an OCR page are not used, as one misread letter may invert them', () => {
  expect(ask('The total is 99 euros.', ['total'], 'ocr').answer).toEqual({ total: null })
})
