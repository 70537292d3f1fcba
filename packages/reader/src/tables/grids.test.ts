import type { JsonSchema } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { fieldsOf as ask } from '../extract/testing/extracted.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const items: JsonSchema = {
  type: 'object',
  properties: {
    line_items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: text, quantity: number, unit_price: number, amount: number },
      },
    },
    tax: number,
    total: number,
  },
}

test('account rows are read from columns under unknown headings, with signs from the balances', () => {
  const statement: JsonSchema = {
    type: 'object',
    properties: {
      transactions: {
        type: 'array',
        items: { type: 'object', properties: { date, description: text, amount: number, balance: number } },
      },
    },
  }
  const answer = ask(
    `Sheet

Zog          Wexel                  Blim        Drup        Fnord

03.05.2024   Rent for May         800.00                  1200.00
07.05.2024   Salary                           2000.00     3200.00
09.05.2024   Groceries             45.10                  3154.90
12.05.2024   Refund                             12.00     3166.90
`,
    statement,
  )
  expect(answer['transactions']).toEqual([
    { date: '2024-05-03', description: 'Rent for May', amount: -800, balance: 1200 },
    { date: '2024-05-07', description: 'Salary', amount: 2000, balance: 3200 },
    { date: '2024-05-09', description: 'Groceries', amount: -45.1, balance: 3154.9 },
    { date: '2024-05-12', description: 'Refund', amount: 12, balance: 3166.9 },
  ])
})

test('columns that multiply out are quantity, price and amount, whatever their headings', () => {
  const answer = ask(
    `Zork

Glim                    Vop       Trask      Quell

Steel hinge               4        2.50      10.00
Oak board                 2       12.25      24.50
Brass screw             100        0.08       8.00
`,
    items,
  )
  expect(answer['line_items']).toEqual([
    { description: 'Steel hinge', quantity: 4, unit_price: 2.5, amount: 10 },
    { description: 'Oak board', quantity: 2, unit_price: 12.25, amount: 24.5 },
    { description: 'Brass screw', quantity: 100, unit_price: 0.08, amount: 8 },
  ])
})

test('records over two lines are read by their common structure', () => {
  const answer = ask(
    `Zork

Steel hinge                              10.00
Nim: 4   Vop: 2.50

Oak board                                24.50
Nim: 2   Vop: 12.25

Brass screw                               8.00
Nim: 100   Vop: 0.08
`,
    items,
  )
  expect(answer['line_items']).toEqual([
    { description: 'Steel hinge', quantity: 4, unit_price: 2.5, amount: 10 },
    { description: 'Oak board', quantity: 2, unit_price: 12.25, amount: 24.5 },
    { description: 'Brass screw', quantity: 100, unit_price: 0.08, amount: 8 },
  ])
})

test('an amount beside the label of a tax is the tax, not the tax base in the label', () => {
  const answer = ask(
    'Subtotal                 262.90\nTax 15% on 112.90         16.94\nTotal                    279.84\n',
    items,
  )
  expect(answer['tax']).toBe(16.94)
  expect(answer['total']).toBe(279.84)
})
