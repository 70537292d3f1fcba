import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'

const amount: JsonSchema = { type: ['number', 'null'] }
const text: JsonSchema = { type: ['string', 'null'] }

const schema: JsonSchema = {
  type: 'object',
  properties: {
    receipt_number: text,
    merchant_address: text,
    merchant_phone: text,
    subtotal: amount,
    tax: amount,
    rounding: amount,
    total: amount,
    cash_given: amount,
    change: amount,
    payment_method: { type: ['string', 'null'], enum: ['cash', 'card', null] },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: text, quantity: amount, unit_price: amount, amount },
      },
    },
  },
}

const read = (receipt: string) => fieldsOf(receipt, schema)

const item = (description: string, quantity: number | null, price: number | null, sum: number): Json => ({
  description,
  quantity,
  unit_price: price,
  amount: sum,
})

test('weighed goods take weight and price from the line below their name', () => {
  const { items, total } = read(`CORNER SHOP

BANANAS LOOSE                  2.12 A
  0.532 kg x 3.99/kg
MILK 2L                        1.45 A

TOTAL                          3.57
CASH                           5.00
CHANGE                         1.43`)
  expect(items).toEqual([item('BANANAS LOOSE', 0.532, 3.99, 2.12), item('MILK 2L', null, null, 1.45)])
  expect(total).toBe(3.57)
})

test('a line of numbers takes the name above it', () => {
  const { items } = read(`Bäckerei Muster

Roggenbrot 750g
  2 x 3,20                     6,40
Pfand
  2 x 0,25                     0,50

SUMME EUR                      6,90`)
  expect(items).toEqual([item('Roggenbrot 750g', 2, 3.2, 6.4), item('Pfand', 2, 0.25, 0.5)])
})

test('quantity and price stand above the name, before it, or behind it', () => {
  const { items } = read(`Supermercado

2 @ 1,50
CERVEZA 33CL                   3,00
3 x PAN 0,90                   2,70
QUESO 2 x 4,10                 8,20
1 LECHE 1L @ 1,13              1,13

TOTAL                         15,03`)
  expect(items).toEqual([
    item('CERVEZA 33CL', 2, 1.5, 3),
    item('PAN', 3, 0.9, 2.7),
    item('QUESO', 2, 4.1, 8.2),
    item('LECHE 1L', 1, 1.13, 1.13),
  ])
})

test('a fuel pump prints litres, price and amount with separate labels', () => {
  const { items, subtotal } = read(`Station

* DIESEL
Volume                     50.58 l
Price                      1.77 /l
Sum                          89.53

TO PAY                       89.53`)
  expect(items).toEqual([item('DIESEL', 50.58, 1.77, 89.53)])
  expect(subtotal).toBeNull()
})

test('item counters are neither quantities nor names', () => {
  const { items } = read(`Diner

1. Soup                        4.50
2. Steak                      21.00
3. Coffee                      2.20

TOTAL                         27.70`)
  expect(items).toEqual([item('Soup', null, null, 4.5), item('Steak', null, null, 21), item('Coffee', null, null, 2.2)])
})

test('a number at the end of a name is not part of the amount beside it', () => {
  const { items, total } = read(`Fuel Stop

Unleaded 95                  127.96
Coffee                         3.20

TOTAL                        131.16`)
  expect(items).toEqual([item('Unleaded 95', null, null, 127.96), item('Coffee', null, null, 3.2)])
  expect(total).toBe(131.16)
})

test('a sum under an unknown label is no item, and arithmetic gives its role', () => {
  const answer = read(`Shop

Apples                         3.00
Pears                          4.50
Plums                          2.50
GOODS VALUE                   10.00
Levy                           0.80
GRAND TOTAL                   10.80
Handed over                   20.00
Returned to you                9.20`)
  expect(answer['items']).toHaveLength(3)
  expect(answer).toMatchObject({ subtotal: 10, tax: 0.8, total: 10.8, cash_given: 20, change: 9.2 })
})

test('discounts are item lines with their sign', () => {
  const { items, total } = read(`Shop

Shampoo                        6.00
Multibuy saving               -1.50
Soap                           1.20

TOTAL                          5.70`)
  expect(items).toEqual([
    item('Shampoo', null, null, 6),
    item('Multibuy saving', null, null, -1.5),
    item('Soap', null, null, 1.2),
  ])
  expect(total).toBe(5.7)
})

test('the tax is the sum of a tax table, not one of its rows', () => {
  const table = `A  20%        5.00       1.00
B   5%       49.71       2.49`
  const head = `Shop

Bag                            6.00 A
Groceries                     52.20 B

TOTAL                         58.20
${table}`
  expect(read(head)['tax']).toBeNull()
  expect(read(`${head}\nVAT                            3.49`)['tax']).toBe(3.49)
})

test('a receipt number follows a word for sales, and never a word for taxes or terminals', () => {
  const body = `Tea                            2.00
Cake                           3.00
TOTAL                          5.00`
  expect(read(`Shop\nTrn 5909-99-9968\n\n${body}`)['receipt_number']).toBe('5909-99-9968')
  expect(read(`Shop\nVAT no 123456789\n\n${body}\nTerminal 77431940`)['receipt_number']).toBeNull()
})

test('the address of a shop may be in the footer', () => {
  const { merchant_address: address } = read(`Drogerie Muster

Seife                          2,00
Bürste                         3,00
SUMME                          5,00

Industriestraße 113
60314 Frankfurt
Tel. 069 5550 1234`)
  expect(address).toBe('Industriestraße 113 60314 Frankfurt')
})

test('change means a payment in cash; an exact amount next to a card name does not', () => {
  const body = `Shop\n\nTea                            2.00\nCake                           3.00\nTOTAL                          5.00`
  expect(read(`${body}\nEC-Cash                        5.00`)).toMatchObject({
    payment_method: 'card',
    cash_given: null,
  })
  expect(read(`${body}\nCash                          10.00\nChange                         5.00`)).toMatchObject({
    payment_method: 'cash',
    cash_given: 10,
    change: 5,
  })
})
