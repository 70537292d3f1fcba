import { describe, expect, test } from 'vitest'
import { explainInstruction } from './instruction.ts'
import { carriedOut, needingField, needingModel, smallTalk } from './testing/instructions.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
/** A large schema: the more names it has, the more text could be accepted by mistake. */
const invoice = {
  type: 'object',
  properties: {
    invoice_number: text,
    invoice_date: text,
    due_date: text,
    vendor: { type: 'object', properties: { name: text, address: text, vat_id: text } },
    customer: { type: 'object', properties: { name: text, address: text } },
    line_items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: text, quantity: number, unit_price: number, amount: number },
      },
    },
    currency: text,
    subtotal: number,
    tax: number,
    tax_rate: number,
    total: number,
    iban: text,
  },
}
const kinds = {
  type: 'object',
  properties: { document_type: { type: 'string', enum: ['invoice', 'receipt', 'contract'] }, total: number },
}

const explain = (instruction: string, schema: object | null = invoice) =>
  explainInstruction(instruction, { schema: schema as never, inputs: ['file'] })

const refusedBy = (schema: object | null) => (instruction: string) => !explain(instruction, schema).accepted

describe('work that rules cannot do is refused, whatever the schema names', () => {
  const all = Object.values(needingModel).flat()

  test('there are at least two hundred instructions in five languages, each once', () => {
    expect(Object.keys(needingModel)).toEqual(['en', 'de', 'fr', 'es', 'it'])
    expect(all.length).toBeGreaterThanOrEqual(200)
    expect(new Set(all).size).toBe(all.length)
  })

  test.each([
    ['a schema', invoice],
    ['a schema of choices', kinds],
    ['no schema', null],
  ])('with %s', (_name, schema) => {
    expect(all.filter((instruction) => !refusedBy(schema)(instruction))).toEqual([])
  })

  test('a request is refused as a whole when only part of it can be done', () => {
    const whole = needingModel.en.map((instruction) => `Extract the invoice. ${instruction}`)
    expect(whole.filter((instruction) => !refusedBy(invoice)(instruction))).toEqual([])
    const joined = needingModel.en.map((instruction) => `Extract the invoice and ${instruction}`)
    expect(joined.filter((instruction) => !refusedBy(invoice)(instruction))).toEqual([])
  })

  test('the refusal quotes the part that is not understood', () => {
    expect(explain('Extract the invoice and translate the descriptions')).toEqual({
      accepted: false,
      because: 'translate',
    })
    expect(explain('Total the amounts')).toEqual({ accepted: false, because: 'Total the amounts' })
  })
})

describe('requests that only ask for reading are accepted', () => {
  test.each([...carriedOut.withSchema, ...carriedOut.withInvoice])('%s', (instruction) => {
    expect(explain(instruction)).toMatchObject({ accepted: true })
  })

  test.each(carriedOut.withChoices)('%s', (instruction) => {
    expect(explain(instruction, kinds)).toMatchObject({ accepted: true })
    expect(explain(instruction, null)).toMatchObject({ accepted: false })
  })

  test.each(carriedOut.withoutSchema)('%s, without a schema', (instruction) => {
    expect(explain(instruction, null)).toMatchObject({ accepted: true, named: [] })
  })

  test('without a schema, requested data is returned by name', () => {
    expect(explain('Extract the total and the due date', null)).toEqual({
      accepted: true,
      named: ['total', 'due date'],
      tablesOnly: false,
    })
  })
})

test('a qualifier that the schema does not name is not accounted for', () => {
  const small = {
    type: 'object',
    properties: { total: number, invoice_number: text, invoice_date: { ...text, format: 'date' } },
  }
  for (const accepted of ['Extract the total', 'Extract the invoice number and total', 'Process this invoice'])
    expect([accepted, explain(accepted, small)]).toMatchObject([accepted, { accepted: true }])
  const accepted = needingField.filter((instruction) => explain(instruction, small).accepted)
  expect(accepted).toEqual([])
  expect(explain('Extract the net total')).toMatchObject({ accepted: true })
  expect(
    explain('Extract the lab results', { type: 'object', properties: { results: { type: 'array' } } }),
  ).toMatchObject({
    accepted: true,
  })
})

test.each([invoice, null])('a greeting is no request, and is accepted with one', (schema) => {
  for (const greeting of smallTalk) {
    expect(explain(greeting, schema)).toMatchObject({ accepted: false })
    expect(explain(`${greeting}. Extract the invoice.`, schema)).toMatchObject({ accepted: true })
  }
})

test('without a schema, a request for tables alone says so', () => {
  expect(explain('Extract the tables', null)).toMatchObject({ accepted: true, tablesOnly: true })
  expect(explain('Extract the text and the tables', null)).toMatchObject({ tablesOnly: false })
})

test('a schema accounts for its own names, and for no other work', () => {
  const schema = {
    type: 'object',
    properties: { starts: { type: 'array', items: { type: 'object', properties: { swimmer: text, lane: number } } } },
  }
  expect(explain('Extract the lane of each swimmer', schema)).toMatchObject({ accepted: true })
  expect(explain('Extract the lane of each swimmer')).toMatchObject({ accepted: false })
  const asWork = { type: 'object', properties: { translate: text, sort: text, round: number, total: number } }
  for (const instruction of [
    'Translate the text',
    'Sort the line items',
    'Round the total',
    'Extract the items and sort them',
  ])
    expect(explain(instruction, asWork)).toMatchObject({ accepted: false })
})

test('the time to judge a text grows linearly with its length', () => {
  expect(explain('Extract the total. '.repeat(20_000))).toMatchObject({ accepted: false })
  expect(explain('extract '.repeat(4_000))).toMatchObject({ accepted: false })
  expect(explain(`Extract ${'['.repeat(30_000)}`)).toMatchObject({ accepted: true })
})
