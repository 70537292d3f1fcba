import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { Page } from '../media/document.ts'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { extract } from './extract.ts'
import { extracted, fieldsOf } from './testing/extracted.ts'

function ask(text: string, field: string, type: string, source: Page['source'] = 'plain'): Json {
  const schema = { type: 'object', properties: { [field]: { type: [type, 'null'] } }, required: [field] }
  return fieldsOf(text, schema, source)[field] ?? null
}

test.each([
  ['Total: 99', 'total', 'number', 99],
  ['Total 99', 'total', 'number', 99],
  ['Total: EUR 99', 'total', 'number', 99],
  ['Qty 3', 'quantity', 'integer', 3],
  ['Order 4711', 'order_number', 'string', '4711'],
  ['Order 7', 'order_number', 'string', '7'],
  ['Amount due: EUR 1200', 'amount_due', 'number', 1200],
  ['Amount due 1200', 'amount_due', 'number', 1200],
  ['Balance: 500', 'balance', 'number', 500],
  ['Customer: Bob', 'customer_name', 'string', 'Bob'],
  ['Vendor: acme tools', 'vendor_name', 'string', 'acme tools'],
  ['Payment terms: prepaid', 'payment_terms', 'string', 'prepaid'],
  ['Discount: 60\nTotal: 100', 'discount', 'number', 60],
  ['Total: 120.00 EUR (incl. 20.00 EUR tax)', 'total', 'number', 120],
  ['Total: 85.00 (was 99.00)', 'total', 'number', 85],
  ['Exchange rate: 1.0825', 'exchange_rate', 'number', 1.0825],
])('a value alone behind its label is answered however short it is: "%s"', (text, field, type, value) => {
  expect(ask(text, field, type)).toBe(value)
  expect(ask(text, field, type, 'text-layer')).toBe(value)
})

test.each([
  ['yes', true],
  ['☐ yes ☒ no', false],
  ['☒ no ☐ yes', false],
  ['yes ☒ no ☐', true],
  ['☒ no', false],
  ['yes / no', null],
  ['☐ yes ☐ no', null],
  ['☐ yes', null],
  ['n/a', null],
])('the ticked option of a yes/no form is the answer: "%s"', (text, value) => {
  expect(ask(`Is paid: ${text}`, 'is_paid', 'boolean')).toBe(value)
})

test.each([
  ['Total: 120.00\nAmount paid: 0.00', null],
  ['Total: 120.00\nAmount paid     0.00', null],
  ['Total: 120.00\nPaid: no', null],
  ['Total: 120.00\nAmounts paid late are subject to interest', null],
  ['Total: 120.00\nPAID', 'paid'],
  ['Total: 120.00\nPAID 05.05.2026', 'paid'],
  ['Total: 120.00\nPaid on 5 May 2026', 'paid'],
  ['Status: paid', 'paid'],
])('an enum word that names an amount or another field, or is only mentioned, is no answer: "%s"', (text, value) => {
  const schema = { type: 'object', properties: { status: { enum: ['paid', 'open', null] } }, required: ['status'] }
  expect(fieldsOf(text, schema)).toEqual({ status: value })
})

/** What is found in a text for fields with the names and schemas of `properties`. */
const answerTo = (text: string, properties: Record<string, JsonObject>) =>
  extracted(text, { type: 'object', properties }).answer

test('a choice that running text mentions is no answer, at the end of a sentence neither', () => {
  const text = `NON-DISCLOSURE AGREEMENT

The parties shall first try to settle each dispute between them that this agreement gives rise to by
arbitration in New York.

Confidential information stays with the party that disclosed it, also where one of its employees had a
copy of it.

Oral disclosures`
  const choice = (...words: string[]) => ({ enum: [...words, null] })
  const asked = {
    dispute_resolution: choice('arbitration', 'litigation'),
    version: choice('original', 'copy'),
    form: choice('written', 'oral'),
    level: choice('public', 'confidential'),
    document_type: choice('invoice', 'receipt', 'letter'),
  }
  expect(answerTo(text, asked)).toEqual(Object.fromEntries(Object.keys(asked).map((name) => [name, null])))
  const agreement_type = choice('mutual', 'unilateral')
  expect(answerTo(`MUTUAL AGREEMENT\n\n${text}`, { agreement_type })).toEqual({ agreement_type: 'mutual' })
  const titled = { document_type: choice('contract', 'invoice') }
  expect(answerTo(`Exhibit 10.3 as it was filed with the commission\nAGREEMENT\n\nThe parties meet.`, titled)).toEqual({
    document_type: 'contract',
  })
  expect(answerTo(`${text}\n\n\nCOPY`, { version: asked.version })).toEqual({ version: 'copy' })
})

test('a way to pay that is part of the name of something sold is none', () => {
  const payment_method = { enum: ['cash', 'card', 'transfer', null] }
  const bill = (line: string) =>
    `Service        Amount\nStorage         10.00\n\nSubtotal        10.00\n${line}\nTotal           12.00`
  expect(answerTo(bill('Web Data Transfer   2.00'), { payment_method })).toEqual({ payment_method: null })
  expect(answerTo(bill('Tax   2.00\nPaid by card'), { payment_method })).toEqual({ payment_method: 'card' })
})

test('letters of a currency are none in a text without money', () => {
  const currency = { type: ['string', 'null'] }
  expect(answerTo('Skills\nPHP\nSQL', { currency })).toEqual({ currency: null })
  expect(answerTo('Price in PHP\n120.50', { currency })).toEqual({ currency: 'PHP' })
})

test('a whole number behind a label is dropped when another one follows it, or on an OCR page', () => {
  expect(ask('Total: 99\nTotal: 85', 'total', 'number')).toBeNull()
  expect(ask('Total: 99', 'total', 'number', 'ocr')).toBeNull()
})

test("a company's phone number and a tax number are not document numbers, whatever their label is", () => {
  expect(ask('Invoice 01 55 50 43 06', 'invoice_number', 'string')).toBeNull()
  expect(ask('Invoice CHE-268.871.430', 'invoice_number', 'string')).toBeNull()
})

test('a recursive schema is answered once; deeper levels are null or omitted', () => {
  const properties = {
    total: { type: 'number' },
    child: { $ref: '#' },
    next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
  }
  const schema = { type: 'object', properties, required: ['total', 'next'] }
  expect(fieldsOf('Total: EUR 12.50', schema)).toEqual({ total: 12.5, next: null })
})

const pairs = [
  'Boat mark          Heron 3               Berth            14C',
  'Skipper            Ann Lee               Customer number  231 445',
  'Line of islands    North                 Joined on        2 May 2018',
].join('\n')
const list = 'First seen      14:07\nTime issued     14:19\n\nOffence code    30\nWarden          MW212'
const meters = [
  'Meter            Opening     Closing     Use',
  'Power (kWh)      10,412      12,005      1,593',
  'Gas              4,120       5,044       924',
].join('\n')

test.each([
  [pairs, 'boat_mark', 'string', 'Heron 3'],
  [pairs, 'skipper', 'string', 'Ann Lee'],
  [pairs, 'berth', 'string', '14C'],
  [list, 'time_issued', 'string', '14:19'],
  ['Boat: Heron    Customer number: 231-44', 'boat_name', 'string', 'Heron'],
  ['Boat: Heron of the North    Licence number: 231-44', 'licence_number', 'string', '231-44'],
])(
  'in rows of labels with their values beside them no label and no other value is an answer: %#',
  (text, field, type, value) => {
    expect(ask(text, field, type)).toBe(value)
  },
)

test.each([
  ['gas_use', 924],
  ['closing_power', 12_005],
  ['gas_closing', 5_044],
  ['opening_of_gas', 4_120],
])('a field that names a row and a column of a table is the figure where they meet: "%s"', (field, value) => {
  expect(ask(meters, field, 'number')).toBe(value)
})

test.each([
  ['base_salary', 2100],
  ['meal_allowance', 132],
  ['pension', 112.2],
])('a row of a table that bears the name of a field gives its only figure: "%s"', (field, value) => {
  const payslip = [
    'Description                  Quantity     Amount       Deductions',
    'Base salary                               2,100.00',
    'Meal allowance (22 days)                  132.00',
    'Pension                                                112.20',
  ].join('\n')
  expect(ask(payslip, field, 'number')).toBe(value)
})

test('a row with several figures does not say which of them a field is', () => {
  const items = [
    'Description     Quantity     Price     Amount',
    'Heron boat      2            40.00     80.00',
    'Oars            4            5.00      20.00',
  ].join('\n')
  expect(ask(items, 'oars', 'number')).toBe(null)
})

test.each([
  ['VAT 20%          49.49', 'vat', 'number', 49.49],
  ['VAT number: GB123456789', 'vat', 'string', 'GB123456789'],
])('a number named vat is an amount, a text the number of a tax payer: "%s"', (text, field, type, value) => {
  expect(ask(text, field, type)).toBe(value)
})

test.each([
  ['keel_painted', true],
  ['oars_included', false],
  ['sails_washed', true],
])('a box belongs to the label behind it where a line has several: "%s"', (field, value) => {
  expect(ask('☑ Keel painted     ☐ Oars included     ☑ Sails washed', field, 'boolean')).toBe(value)
})

test('a figure that two rows name equally is in none of them', () => {
  const twice = `${meters}\nGas              5,300       6,100       800`
  expect(ask(twice, 'gas_use', 'number')).toBe(null)
})

test('small captions are of the values above them, where only some are known', async () => {
  const pdf = await madePdf((page) => {
    page
      .fontSize(12)
      .text('Ann Lee', 60, 100, { lineBreak: false })
      .text('14 Pier Road', 300, 100, { lineBreak: false })
    page
      .fontSize(8)
      .text('skipper', 60, 116, { lineBreak: false })
      .text('where she lives', 300, 116, { lineBreak: false })
  })
  const schema = { type: 'object', properties: { skipper: { type: 'string' } } }
  const document = await readDocument({ bytes: pdf })
  const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
  expect(answer).toEqual({ skipper: 'Ann Lee' })
})

test('beside a small caption with its value below, another caption is no value', async () => {
  const pdf = await madePdf((page) => {
    page.fontSize(8).text('Plate', 60, 100, { lineBreak: false }).text('Usage', 300, 100, { lineBreak: false })
    page.fontSize(12).text('NXK 448', 60, 111, { lineBreak: false }).text('private', 300, 111, { lineBreak: false })
  })
  const schema = { type: 'object', properties: { plate: { type: 'string' } } }
  const document = await readDocument({ bytes: pdf })
  const { answer } = extract({ documents: [{ input: 'file', document }], values: {}, schema })
  expect(answer).toEqual({ plate: 'NXK 448' })
})

test('the ends of the only period are those that two fields ask for, by any words for begin and end', () => {
  const text = 'Rekening van 22 januari 2026\n\nPeriode: 01-01-2025 t/m 31-12-2025\nBetaald op 3 maart 2025'
  const day = { type: 'string', format: 'date' }
  const answer = answerTo(text, { periode_begin: day, periode_einde: day })
  expect(answer).toEqual({ periode_begin: '2025-01-01', periode_einde: '2025-12-31' })
})

test('the date at the head of a letter is its date, whatever dates it mentions', () => {
  const letter = (head: string) =>
    `Harbour office\n\n${head}\n\nWe met on 5 March 2026.\nYour berth is free from 3 May 2027 to 9 June 2027.\nPay by 12 May 2027.`
  expect(ask(letter('August 4, 2026'), 'letter_date', 'string')).toBe('2026-08-04')
  expect(ask(letter('Köln, den 14. März 2026'), 'document_date', 'string')).toBe('2026-03-14')
})

const rulesOf = (text: string, properties: JsonObject): Record<string, Json> =>
  fieldsOf(text, { type: 'object', properties }, 'text-layer')

test.each([
  ['Kiosk 120447183KA – boarder – second language Spanish', '120447183KA'],
  ['Kiosk 4.118.207-3 / North', '4.118.207-3'],
  ['Kiosk Les Tilleuls', 'Les Tilleuls'],
  ['KIOSK OF FRIENDS OF THE RIVER', 'KIOSK OF FRIENDS OF THE RIVER'],
  ['KIOSK OF RECORD AS OF 12/31/2024', null],
  ['Signed – Kiosk NOT RESPONSIBLE', null],
  ['Kiosk No.', null],
])(
  'behind a label without a colon its code or its name is the value, not words that go on from it: "%s"',
  (text, value) => {
    expect(rulesOf(text, { kiosk: { type: 'string' } })['kiosk'] ?? null).toBe(value)
  },
)

test('of two fields that mean the same, the one with the words of the label has its value', () => {
  const fields = { fecha_ingreso: { type: 'string', format: 'date' }, fecha_alta: { type: 'string', format: 'date' } }
  expect(rulesOf('Fecha de ingreso: 03/02/2026\nFecha de alta: 09/02/2026', fields)).toEqual({
    fecha_ingreso: '2026-02-03',
    fecha_alta: '2026-02-09',
  })
})

test('a unit in the name of a field need not be in its label, and is no label alone', () => {
  const fields = { ferritina_mg_dl: { type: 'number' }, franchise_eur: { type: 'number' } }
  expect(rulesOf('Glucosio   108   mg/dL   70 – 99\nFranchise : 120 €', fields)).toEqual({
    franchise_eur: 120,
  })
})

test('a code behind the amount tells which dollars or pesos the sign means', () => {
  expect(
    rulesOf('Amount: $ 18,450.00 MXN\nFee: $ 5.00\nBalance: $ 6,207.33', { currency: { type: 'string' } }),
  ).toEqual({
    currency: 'MXN',
  })
})

test('a number in the measure that a field alone names is its value, without a label, and one in another measure is not', () => {
  const number = { type: 'number' }
  const page = 'Werk II\nNetto   25.260 kg   = 25,26 t\nFlat on the second floor, 38 m² with a balcony'
  expect(rulesOf(page, { netto_t: number, surface_m2: number })).toEqual({ netto_t: 25.26, surface_m2: 38 })
  expect(rulesOf(`${page}, cellar 4 m²`, { surface_m2: number })).toEqual({})
})

test('running text names a number by the word before it, and a day by what was done then', () => {
  const text = { type: 'string' }
  const day = { type: 'string', format: 'date' }
  const letter = [
    'Nous certifions que Mademoiselle Carré, née le 19/05/2003, est garantie par le contrat n° HAB-77-0391542 de ce jour,',
    'suivant la facture n° VM-26-0931 du 12/05/2026 que vous trouverez dans les annexes de la présente attestation.',
  ].join('\n')
  expect(rulesOf(letter, { numero_contrat: text, date_naissance: day, date_facture: day })).toEqual({
    numero_contrat: 'HAB-77-0391542',
    date_naissance: '2003-05-19',
    date_facture: '2026-05-12',
  })
})

test('a word for a name or a place is a label, and no value of the label beside it', () => {
  const fields = { rivenditore: { type: 'string' } }
  expect(rulesOf('Elettro Snc     Parma\nrivenditore     città', fields)['rivenditore'] ?? null).not.toBe('città')
})
