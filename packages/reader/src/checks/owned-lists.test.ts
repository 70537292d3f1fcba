import type { JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { extracted } from '../extract/testing/extracted.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const items = { description: text, quantity: number, price: number, amount: number }
const wares = [
  { description: 'Oars of ash', quantity: 2, price: 40, amount: 80 },
  { description: 'Rope, ten metres', quantity: 1, price: 12.5, amount: 12.5 },
  { description: 'Anchor', quantity: 1, price: 30, amount: 30 },
]
const table = [
  'Description          Quantity     Price      Amount',
  'Oars of ash          2            40.00      80.00',
  'Rope, ten metres     1            12.50      12.50',
  'Anchor               1            30.00      30.00',
]

const reading = (lists: { [name: string]: JsonObject }, title = 'Invoice 4711') =>
  extracted([title, '', ...table].join('\n'), {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(lists).map(([name, properties]) => [
        name,
        { type: 'array', items: { type: 'object', properties } },
      ]),
    ),
  })

test.each([
  ['taxes', { rate: number, amount: number }],
  ['discounts', { description: text, amount: number }],
  ['deductions', { name: text, amount: number }],
])('%s are not filled with the rows of the items, and the reason is given', (name, fields) => {
  const { answer, evidence } = reading({ items, [name]: fields })
  expect(answer).toEqual({ items: wares, [name]: [] })
  expect(evidence[`/${name}`]?.reason).toBe('Only the rows of /items resemble it, and nothing at them names it.')
})

test('a title right above the rows gives them to both lists', () => {
  const { answer } = reading({ items, discounts: { description: text, amount: number } }, 'Discounts')
  expect(answer).toMatchObject({ items: wares, discounts: [{}, {}, {}] })
})

test('a list that asks for some of the same columns has its rows, which are doubtful', () => {
  const { answer, evidence } = reading({ items, penalties: { description: text, quantity: number } })
  expect(answer).toMatchObject({ penalties: wares.map(({ description, quantity }) => ({ description, quantity })) })
  expect(evidence['/penalties/0/description']).toMatchObject({
    confidence: 0.4,
    note: 'Nothing at this table names the list.',
  })
  expect(evidence['/items/0/description']?.confidence).toBeGreaterThan(0.5)
})

test('without another list that has more right to them, rows are only doubtful', () => {
  expect(reading({ discounts: { description: text, amount: number } }).answer).toMatchObject({
    discounts: [{}, {}, {}],
  })
})

test('of two lists for the same rows that nothing names, neither is emptied', () => {
  const part = { description: text, amount: number }
  const { answer } = reading({ allowances: part, deductions: part })
  const rows = wares.map(({ description, amount }) => ({ description, amount }))
  expect(answer).toEqual({ allowances: rows, deductions: rows })
})

test('rows that all belong to another list stay doubtful, even under headings with the names of their fields', () => {
  const boats = [
    'Colour     Berth     Length',
    'red        A4        12.5',
    'blue       A5        9.0',
    'green      B1        7.5',
  ]
  const of = (properties: JsonObject): JsonObject => ({ type: 'array', items: { type: 'object', properties } })
  const { evidence } = extracted(['Harbour', '', ...boats].join('\n'), {
    type: 'object',
    properties: {
      items: of({ colour: text, berth: text, length: number }),
      returns: of({ colour: text, berth: text }),
    },
  })
  expect(evidence['/items/0/colour']?.confidence).toBeGreaterThan(0.4)
  expect(evidence['/returns/0/colour']?.confidence).toBe(0.4)
})
