import { expect, test } from 'vitest'
import type { Json, JsonSchema } from '../packages/core/src/json.ts'
import { madeExcel } from '../packages/reader/src/media/testing/made-office.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const listOf = (properties: Readonly<Record<string, Json>>): JsonSchema => ({
  type: 'array',
  items: { type: 'object', properties },
})

async function answerTo(file: Uint8Array | string, filename: string, properties: Readonly<Record<string, Json>>) {
  const { id } = await service.upload(Buffer.from(file), filename)
  const body = {
    batch: false,
    inputs: { sheet: { type: 'input_file', file_id: id } },
    config: { prompt: 'Extract the data', json_schema: { type: 'object', properties } },
  }
  const json = await service.execute(body)
  expect(json).toMatchObject({ status: 'completed', error: null })
  return json.response
}

test('a CSV file returns its rows whatever its number format and field names', async () => {
  const csv = 'Device,Quantity,Price\nLaptop,1,189.9\nMouse,1,41\nScreen,1,1150\n'
  const devices = [
    ['Laptop', 189.9],
    ['Mouse', 41],
    ['Screen', 1150],
  ] as const
  expect(
    await answerTo(csv, 'devices.csv', { devices: listOf({ device: text, quantity: number, price: number }) }),
  ).toEqual({ devices: devices.map(([device, price]) => ({ device, quantity: 1, price })) })
  expect(
    await answerTo(csv, 'devices.csv', { items: listOf({ name: text, qty: number, unit_price: number }) }),
  ).toEqual({ items: devices.map(([name, price]) => ({ name, qty: 1, unit_price: price })) })
})

test('two columns, short names and ascending codes are ordinary rows', async () => {
  const csv = 'Code;City\n1;Ulm\n2;Bonn\n3;Köln\n'
  expect(await answerTo(csv, 'cities.csv', { cities: listOf({ code: text, city: text }) })).toEqual({
    cities: [
      { code: '1', city: 'Ulm' },
      { code: '2', city: 'Bonn' },
      { code: '3', city: 'Köln' },
    ],
  })
})

const orders = [
  ['Order', 'Customer', 'Amount'],
  ['O-1', 'Acme', 100.5],
  ['O-2', 'Beta', 20],
]
const payments = [
  ['Payment', 'Order', 'Paid'],
  ['P-1', 'O-1', 100.5],
  ['P-2', 'O-2', 20],
]

test('lists on the first and second sheet of a workbook are both read', async () => {
  const workbook = await madeExcel({ Orders: orders, Payments: payments })
  const properties = {
    orders: listOf({ order: text, customer: text, amount: number }),
    payments: listOf({ payment: text, order: text, paid: number }),
  }
  expect(await answerTo(workbook, 'book.xlsx', properties)).toEqual({
    orders: [
      { order: 'O-1', customer: 'Acme', amount: 100.5 },
      { order: 'O-2', customer: 'Beta', amount: 20 },
    ],
    payments: [
      { payment: 'P-1', order: 'O-1', paid: 100.5 },
      { payment: 'P-2', order: 'O-2', paid: 20 },
    ],
  })
})

test('of sheets with the same columns, a list is read from the one with its name', async () => {
  const sheet = (units: number) => [
    ['Product', 'Units'],
    ['Pen', units],
  ]
  const workbook = await madeExcel({ Q1: sheet(3), Q2: sheet(8) })
  const list = listOf({ product: text, units: number })
  expect(await answerTo(workbook, 'quarters.xlsx', { q2: list })).toEqual({ q2: [{ product: 'Pen', units: 8 }] })
  expect(await answerTo(workbook, 'quarters.xlsx', { rows: list })).toEqual({
    rows: [
      { product: 'Pen', units: 3 },
      { product: 'Pen', units: 8 },
    ],
  })
})

test('single values on the second sheet are read', async () => {
  const workbook = await madeExcel({
    Orders: orders,
    Contract: [
      ['Contract number', 'C-99'],
      ['Warehouse manager', 'Ada Lee'],
      ['Shelf count', 48],
    ],
  })
  const properties = { contract_number: text, warehouse_manager: text, shelf_count: number }
  expect(await answerTo(workbook, 'book.xlsx', properties)).toEqual({
    contract_number: 'C-99',
    warehouse_manager: 'Ada Lee',
    shelf_count: 48,
  })
})

test('headings match in any case, and cells may be empty', async () => {
  const people = [
    { name: 'Anna', note: 'likes tea' },
    { name: 'Bob', note: null },
  ]
  for (const headings of ['Name,Note', 'name,note', 'NAME,NOTE']) {
    const csv = `${headings}\nAnna,likes tea\nBob,\n`
    expect(await answerTo(csv, 'people.csv', { people: listOf({ name: text, note: text }) })).toEqual({ people })
  }
})

test.each([
  ['name, quantity and price', 'Device;Quantity;Price', ['device', 'quantity', 'price']],
  ['fields of other names', 'Device;Quantity;Price', ['name', 'qty', 'unit_price']],
] as const)(
  'the decimal mark of a column is the one that its numbers show: %s',
  async (_, headings, [name, count, price]) => {
    const rows = (...prices: readonly number[]) => ({
      items: ['Laptop', 'Mouse', 'Screen'].map((device, at) => ({ [name]: device, [count]: 1, [price]: prices[at] })),
    })
    const list = { items: listOf({ [name]: text, [count]: number, [price]: number }) }
    const csv = (...prices: readonly string[]) =>
      `${headings}\n${['Laptop', 'Mouse', 'Screen'].map((device, at) => `${device};1;${prices[at]}`).join('\n')}\n`
    expect(await answerTo(csv('189,9', '41', '1.150'), 'devices.csv', list)).toEqual(rows(189.9, 41, 1150))
    expect(await answerTo(csv('189.9', '41', '1,150'), 'devices.csv', list)).toEqual(rows(189.9, 41, 1150))
    expect(await answerTo(csv('0,125', '41', '1.150.000'), 'devices.csv', list)).toEqual(rows(0.125, 41, 1_150_000))
  },
)

test('columns of one file may have different decimal marks', async () => {
  const csv = 'Device;Price;Weight\nLaptop;189,90;1.250\nMouse;41,00;0.125\nScreen;1.150,00;12.500\n'
  const list = { devices: listOf({ device: text, price: number, weight: number }) }
  expect(await answerTo(csv, 'devices.csv', list)).toEqual({
    devices: [
      { device: 'Laptop', price: 189.9, weight: 1.25 },
      { device: 'Mouse', price: 41, weight: 0.125 },
      { device: 'Screen', price: 1150, weight: 12.5 },
    ],
  })
})

test('a row whose amount equals the sum of those above it is an ordinary row, and rows below it stay', async () => {
  const items = [1, 2, 3, 4].map((amount) => ({ item: `Part ${amount}`, amount }))
  const csv = (rows: readonly { item: string; amount: number }[]) =>
    `Item,Amount\n${rows.map(({ item, amount }) => `${item},${amount}`).join('\n')}\n`
  const list = { items: listOf({ item: text, amount: number }) }
  expect(await answerTo(csv(items), 'parts.csv', list)).toEqual({ items })
  const total = { item: 'Total', amount: 10 }
  expect(await answerTo(csv([...items, total]), 'parts.csv', list)).toEqual({ items })
})

test('a large list with evidence beside each field is complete', async () => {
  const count = 3_000
  const csv = `Name,Price\n${Array.from({ length: count }, (_, at) => `Thing ${at},${at}.50`).join('\n')}\n`
  const { id } = await service.upload(Buffer.from(csv), 'things.csv')
  const body = {
    inputs: { sheet: { type: 'input_file', file_id: id } },
    config: {
      prompt: 'Extract the rows',
      grounding: true,
      json_schema: { type: 'object', properties: { things: listOf({ name: text, price: number }) } },
    },
  }
  const json = await service.execute(body)
  expect(json).toMatchObject({ status: 'completed', error: null })
  const { things } = json.response
  expect(things).toHaveLength(count)
  expect(things.at(-1)).toMatchObject({
    name: `Thing ${count - 1}`,
    name_metadata: { confidence: 'hi', bboxes: [{ content: `Thing ${count - 1}` }] },
    price: count - 0.5,
    price_metadata: { confidence: 'hi' },
  })
})

const customers = [
  ['Customer no', 'Name', 'City'],
  ['C-1', 'Acme Ltd', 'Leeds'],
  ['C-2', 'Beta GmbH', 'Ulm'],
  ['C-3', 'Gamma SA', 'Lyon'],
]
const priced = [
  ['sku', 'name', 'price', 'total'],
  ['A-1', 'Bolt', 1.5, 3],
  ['A-2', 'Nut', 0.5, 4],
  ['A-3', 'Washer', 0.2, 6],
]
const dated = [
  ['SKU', 'Item', 'Qty', 'Date', 'Amount'],
  ['A-1', 'Bolt', 1, '2026-03-01', 3],
  ['A-2', 'Nut', 4, '2026-03-01', 4],
  ['A-3', 'Washer', 3, '2026-03-01', 6],
]
const invoices = [
  ['Invoice No', 'Customer', 'Total'],
  ['INV-1', 'C-1', 120.5],
  ['INV-2', 'C-2', 80],
  ['INV-3', 'C-1', 33.2],
]

test.each([
  ['with the likeliest columns', { Sheet1: customers, Sheet2: priced, Sheet3: invoices }],
  ['that is named like the list', { Customers: customers, Items: dated, Invoices: invoices }],
])('a list is read from the sheet %s, not from others that resemble it', async (_, sheets) => {
  const properties = { invoices: listOf({ invoice_number: text, date: { ...text, format: 'date' }, total: number }) }
  expect(await answerTo(await madeExcel(sheets), 'book.xlsx', properties)).toEqual({
    invoices: [
      { invoice_number: 'INV-1', date: null, total: 120.5 },
      { invoice_number: 'INV-2', date: null, total: 80 },
      { invoice_number: 'INV-3', date: null, total: 33.2 },
    ],
  })
})
