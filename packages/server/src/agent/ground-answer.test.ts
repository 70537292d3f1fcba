import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { packDocument } from '@skillrun/reader/media/packed-document.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { describe, expect, test } from 'vitest'
import groundAnswer from './ground-answer.job.ts'
import { jsonIn } from './schema/json-in.ts'

const text = `Northwind Paper Ltd.
Invoice No: INV-2041
Invoice Date: 14 March 2026
Due Date: 13/04/2026, 9:30 am
Customer: Müller & Söhne GmbH
Ink cartridge   2   1,234.50   2,469.00
Subtotal: 2,469.00
VAT 20%: 493.80
Total: EUR 2,962.80
Payment within thirty days by transfer to the account named below, else a late fee is due.`
const { packed } = packDocument(await readDocument({ text }))
const signed = packDocument(await readDocument({ text: 'Fee: 12.50\nCorrection -12.50' })).packed
const ground = (answer: Json, schema: JsonSchema | null = null, values: Record<string, Json> = {}) =>
  groundAnswer({ documents: [{ input: 'letter', packed }], values, json: JSON.stringify(answer), schema })
const statusOf = (value: Json, name = 'value') => ground({ [name]: value }).evidence[`/${name}`]

describe('the evidence of a model’s answer', () => {
  test.each([
    ['INV-2041', 'verified', 'INV-2041'],
    ['Northwind Paper Ltd.', 'verified', 'Northwind Paper Ltd.'],
    ['NORTHWIND PAPER LTD', 'normalised', 'Northwind Paper Ltd.'],
    ['Muller & Sohne GmbH', 'normalised', 'Müller & Söhne GmbH'],
    ['2026-03-14', 'normalised', '14 March 2026'],
    ['2026-04-13', 'normalised', '13/04/2026'],
    [2962.8, 'normalised', '2,962.80'],
    [2, 'verified', '2'],
    ['EUR', 'verified', 'EUR'],
  ])('%s is %s by %s', (value, status, quote) => {
    const evidence = statusOf(value)
    expect(evidence).toMatchObject({ status, input: 'letter', page: 0 })
    expect(evidence?.quote).toContain(quote)
    expect(evidence?.bbox?.every((part) => part >= 0 && part <= 1)).toBe(true)
    const [start = 0, end = 0] = evidence?.span ?? []
    expect(text.slice(start, end)).toContain(quote.split(' ')[0])
  })

  test.each(['INV-2042', 'INV-204', '2026-03-15', 2962.81, 962.8, 41, 'Southwind', 'N/A', 'unknown', 'John Doe', '…?'])(
    '%s stands nowhere and is unsupported',
    (value) => {
      expect(statusOf(value)).toMatchObject({ status: 'unsupported', confidence: 0 })
      expect(ground({ value, total: 2962.8 })).toMatchObject({ valued: 2, unsupported: ['/value'] })
    },
  )

  test.each([
    ['The total is EUR 2,962.80', 'derived'],
    ['The total is EUR 9,999.99 in crypto currency', 'unsupported'],
    ['Ink cartridge', 'verified'],
  ])('a text answer, %s, is %s as a whole', (text, status) => {
    expect(ground(text).evidence['']?.status).toBe(status)
  })

  test('a number with the other sign is derived, and one with its own sign is preferred', () => {
    expect(statusOf(-2962.8, 'total')).toMatchObject({ status: 'derived', quote: '2,962.80', confidence: 0.5 })
    expect(statusOf('-493.80')).toMatchObject({ status: 'derived', note: 'The inputs show it with the opposite sign.' })
    const both = {
      documents: [{ input: 'x', packed: signed }],
      values: {},
      json: JSON.stringify({ fee: -12.5 }),
      schema: null,
    }
    expect(groundAnswer(both).evidence['/fee']).toMatchObject({ status: 'normalised', quote: '-12.50' })
  })

  test.each([
    ['2026-03-14T00:00:00Z', 'normalised'],
    ['2026-03-14T23:59:59Z', 'unsupported'],
    ['2026-03-14 paid in cash', 'unsupported'],
    ['2026-04-13T09:30:00Z', 'normalised'],
  ])('%s is %s: only stated parts of a date count', (value, status) => {
    expect(statusOf(value)?.status).toBe(status)
  })

  test.each([
    ['29628.0', 'unsupported'],
    ['296280', 'unsupported'],
    ['EUR 296,280', 'unsupported'],
    ['2962.80', 'normalised'],
    ['EUR 2,962.80', 'verified'],
    ['EUR 2962.80', 'normalised'],
    ['13042026', 'normalised'],
  ])('the text %s is %s: its digits alone are not the amount', (value, status) => {
    expect(statusOf(value)?.status).toBe(status)
  })

  test("of several places, the one next to the field's name is used", () => {
    const subtotal = statusOf(2469, 'subtotal')
    const [start = 0] = subtotal?.span ?? []
    expect(text.slice(start - 10, start)).toContain('Subtotal')
  })

  test.each([
    [
      'The letter says "Payment within sixty days by transfer" and names the account below, else a late fee is due',
      false,
    ],
    [
      'The letter says “Payment within thirty days … a late fee is due” and names an account below for the transfer',
      true,
    ],
    ['The letter wants „Total: EUR 9,962.80“ by transfer to the account named below, else a late fee is due', false],
    ['The letter calls for «Payment within thirty days», by transfer to the "named" account, else a fee is due', true],
    ['It says "Total: EUR 1"', false],
  ])(
    '%s: a false quotation in what a model writes is caught, a true one is not taken for one: %s',
    (summary, holds) => {
      const found = statusOf(summary, 'summary')
      expect(found?.status).toBe(holds ? 'derived' : 'unsupported')
      if (!holds) expect(found?.note).toContain('quotes text that is not in the inputs: "')
    },
  )

  test('choices and flags are judgements; nulls are neither supported nor counted', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { kind: { enum: ['invoice', 'memo'] }, paid: { type: 'boolean' } },
    }
    const { evidence, valued, unsupported } = ground({ kind: 'memo', paid: true, note: null }, schema)
    expect(evidence).toMatchObject({
      '/kind': { status: 'derived' },
      '/paid': { status: 'derived' },
      '/note': { status: 'unsupported' },
    })
    expect([valued, unsupported]).toEqual([2, []])
    expect(ground({ kind: 'invoice' }, schema).evidence['/kind']?.status).toBe('normalised')
  })

  test('a longer generated text is compared with the words of the inputs', () => {
    const summary =
      'Northwind Paper invoices Müller for an ink cartridge; payment is due within thirty days by transfer.'
    expect(statusOf(summary)?.status).toBe('derived')
    const invented = 'The quarterly earnings of the company exceeded all expectations of analysts across every region.'
    expect(statusOf(invented)?.status).toBe('unsupported')
  })

  test('plain values of slots are evidence', () => {
    expect(ground({ id: 'K-9' }, null, { order: { id: 'K-9' } }).evidence['/id']).toMatchObject({
      status: 'verified',
      input: 'order',
    })
  })

  test('leaves at any depth have their pointers', () => {
    const { evidence } = ground({ lines: [{ 'a/b': 'Ink cartridge' }, { 'a/b': 'Glue' }] })
    expect(evidence['/lines/0/a~1b']?.status).toBe('verified')
    expect(evidence['/lines/1/a~1b']?.status).toBe('unsupported')
  })
})

test('an empty answer has no leaves', () => {
  expect(ground(jsonIn('{}') ?? null)).toEqual({
    evidence: {},
    valued: 0,
    unsupported: [],
    unsupportedCount: 0,
    warnings: [],
    expected: {},
  })
})
