import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { Page } from '../media/document.ts'
import { textDocument } from '../media/testing/text-document.ts'
import { extract } from './extract.ts'
import { extracted as ask } from './testing/extracted.ts'

const invoice = `ACME Tools Ltd
12 High Street
London SW1A 1AA
VAT No: GB123456789

INVOICE

Invoice No: INV-2024-001
Date: 3 March 2024
Due date: 02/04/2024

Bill to:
Jane Roe Ltd
5 Low Road
Leeds LS1 4AB

Description          Qty   Unit price   Amount
Hammer                 2        10.00    20.00
Saw                    1        15.50    15.50

Subtotal                                 35.50
VAT 20%                                   7.10
Total GBP                                42.60
`

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }

const invoiceSchema: JsonSchema = {
  type: 'object',
  properties: {
    invoiceNumber: text,
    invoice_date: date,
    due_date: date,
    vendor: { type: 'object', properties: { name: text, address: text, vat_id: text } },
    customer: { type: 'object', properties: { name: text, address: text } },
    currency: text,
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    subtotal: number,
    tax_rate: number,
    tax: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    total: number,
    document_type: { enum: ['invoice', 'receipt', null] },
    delivery_date: date,
  },
  $defs: {
    item: {
      type: 'object',
      properties: { description: text, quantity: { type: 'integer' }, price: number, amount: number },
    },
  },
}

test('an invoice fills nested objects, a table, amounts, dates and an enum', () => {
  expect(ask(invoice, invoiceSchema).answer).toEqual({
    invoiceNumber: 'INV-2024-001',
    invoice_date: '2024-03-03',
    due_date: '2024-04-02',
    vendor: { name: 'ACME Tools Ltd', address: '12 High Street London SW1A 1AA', vat_id: 'GB123456789' },
    customer: { name: 'Jane Roe Ltd', address: '5 Low Road Leeds LS1 4AB' },
    currency: 'GBP',
    items: [
      { description: 'Hammer', quantity: 2, price: 10, amount: 20 },
      { description: 'Saw', quantity: 1, price: 15.5, amount: 15.5 },
    ],
    subtotal: 35.5,
    tax_rate: 20,
    tax: 7.1,
    total: 42.6,
    document_type: 'invoice',
    delivery_date: null,
  })
})

function* leavesOf(value: Json, pointer = ''): Generator<readonly [string, Json]> {
  if (isJsonObject(value)) for (const [key, child] of Object.entries(value)) yield* leavesOf(child, `${pointer}/${key}`)
  else if (Array.isArray(value))
    for (const [index, child] of value.entries()) yield* leavesOf(child, `${pointer}/${index}`)
  else yield [pointer, value]
}

test('every leaf has evidence, and quotes of plain text match their span', () => {
  const { answer, evidence } = ask(invoice, invoiceSchema)
  for (const [pointer, value] of leavesOf(answer)) {
    const proof = evidence[pointer]
    expect(proof, pointer).toBeDefined()
    if (value === null) expect(proof?.status, pointer).toBe('unsupported')
    else expect(proof?.status, pointer).not.toBe('unsupported')
    if (proof?.span === undefined || proof.quote === undefined) continue
    const squeezed = invoice.slice(...proof.span).replace(/\s+/g, ' ')
    expect(squeezed, pointer).toBe(proof.quote)
  }
  expect(evidence['/due_date']).toMatchObject({ status: 'normalised', input: 'file', page: 0, quote: '02/04/2024' })
})

test('the same request gives the same answer', () => {
  expect(ask(invoice, invoiceSchema)).toEqual(ask(invoice, invoiceSchema))
})

test('a field without support is null where allowed, omitted where optional, null where required', () => {
  const schema = {
    type: 'object',
    properties: { iban: text, email: { type: 'string' }, order_number: { type: 'string' } },
    required: ['order_number'],
  }
  const { answer, evidence } = ask(invoice, schema)
  expect(answer).toEqual({ iban: null, order_number: null })
  for (const pointer of ['/iban', '/email', '/order_number']) expect(evidence[pointer]?.status).toBe('unsupported')
})

test('a date with another meaning never fills in for a missing one', () => {
  const form = 'Name: Ann Lee\nDate of birth: 4 May 1980\nVisit: see below\n'
  expect(ask(form, { type: 'object', properties: { birth_date: date, collected_date: date } }).answer).toEqual({
    birth_date: '1980-05-04',
    collected_date: null,
  })
})

test('values under labels that no word list contains are found by the name of the field', () => {
  const form = 'Policy number     Ward       Blood type\nP-7731            North 4    AB\n'
  const schema = { type: 'object', properties: { policyNumber: text, ward: text, blood_type: text } }
  expect(ask(form, schema).answer).toEqual({ policyNumber: 'P-7731', ward: 'North 4', blood_type: 'AB' })
})

test('the total is the one that cash, change and the other sums confirm', () => {
  const till =
    'KWIK MART\n1 x Tea      4.00   4.00\nTotal incl. tax 4.02\nRounding -0.02\nTotal 4.00\nCash 10.00\nChange 6.00\n'
  const schema = { type: 'object', properties: { total: number, cash: number, change: number } }
  expect(ask(till, schema).answer).toEqual({ total: 4, cash: 10, change: 6 })
})

test('patterns and bounds of the schema exclude values that do not fit', () => {
  const schema = {
    type: 'object',
    properties: {
      invoice_number: { type: ['string', 'null'], pattern: '^\\d{8}$' },
      total: { type: ['number', 'null'], maximum: 10 },
    },
  }
  expect(ask(invoice, schema).answer).toEqual({ invoice_number: null, total: null })
})

test('plain values fill fields of the same name, and evidence names their slot', () => {
  const { answer, evidence } = extract({
    documents: [],
    values: { meta: { customer_number: 'K-1', total: 12 } },
    schema: { type: 'object', properties: { customer_number: text, total: number } },
  })
  expect(answer).toEqual({ customer_number: 'K-1', total: 12 })
  expect(evidence['/total']).toMatchObject({ input: 'meta', status: 'verified' })
})

test('without a schema the answer is text, tables and facts', () => {
  const { answer } = ask(invoice, null)
  expect(answer).toMatchObject({
    tables: [
      {
        page: 0,
        columns: ['Description', 'Qty', 'Unit price', 'Amount'],
        rows: [['Hammer', '2', '10.00', '20.00'], expect.anything()],
      },
    ],
    facts: { 'Invoice No': 'INV-2024-001' },
  })
})

const codeOf = (run: () => unknown): string | null => {
  try {
    run()
    return null
  } catch (error) {
    return error instanceof Fault ? error.code : 'other'
  }
}

test('an empty document needs a language model', () => {
  expect(codeOf(() => extract({ documents: [], values: {}, schema: null }))).toBe('needs_model')
})

test('empty pages, schemas without fields and recursive schemas are answered', () => {
  const empty: Page = { index: 0, width: 600, height: 800, source: 'ocr', words: [], turnedDegrees: 0 }
  const document = { mediaType: 'image/png', pageCount: 1, pages: [empty] }
  const run = (schema: JsonSchema): Json =>
    extract({ documents: [{ input: 'f', document }], values: {}, schema }).answer
  expect(run({ type: 'object', properties: { total: number } })).toEqual({ total: null })
  expect(run({})).toBeNull()
  const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } }
  expect(run({ $ref: '#/$defs/node', $defs: { node } })).toEqual({})
})

test('where no number shows its decimal mark, the language of the document tells what 1.287 is', () => {
  const schema = { type: 'object', properties: { vorige_meterstand: number, previous_reading: number } }
  const dutch = ask('Meterkaart voor het adres van uw woning\n\nVorige meterstand: 1.287 m3\n', schema)
  expect(dutch.answer).toMatchObject({ vorige_meterstand: 1287 })
  const english = ask('Meter card for the address of your home\n\nPrevious reading: 1.287 m3\n', schema)
  expect(english.answer).toMatchObject({ previous_reading: 1.287 })
  const shown = ask('Meterkaart voor het adres van uw woning\n\nVorige meterstand: 1.287 m3\nPrijs 12.50\n', schema)
  expect(shown.answer).toMatchObject({ vorige_meterstand: 1.287 })
})

test('the numbers of captions are no values and no part of the labels', () => {
  const schema = { type: 'object', properties: { imo_number: text, port_of_arrival: text, call_sign: text } }
  const form = `1.1 Name of ship      1.2 IMO number      1.3 Call sign
MV Sigrid Marie       9417385             OXKT2

2. Port of arrival    3. Date of arrival
Immingham             17 February 2026
`
  expect(ask(form, schema).answer).toEqual({ imo_number: '9417385', port_of_arrival: 'Immingham', call_sign: 'OXKT2' })
})

test('the amount at the end of a row is meant, not the rate behind its label', () => {
  const schema = { type: 'object', properties: { commission: number, insurance: number } }
  const { answer } = ask('Commission 3.00%        427.95\nInsurance 0.15%          21.40\n', schema)
  expect(answer).toEqual({ commission: 427.95, insurance: 21.4 })
})

test('facts that dots or further labels part from a value are no part of it', () => {
  const schema = { type: 'object', properties: { classe: text, report_number: text } }
  const { answer } = ask('Classe : 4 B – Effectif : 27\nReport number: V/4821 · Prot. 19077 · copy\n', schema)
  expect(answer).toEqual({ classe: '4 B', report_number: 'V/4821' })
})

test('a last row that adds up its columns is no row of the list, whatever it is called', () => {
  const row = { type: 'object', properties: { service: text, billed: number, paid: number } }
  const schema = { type: 'object', properties: { services: { type: 'array', items: row } } }
  const table = `Service           Billed     Paid
Office visit      285.10   123.60
X-ray knee        162.00    10.00
Knee brace        595.00   240.92
`
  const { answer } = ask(`${table}Claim            1042.10   374.52\n`, schema)
  expect(answer).toMatchObject({ services: [{ billed: 285.1 }, { billed: 162 }, { billed: 595, paid: 240.92 }] })
  expect((answer as { services: Json[] }).services).toHaveLength(3)
  const others = (rows: string): Json[] => (ask(rows, schema).answer as { services: Json[] }).services
  expect(others(`${table}Crutches         1042.10   374.53\n`)).toHaveLength(4)
  // Whole numbers may add up by chance.
  const whole =
    'Service           Billed     Paid\nReds              3          4\nBlues             5          6\nWhites            1          2\n'
  expect(others(`${whole}Greens            9          12\n`)).toHaveLength(4)
  expect(others(`${whole}Total             9          12\n`)).toHaveLength(3)
})

test('values of several inputs are warned of, since these may be separate documents', () => {
  const schema = { type: 'object', properties: { invoice_number: { type: 'string' }, iban: { type: 'string' } } }
  const warningsFor = (...texts: readonly string[]) =>
    extract({
      documents: texts.map((text, at) => ({ input: `files/${at}`, document: textDocument(text) })),
      values: {},
      schema,
    }).warnings?.filter(({ code }) => code === 'several_inputs')
  const [number, iban] = ['Invoice No: INV-2041', 'IBAN: DE89 3704 0044 0532 0130 00']
  expect(warningsFor(number, iban)).toMatchObject([{ message: expect.stringContaining('"files/0", "files/1"') }])
  expect(warningsFor(`${number}\n${iban}`, 'Thank you for your letter')).toEqual([])
  expect(warningsFor(`${number}\n${iban}`)).toEqual([])
})
