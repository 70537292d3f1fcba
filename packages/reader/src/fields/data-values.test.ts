import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EvidenceMap } from '../evidence/evidence.ts'
import { extract } from '../extract/extract.ts'
import { readDocument } from '../media/read-document.ts'
import { madeExcel } from '../media/testing/made-office.ts'
import { read } from '../reader.ts'

const nullable = (type: string) => ({ type: [type, 'null'] })
const schemaOf = (value: Json): { [key: string]: Json } =>
  Array.isArray(value)
    ? { type: 'array', items: schemaOf(value[0] ?? '') }
    : isJsonObject(value)
      ? {
          type: 'object',
          properties: Object.fromEntries(Object.entries(value).map(([k, v]) => [k, schemaOf(v ?? '')])),
        }
      : nullable(typeof value)

const answerTo = async (document: Json, schema: { [key: string]: Json }): Promise<Json> =>
  (await read({ text: JSON.stringify(document) }, { schema, fileName: 'document.json' })).response

const names =
  'name price qty model discount tax total city note code paid count seller_city order_no unit weight'.split(' ')
const text = fc
  .tuple(fc.constantFrom('Oak', 'KX-12', 'Maple & Sons', '17', 'No', 'Ünal'), fc.constantFrom('', ' River', ' 4/B'))
  .map((parts) => parts.join(''))
const value = fc.oneof(
  text,
  fc.integer({ min: -90_000, max: 90_000 }).map((cents) => cents / 100),
  fc.boolean(),
)
const object = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 2, maxKeys: 6 })
/** Items with the same names and types. */
const items = object.chain((first) =>
  fc
    .array(
      fc.record(
        Object.fromEntries(
          Object.entries(first).map(([key, one]) => [
            key,
            typeof one === 'string' ? text : typeof one === 'number' ? fc.integer({ min: 0, max: 999 }) : fc.boolean(),
          ]),
        ),
      ),
      { maxLength: 5 },
    )
    .map((others): Json => [first, ...others] as Json),
)
const document = fc
  .record({
    root: object,
    buyer: object,
    seller: object,
    lines: items,
    tags: fc.array(text, { minLength: 1, maxLength: 4 }),
  })
  .map(({ root, ...rest }): Json => ({ ...root, ...rest }) as Json)

test('a JSON document gives each value of a schema with its names, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (one) => {
      expect(await answerTo(one, schemaOf(one))).toEqual(one)
    }),
    { numRuns: 100 },
  )
})

describe('a JSON document', () => {
  const both = { type: 'object', properties: { name: nullable('string'), city: nullable('string') } }

  test('with null gives null, and looks for no other value', async () => {
    const { response, evidence } = await read(
      { text: '{"name": null, "city": "Bonn", "supplier": {"name": "Acme"}}' },
      { schema: both, fileName: 'a.json' },
    )
    expect(response).toEqual({ name: null, city: 'Bonn' })
    expect(evidence['/name']).toEqual({ status: 'unsupported', confidence: 0, reason: 'The data has null here.' })
    expect(evidence['/city']).toMatchObject({ status: 'verified', span: [24, 28], quote: 'Bonn', confidence: 1 })
  })

  test('says what it has instead of a value that the schema allows', async () => {
    const { response, evidence } = await read(
      { text: '{"paid": "perhaps", "city": "Bonn"}' },
      { schema: { type: 'object', properties: { paid: nullable('boolean'), city: nullable('string') } } },
    )
    expect(response).toEqual({ paid: null, city: 'Bonn' })
    expect(evidence['/paid']?.reason).toBe('The data has "perhaps" here, which is no value of this field.')
  })

  test('has its record inside other objects, and numbers as JSON writes them', async () => {
    const wrapped = { meta: { version: 3 }, data: { record: { unitPrice: 1.348, itemCount: 1e3, name: 'Oak' } } }
    const properties = { unit_price: nullable('number'), item_count: nullable('integer'), name: nullable('string') }
    expect(await answerTo(wrapped, { type: 'object', properties })).toEqual({
      unit_price: 1.348,
      item_count: 1000,
      name: 'Oak',
    })
  })

  test('with several records has a row each for a list by any name, with numbers as they are', async () => {
    const records = {
      meta: [{ page: 1 }],
      data: [
        { name: 'A 1', discount: -1.348 },
        { name: 'B 2', discount: -2 },
      ],
    }
    const people = { type: 'array', items: schemaOf(records.data[0] ?? {}) }
    expect(await answerTo(records, { type: 'object', properties: { people } })).toEqual({ people: records.data })
  })

  const certain = (evidence: EvidenceMap) => Object.keys(evidence).filter((key) => evidence[key]?.confidence === 1)

  test.each([
    [
      'in one of several records',
      {
        data: [
          { name: 'A 1', city: 'Rome' },
          { name: 'B 2', city: 'Kiel' },
        ],
      },
    ],
    ['in one of two objects', { from: { name: 'A 1', city: 'Rome' }, to: { name: 'B 2', city: 'Kiel' } }],
    ['alone in an object of another name', { buyer: { name: 'A 1' } }],
  ])('does not say for certain what a value is %s', async (_, one) => {
    const { evidence } = await read({ text: JSON.stringify(one) }, { schema: both, fileName: 'a.json' })
    expect(certain(evidence)).toEqual([])
  })

  test('is one of two that have a value: neither is certain', async () => {
    const documents = await Promise.all(
      ['Rome', 'Kiel'].map(async (city) => ({
        input: city,
        document: await readDocument({ text: JSON.stringify({ name: 'A 1', city }) }),
      })),
    )
    expect(certain(extract({ documents, values: {}, schema: both }).evidence)).toEqual([])
    expect(certain(extract({ documents: documents.slice(1), values: {}, schema: both }).evidence)).toHaveLength(2)
  })

  test('with nothing but an array of one item has its row', async () => {
    const one = { lines: [{ name: 'A 1', discount: -1.348 }] }
    expect(await answerTo(one, schemaOf(one))).toEqual(one)
  })

  test('gives a member with exactly the name of a field before one with the same words', async () => {
    const document = { invoice_number: 'B2', invoiceNumber: 'A1', 'a b': 'x', 'a/b': 'y', A_B: 'z', total: 5 }
    const schema = {
      type: 'object',
      properties: schemaOf({ invoice_number: '', 'a b': '', 'a/b': '', total: 0 }).properties,
    }
    const answer = { invoice_number: 'B2', 'a b': 'x', 'a/b': 'y', total: 5 }
    expect(await answerTo(document, schema as { [key: string]: Json })).toEqual(answer)
    const named = { type: 'object', properties: { InvoiceNumber: nullable('string'), total: nullable('number') } }
    const { evidence } = await read({ text: JSON.stringify(document) }, { schema: named, fileName: 'document.json' })
    expect(evidence['/InvoiceNumber']?.confidence).toBeLessThan(1)
  })

  test('has all digits of a number as a text, and marks a number that JSON cannot give', async () => {
    const text = '{"id": 12345678901234567890, "count": 9007199254740993, "small": 12}'
    const properties = { id: nullable('string'), count: nullable('integer'), small: nullable('integer') }
    const { response, evidence } = await read({ text }, { schema: { type: 'object', properties }, fileName: 'a.json' })
    expect(response).toEqual({ id: '12345678901234567890', count: 9007199254740992, small: 12 })
    expect(evidence['/count']?.note).toBe('The number has more digits than a JSON number can give.')
    expect(evidence['/small']?.note).toBeUndefined()
  })

  test('has a row for an item that holds nothing', async () => {
    const schema = schemaOf({ rows: [{ a: 1, b: 'x' }] })
    const rows = [{ a: 1, b: 'x' }, {}, null, { a: 2, b: 'y' }]
    const empty = { a: null, b: null }
    expect(await answerTo({ rows }, schema)).toEqual({ rows: [rows[0], empty, empty, rows[3]] })
  })

  test('may begin with a byte order mark', async () => {
    const schema = schemaOf({ a: 1, b: 'x' })
    const { response } = await read({ text: '\ufeff{"a":1,"b":"x"}' }, { schema, fileName: 'a.json' })
    expect(response).toEqual({ a: 1, b: 'x' })
  })

  test('has the last member of a name, as JSON readers do', async () => {
    const { response } = await read({ text: '{"name": "A", "city": "Rome", "name": "B"}' }, { schema: both })
    expect(response).toEqual({ name: 'B', city: 'Rome' })
  })
})

test.each([
  ['No', false],
  ['Yes', true],
  ['false', false],
])('%s beside a label answers it, though it is a label elsewhere', async (answer, wanted) => {
  const rows = [
    ['Member', answer],
    ['City', 'Bonn'],
    ['Invoice No', 'A 17'],
  ] as const
  const text = `<table>${rows.map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`).join('')}</table>`
  const schema = { type: 'object', properties: { member: nullable('boolean'), invoice_no: nullable('string') } }
  const { response } = await read({ text }, { schema, fileName: 'form.html' })
  expect(response).toEqual({ member: wanted, invoice_no: 'A 17' })
})

test('a heading beside another is no answer where the answers are below', async () => {
  const schema = { type: 'object', properties: { insured: nullable('boolean') } }
  const { response } = await read({ text: 'Insured    No\nyes        A17\n' }, { schema, fileName: 'form.txt' })
  expect(response).toEqual({ insured: true })
})

describe('a table with a single row', () => {
  const schema = schemaOf({ qty: 1, model: '', paid: true, unit_price: 1, city: '', date_of_birth: '' })
  const answer = { qty: 284, model: 'Cedar Copper', paid: false, unit_price: 1, city: 'Bonn', date_of_birth: null }
  const lines = ['Qty;Model;Paid;Unit price;City;Contact', '284;Cedar Copper;no;1.00;Bonn;Ada']

  test.each([
    ['', lines],
    [' below a title', ['Orders of 2026', ...lines]],
  ])('gives the fields that its headings name%s', async (_, of) => {
    const { response } = await read({ text: `${of.join('\n')}\n` }, { schema, fileName: 'order.csv' })
    expect(response).toEqual(answer)
  })

  test('of a workbook does too', async () => {
    const workbook = await madeExcel({
      Orders: [
        ['Qty', 'Model', 'Paid', 'Unit price', 'City'],
        [284, 'Cedar Copper', 'no', 1, 'Bonn'],
      ],
    })
    expect((await read(workbook, { schema })).response).toEqual(answer)
  })

  test('is none where the first of two lines is a name and its value', async () => {
    const { response } = await read({ text: 'City,Bonn\nOwner,Ada\n' }, { schema, fileName: 'order.csv' })
    expect(response).toMatchObject({ city: 'Bonn' })
  })

  test('with the same heading twice says nothing for certain', async () => {
    const text = 'City;Model;City\nBonn;KX;Rome\n'
    const { evidence } = await read({ text }, { schema, fileName: 'order.csv' })
    expect(Object.values(evidence).filter(({ confidence }) => confidence === 1)).toEqual([])
  })
})
