import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { checkRowProducts, dropEnds, dropSums } from './list-checks.ts'

const text = { type: 'string' }
const number = { type: 'number' }

function listOf(name: string, properties: Record<string, Json>) {
  const schema = { type: 'object', properties: { [name]: { type: 'array', items: { type: 'object', properties } } } }
  const [list] = listFields(planSchema(schema)).lists
  if (list === undefined) throw new TypeError('no list')
  return list
}
const items = listOf('line_items', { description: text, quantity: number, unit_price: number, amount: number })
const movements = listOf('transactions', { date: text, description: text, amount: number, balance: number })

const rowOf = (cells: Record<string, Json>): Map<string, Finding> =>
  new Map(
    Object.entries(cells).map(([name, value]) => [
      `/${name}`,
      { value, evidence: { status: 'verified', confidence: 0.9 } },
    ]),
  )
const kept = (rows: readonly Map<string, Finding>[], name: string) => rows.map((row) => row.get(`/${name}`)?.value)

test('printed figures of a row that does not add up stay, with less confidence; a common discount or tax may explain the difference', () => {
  const rows = [
    rowOf({ quantity: 2, unit_price: 10, amount: 18 }),
    rowOf({ quantity: 5, unit_price: 500, amount: 137.75 }),
    rowOf({ quantity: 3, unit_price: 10, amount: 27 }),
  ]
  const odd = checkRowProducts(items, rows)
  expect(kept(rows, 'quantity')).toEqual([2, 5, 3])
  expect(kept(rows, 'unit_price')).toEqual([10, 500, 10])
  expect(rows.map((row) => row.get('/quantity')?.evidence.confidence)).toEqual([0.9, 0.6, 0.9])
  expect(odd).toEqual([
    { row: rows[1], message: 'Quantity 5 times unit price 500 is 2500, but the amount of the row is 137.75.' },
  ])
  const taxed = [rowOf({ quantity: 1, unit_price: 10, amount: 12 }), rowOf({ quantity: 2, unit_price: 20, amount: 48 })]
  expect(checkRowProducts(items, taxed)).toEqual([])
})

test('quantity and price of an OCR row that cannot add up are withdrawn, as one of them was misread', () => {
  const rows = [rowOf({ quantity: 5, unit_price: 500, amount: 137.75 })]
  for (const row of rows) for (const [pointer, finding] of row) row.set(pointer, { ...finding, ocrConfidence: 0.95 })
  expect(checkRowProducts(items, rows)).toHaveLength(1)
  expect(kept(rows, 'quantity')).toEqual([undefined])
  expect(kept(rows, 'amount')).toEqual([137.75])
})

test('a row with the tax or the delivery cost of the document is not an item', () => {
  const rows = [
    rowOf({ description: 'Desk lamp', amount: 20 }),
    rowOf({ description: 'Postage', amount: 4.9 }),
    rowOf({ description: 'VAT 20%', quantity: 20, amount: 4 }),
  ]
  dropSums(items, rows, (id) => (id === 'shipping' ? 4.9 : null))
  expect(kept(rows, 'description')).toEqual(['Desk lamp'])
})

test('a tax paid from an account and a cash withdrawal are movements; a balance carried forward is not', () => {
  const rows = [rowOf({ description: 'Tax', amount: -5 }), rowOf({ description: 'Cash', amount: -20 })]
  rows.push(rowOf({ description: 'Closing balance', amount: 75 }))
  dropSums(movements, rows, () => null)
  expect(kept(rows, 'description')).toEqual(['Tax', 'Cash'])
})

test('a quantity that was read from the price is withdrawn, and the price stays', () => {
  const rows = [rowOf({ quantity: 14, unit_price: 14, amount: 14 }), rowOf({ quantity: 2, unit_price: 5, amount: 10 })]
  expect(checkRowProducts(items, rows)).toEqual([])
  expect(kept(rows, 'quantity')).toEqual([undefined, 2])
  expect(kept(rows, 'unit_price')).toEqual([14, 5])
})

test('the opening and closing balances of an account are not movements', () => {
  const rows = [100, -20, -30, 50].map((amount) => rowOf({ description: 'x', amount }))
  dropEnds(movements, rows, (id) => (id === 'opening_balance' ? 100 : id === 'closing_balance' ? 50 : null))
  expect(kept(rows, 'amount')).toEqual([-20, -30])
})
