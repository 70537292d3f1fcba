import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonObject, type Json, type JsonSchema } from '../packages/core/src/json.ts'
import { extract } from '../packages/reader/src/extract/extract.ts'
import { readDocument } from '../packages/reader/src/media/read-document.ts'
import { invoiceTexts, type SumField, sumFields } from './support/invoice-texts.ts'

const amount = { type: ['number', 'null'] }
const schemaOf = (fields: readonly SumField[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, amount])),
})

/** A field of the answer in the truth's unit, cents where it is money. */
const inUnits = (field: SumField, value: Json): number | null =>
  typeof value === 'number' ? (field === 'tax_rate' ? value : Math.round(value * 100)) : null

/** A discount may be printed with either sign. */
const isRight = (field: SumField, got: number, truth: number | null): boolean =>
  field === 'discount' ? Math.abs(got) === Math.abs(truth ?? 0) : got === truth

test.each([
  ['all sums', sumFields],
  ['sums that no receipt is asked for', sumFields.filter((field) => field !== 'rounding')],
] as const)(
  'of 500 invoices as text in seven languages, asked for %s, at most 1 % of the amounts are missed and 0.1 % mistaken',
  async (_, fields) => {
    const count = { right: 0, missed: 0, wrong: 0 }
    for (const { text, truth } of fc.sample(invoiceTexts, { seed: 2026, numRuns: 500 })) {
      const document = await readDocument({ text })
      const { answer } = extract({
        documents: [{ input: 'text', document }],
        values: {},
        schema: schemaOf(fields),
      })
      for (const field of fields) {
        const got = inUnits(field, isJsonObject(answer) ? (answer[field] ?? null) : null)
        if (got === null && truth[field] === null) continue
        if (got === null) count.missed += 1
        else if (isRight(field, got, truth[field])) count.right += 1
        else count.wrong += 1
      }
    }
    const all = count.right + count.missed + count.wrong
    expect(count.wrong / all).toBeLessThan(0.001)
    expect(count.missed / all).toBeLessThan(0.01)
  },
)

const word = { type: ['string', 'null'] }
const columns = ['description', 'quantity', 'unit_price', 'amount'] as const
const item = {
  type: 'object',
  properties: { description: word, quantity: amount, unit_price: amount, amount },
}

test('in the tables of 500 generated invoices at most 2 % of the cells are missing and 0.2 % wrong', async () => {
  const count = { right: 0, missed: 0, wrong: 0 }
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(sumFields.map((field) => [field, amount])),
      items: { type: 'array', items: item },
    },
  }
  for (const { text, items } of fc.sample(invoiceTexts, { seed: 2026, numRuns: 500 })) {
    if (items === null) continue
    const document = await readDocument({ text })
    const { answer } = extract({ documents: [{ input: 'text', document }], values: {}, schema })
    const rows = isJsonObject(answer) && Array.isArray(answer['items']) ? answer['items'] : []
    for (let at = 0; at < Math.max(rows.length, items.length); at++) {
      const row = rows[at] ?? {}
      for (const name of columns) {
        const got = isJsonObject(row) ? (row[name] ?? null) : null
        const truth = items[at]?.[name] ?? null
        if (got === null && truth === null) continue
        if (got === null) count.missed += 1
        else if (String(got) === String(truth)) count.right += 1
        else count.wrong += 1
      }
    }
  }
  const all = count.right + count.missed + count.wrong
  expect(all).toBeGreaterThan(2_000)
  expect(count.wrong / all).toBeLessThan(0.002)
  expect(count.missed / all).toBeLessThan(0.02)
})
