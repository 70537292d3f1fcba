import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isJsonObject, type Json, type JsonSchema } from '../packages/core/src/json.ts'
import { extract } from '../packages/reader/src/extract/extract.ts'
import { readDocument } from '../packages/reader/src/media/read-document.ts'
import { openTestService, type TestService } from './support/service.ts'

const amount = { type: ['number', 'null'] }
const schema: JsonSchema = {
  type: 'object',
  properties: { subtotal: amount, tax_rate: amount, tax: amount, total: amount },
}

describe('over HTTP', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const responseTo = async (input: unknown, json_schema: JsonSchema = schema) => {
    return (
      await service.execute({ inputs: { document: input }, config: { prompt: 'Extract the fields', json_schema } })
    ).response
  }
  const uploaded = async (text: string, filename: string) => ({
    type: 'input_file',
    file_id: (await service.upload(Buffer.from(text), filename)).id,
  })

  test.each([
    ['VAT: EUR 2,199.12\nTotal: EUR 12,671.12', { tax: 2199.12, total: 12671.12 }],
    ['Subtotal: $1,131.00\nTax: $2,217.39\nTotal: $13,048.34', { subtotal: 1131, tax: 2217.39, total: 13048.34 }],
    ['MwSt: 217,39 EUR\nGesamtbetrag: 1.348,39 EUR', { tax_rate: null, tax: 217.39, total: 1348.39 }],
  ])('amounts with commas are read verbatim from a text and from a text file: %j', async (text, amounts) => {
    expect(await responseTo(text)).toMatchObject(amounts)
    expect(await responseTo(await uploaded(text, 'invoice.txt'))).toMatchObject(amounts)
    expect(await responseTo(await uploaded(text, 'invoice.csv'))).toMatchObject(amounts)
  })

  const cell = { type: ['string', 'number', 'null'] }
  const items = { type: 'object', properties: { quantity: cell, price: cell } }
  const list: JsonSchema = { type: 'object', properties: { items: { type: 'array', items } } }

  test('the file name decides whether its lines are a table or text, even when the bytes are the same', async () => {
    const lines = 'Item,Quantity,Price\nHammer,2,150.50\nSaw,3,250.25\n'
    const rows = {
      items: [
        expect.objectContaining({ quantity: 2, price: 150.5 }),
        expect.objectContaining({ quantity: 3, price: 250.25 }),
      ],
    }
    expect(await responseTo(await uploaded(lines, 'items.csv'), list)).toEqual(rows)
    expect(await responseTo(await uploaded(lines, 'items.txt'), list)).not.toEqual(rows)
    expect(await responseTo(`data:text/csv,${encodeURIComponent(lines)}`, list)).toEqual(rows)
    expect(await responseTo(`data:text/plain,${encodeURIComponent(lines)}`, list)).not.toEqual(rows)
  })
})

/** An amount in cents in the formats of several countries, none with a space after commas. */
const styles: readonly ((cents: number) => string)[] = [
  (cents) => printed(cents, ',', '.'),
  (cents) => printed(cents, '.', ','),
  (cents) => printed(cents, ' ', ','),
  (cents) => printed(cents, "'", ','),
  (cents) => printed(cents, '', ','),
]
const currencies: readonly ((amount: string) => string)[] = [
  (number) => `EUR ${number}`,
  (number) => `$${number}`,
  (number) => `${number} €`,
  (number) => `${number} EUR`,
  (number) => `£ ${number}`,
  (number) => number,
]
const labels = {
  subtotal: ['Subtotal', 'Net amount', 'Zwischensumme', 'Sous-total'],
  tax: ['VAT', 'Tax', 'MwSt', 'TVA'],
  total: ['Total', 'Gesamtbetrag', 'Total TTC', 'Invoice total'],
} as const

function printed(cents: number, thousands: string, decimal: string): string {
  const units = String(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, thousands)
  return `${units}${decimal}${String(cents % 100).padStart(2, '0')}`
}

const madeInvoice = fc
  .record({
    subtotal: fc.integer({ min: 100, max: 900_000_000 }),
    rate: fc.constantFrom(5, 7, 10, 19, 20, 21),
    style: fc.constantFrom(...styles),
    currency: fc.constantFrom(...currencies),
    colon: fc.constantFrom(': ', ':', ' ', '\t'),
    head: fc.constantFrom([], ['Kestrel Coffee,London'], ['Invoice,17', ''], ['Smith & Sons,Leeds', 'Invoice No 17,A']),
    wording: fc.nat({ max: 3 }),
    newline: fc.constantFrom('\n', '\r\n'),
    isQuoted: fc.boolean(),
  })
  .map(({ subtotal, rate, style, currency, colon, head, wording, newline, isQuoted }) => {
    const tax = Math.round((subtotal * rate) / 100)
    const cents = { subtotal, tax, total: subtotal + tax }
    const lines = Object.entries(cents).map(([key, value]) => {
      const label = labels[key as keyof typeof cents][wording]
      return `${isQuoted ? `"${label}"` : label}${colon}${currency(style(value))}`
    })
    return { text: [...head, ...lines].join(newline), cents }
  })

describe('generated invoices as text', () => {
  test('are read word for word: no comma within an amount ends a field', async () => {
    await fc.assert(
      fc.asyncProperty(madeInvoice, async ({ text }) => {
        const { mediaType, pages } = await readDocument({ text })
        expect(mediaType).not.toBe('text/csv')
        // Tabs also make a table of text, and quotes of its fields are removed.
        const bare = (words: readonly string[]) => words.map((word) => word.replaceAll('"', ''))
        expect(bare(pages[0]?.words.map((word) => word.text) ?? [])).toEqual(bare(text.split(/\s+/)))
      }),
      { numRuns: 5_000 },
    )
  })

  test('give no amount with status verified that differs from the printed one', async () => {
    let told = 0
    await fc.assert(
      fc.asyncProperty(madeInvoice, async ({ text, cents }) => {
        const document = await readDocument({ text })
        const { answer, evidence } = extract({
          documents: [{ input: 'text', document }],
          values: {},
          schema,
        })
        const wrong = Object.entries(cents).filter(([key, value]) => {
          const found: Json = isJsonObject(answer) ? (answer[key] ?? null) : null
          if (found === null || evidence[`/${key}`]?.status === 'unsupported') return false
          told += 1
          return found !== value / 100
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: 200 },
    )
    // The check is meaningful only if enough values were returned.
    expect(told).toBeGreaterThan(200)
  })
})
