import type { JsonObject } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { read } from '../../reader.ts'
import { pagesOfCells, readItems, rowsAt } from '../testing/placed-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

const schemaOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
const listOf = (properties: JsonObject): JsonObject =>
  schemaOf({ rows: { type: 'array', items: schemaOf(properties) } })

describe('a value in another currency or measure than its field names', () => {
  test('is not given, and the reason says so', async () => {
    const { response, evidence } = await read(
      { text: 'Invoice\nInvoice no 17\nTotal: EUR 119.00\nGross weight: 12,500 kg\nNet weight: 11,980 kg\n' },
      { schema: schemaOf({ total_usd: number, net_weight_tonnes: number, gross_weight_kg: number }) },
    )
    expect(response).toEqual({ total_usd: null, net_weight_tonnes: null, gross_weight_kg: 12500 })
    expect(evidence['/total_usd']).toMatchObject({ reason: 'It asks for USD, but "119.00" is stated in EUR.' })
    expect(evidence['/net_weight_tonnes']).toMatchObject({ reason: 'It asks for t, but "11,980" is stated in kg.' })
  })

  test('is not given where its label states it', async () => {
    const { response } = await read(
      { text: 'Order 17\nTotal (EUR): 119.00\nNet weight (kg): 11,980\n' },
      { schema: schemaOf({ total_usd: number, total_eur: number, net_weight_t: number, net_weight_kg: number }) },
    )
    expect(response).toEqual({ total_usd: null, total_eur: 119, net_weight_t: null, net_weight_kg: 11980 })
  })

  test.each([
    ['Tax (8.25%) 8.25', 'tax_usd', 8.25],
    ['Discount 5% 5.00', 'discount_usd', 5],
    ['Discount: 5%', 'discount_pct', 5],
    ['Revenue (EUR m): 412', 'revenue_eur_m', 412],
  ])('is not seen in a rate of an amount, or in millions: %s', async (line, field, value) => {
    const { response } = await read({ text: `Statement 17\n${line}\n` }, { schema: schemaOf({ [field]: number }) })
    expect(response).toEqual({ [field]: value })
  })

  test('is not seen in a letter behind a price', async () => {
    const source = { text: 'Item,Price USD,Flag\nMilk,2.99 T,x\nEggs,3.99 T,x\n' }
    const { response } = await read(source, { schema: listOf({ price_usd: number }), fileName: 'till.csv' })
    expect(response).toEqual({ rows: [{ price_usd: 2.99 }, { price_usd: 3.99 }] })
  })

  test('is not given from a column, whose other fields are', async () => {
    const { response, evidence } = await read(
      { text: 'item,price_usd,price_eur\nA,10,9\nB,20,18\n' },
      { schema: listOf({ item: text, price_gbp: number }), fileName: 'prices.csv' },
    )
    expect(response).toEqual({ rows: ['A', 'B'].map((item) => ({ item, price_gbp: null })) })
    expect(evidence['/rows/0/price_gbp']?.reason).toMatch(/^It asks for GBP, but the column "price_\w{3}" is in/)
  })
})

test.each([
  ['Item,Net,Tax amt,Total\nA,49.95,0,49.95\nB,19.95,0,19.95\nC,5.25,0,5.25', 'tax_amount', [0, 0, 0]],
  ['Item,VAT,Net,Total\nA,20,100.00,120.00\nB,40,200.00,240.00\nC,2,10.50,12.50', 'vat_amount', [20, 40, 2]],
  ['Item,Price incl. packaging\nA,5.00\nB,6.00', 'net_price', [5, 6]],
  ['Item,Price incl. VAT\nA,5.00\nB,6.00', 'net_price', [null, null]],
])('amounts of tax may be whole numbers, and what is included need not be tax: %s', async (csv, field, values) => {
  const schema = listOf({ item: text, [field]: number })
  const { response } = await read({ text: csv }, { schema, fileName: 'a.csv' })
  expect(response).toMatchObject({ rows: values.map((value) => ({ [field]: value })) })
})

test('amounts without tax are not those with it, and rates are no tax', async () => {
  const pdf = await pagesOfCells([
    rowsAt(
      [
        ['Désignation', 'Qté', 'P.U. HT', 'TVA', 'Montant HT'],
        ['Pain de campagne', '240', '3,15', '5,5', '756,00'],
        ['Kouign-amann', '400', '1,90', '5,5', '760,00'],
        ['Location présentoir', '1', '1250,00', '20', '1250,00'],
      ],
      80,
      [50, 240, 300, 370, 430],
    ),
  ])
  const fields = { description: text, quantity: number, unit_price: number, total_ttc: number, vat_amount: number }
  const { items } = await readItems(pdf, fields)
  expect((items as unknown[])[1]).toEqual({
    description: 'Kouign-amann',
    quantity: 400,
    unit_price: 1.9,
    total_ttc: null,
    vat_amount: null,
  })
})

test('days are no codes', async () => {
  const pdf = await pagesOfCells([
    rowsAt(
      [
        ['Date', 'Description', 'Hrs/Qty', 'Rate', 'Amount'],
        ['10/28/2026', 'Quarterly maintenance, rooftop', '3.5', '$118.00', '$413.00'],
        ['10/28/2026', 'MERV-13 filter', '6', '$27.40', '$164.40'],
        ['11/02/2026', 'Emergency call-out', '1', '$245.00', '$245.00'],
        ['', '', '', 'Subtotal', '$822.40'],
      ],
      80,
      [50, 140, 320, 390, 460],
    ),
  ])
  const fields = { sku: text, description: text, quantity: number, unit_price: number, amount: number }
  const { items } = await readItems(pdf, fields)
  expect((items as unknown[])[0]).toEqual({
    sku: null,
    description: 'Quarterly maintenance, rooftop',
    quantity: 3.5,
    unit_price: 118,
    amount: 413,
  })
})

test('columns of tax and discounts have rates or amounts of any size and sign, unless the name asks for a rate', async () => {
  const csv =
    'Item;MwSt;Rabatt;Betrag\nHose;5,88;0,00;89,91\nLamp;1.106,45;120,00;5.560,28\nReturn;-20,00;-3,50;-125,26\n'
  const fields = { item: text, amount: number }
  const { response } = await read(
    { text: csv },
    { schema: listOf({ ...fields, vat: number, discount: number }), fileName: 'orders.csv' },
  )
  expect(response).toEqual({
    rows: [
      { item: 'Hose', vat: 5.88, discount: 0, amount: 89.91 },
      { item: 'Lamp', vat: 1106.45, discount: 120, amount: 5560.28 },
      { item: 'Return', vat: -20, discount: -3.5, amount: -125.26 },
    ],
  })
  const rates = await read({ text: csv }, { schema: listOf({ ...fields, vat_rate: number }), fileName: 'orders.csv' })
  expect(rates.response).toMatchObject({ rows: [{}, { vat_rate: null }, { vat_rate: null }] })
})

test('debits and discounts have no sign, unless some of their column have a minus and others have none', async () => {
  const of = async (csv: string) => {
    const fields = { item: text, debit: number, discount: number, change: number }
    const { response } = await read({ text: csv }, { schema: listOf(fields), fileName: 'bookings.csv' })
    return (response as { rows: Record<string, number>[] }).rows.map(({ debit, discount, change }) => [
      debit,
      discount,
      change,
    ])
  }
  const head = 'Item,Debit,Discount,Change\n'
  expect(await of(`${head}Rent,-540.20,-3.00,-8.50\nPower,-12.40,0.00,(2.00)\n`)).toEqual([
    [540.2, 3, 8.5],
    [12.4, 0, 2],
  ])
  expect(await of(`${head}Rent,540.20,3.00,-8.50\nReversal,-12.40,1.00,2.00\n`)).toEqual([
    [540.2, 3, -8.5],
    [-12.4, 1, 2],
  ])
})

test('what a bank credits is positive also in a column with a minus', async () => {
  const { items } = await readItems(
    { text: 'Date;Description;Amount\n2026-03-01;Salary;100,00 CR\n2026-03-02;Rent;50,00-\n2026-03-03;Tea;3,00 DR\n' },
    { date: { ...text, format: 'date' }, description: text, transaction_amount: number },
    'statement.csv',
  )
  expect((items as JsonObject[]).map((item) => item['transaction_amount'])).toEqual([100, -50, -3])
})

test('a number of a column is read although its name expects a smaller or whole one', async () => {
  const csv = 'item,exchange_rate,percent,index\nYen,156.32,-4.2,100.25\nRupiah,17850.10,140,12\n'
  const fields = { item: text, exchange_rate: number, percent: number, index: number }
  const { response } = await read({ text: csv }, { schema: listOf(fields), fileName: 'rates.csv' })
  expect(response).toEqual({
    rows: [
      { item: 'Yen', exchange_rate: 156.32, percent: -4.2, index: 100.25 },
      { item: 'Rupiah', exchange_rate: 17850.1, percent: 140, index: 12 },
    ],
  })
})

test.each(['Article', 'Model', 'Reference'])(
  'a column of a page that is headed %s as its field gives words too, which are no codes',
  async (name) => {
    const rows = [
      ['Date', name, 'Amount'],
      ['2026-03-01', 'Harbor Maple', '12.50'],
      ['2026-03-02', 'KX-6064', '7.00'],
      ['2026-03-03', 'Copper River', '9.10'],
    ]
    const field = name.toLowerCase()
    const { items } = await readItems(await pagesOfCells([rowsAt(rows, 90, [40, 200, 400])]), {
      date: { ...text, format: 'date' },
      [field]: text,
      amount: number,
    })
    expect((items as JsonObject[]).map((item) => item[field])).toEqual(['Harbor Maple', 'KX-6064', 'Copper River'])
  },
)
