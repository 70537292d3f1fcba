import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read } from '../../reader.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const items = {
  type: 'array',
  items: {
    type: 'object',
    properties: { description: text, quantity: number, unit_price: number, amount: number },
  },
}
const schema = { type: 'object', properties: { items } }

type Item = { description: string; quantity: number | null; unit_price: number | null; amount: number }

const cellsOf = ({ description, quantity, unit_price, amount }: Item): string[] => [
  description,
  quantity === null ? '' : String(quantity),
  unit_price === null ? '' : unit_price.toFixed(2),
  amount.toFixed(2),
]
const headings = ['Description', 'Qty', 'Unit price', 'Net amount']
const layouts = {
  text: (rows: readonly string[][]) =>
    rows.map(([name = '', ...others]) => name.padEnd(30) + others.map((one) => one.padStart(14)).join('')).join('\n'),
  csv: (rows: readonly string[][]) => rows.map((row) => row.join(',')).join('\n'),
  md: ([head = [], ...rows]: readonly string[][]) =>
    [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
}

async function itemsIn(rows: readonly string[][], layout: keyof typeof layouts) {
  const { response, evidence } = await read(
    { text: `Invoice 4711\n\n${layouts[layout]([headings, ...rows])}\n` },
    { schema, fileName: `invoice.${layout === 'text' ? 'txt' : layout}` },
  )
  return { found: (response as { items: Item[] }).items, evidence }
}

const names = fc.constantFrom('Slate tile', 'Copper nail', 'Walnut panel', 'Linen rope')
const full = fc
  .record({ description: names, quantity: fc.integer({ min: 1, max: 9 }), cents: fc.integer({ min: 101, max: 9_999 }) })
  .map(
    ({ description, quantity, cents }): Item => ({
      ...{ description, quantity, unit_price: cents / 100, amount: (quantity * cents) / 100 },
    }),
  )
const last = fc
  .record({
    description: fc.constantFrom('Delivery', 'Assembly', 'Lead sheet'),
    cents: fc.integer({ min: 11, max: 99 }),
  })
  .map(({ description, cents }): Item => ({ description, quantity: null, unit_price: null, amount: cents / 100 }))
const documents = fc.record({
  rows: fc.uniqueArray(full, { minLength: 2, maxLength: 4, selector: ({ description }) => description }),
  last,
  layout: fc.constantFrom('text', 'csv', 'md'),
})
const totalOf = (rows: readonly Item[]): number => rows.reduce((sum, { amount }) => sum + amount, 0)

test('a last row with only a text and an amount is a row, which needs a look unless a sum counts it', async () => {
  await fc.assert(
    fc.asyncProperty(documents, fc.boolean(), async ({ rows, last, layout }, hasSum) => {
      const all = [...rows, last]
      const sum = hasSum ? [['Total', '', '', totalOf(all).toFixed(2)]] : []
      const { found, evidence } = await itemsIn([...all.map(cellsOf), ...sum], layout)
      expect(found).toEqual(all)
      const note = evidence[`/items/${rows.length}/amount`]?.note ?? ''
      expect(note.startsWith('It may be no item')).toBe(!hasSum)
    }),
    { numRuns: 25 },
  )
})

test('sums, taxes, payments, and what the sum does not count are no rows', async () => {
  const tails = [
    (net: number) => [['Total', net]],
    (net: number) => [
      ['Net amount', net],
      ['VAT 20 %', net * 0.2],
      ['To pay', net * 1.2],
    ],
    (net: number) => [
      ['Umsatzsteuer', net * 0.19],
      ['Rechnungsbetrag', net * 1.19],
    ],
    (net: number) => [
      ['Goods', net],
      ['Delivery', 12],
    ],
    (net: number) => [
      ['Delivery', 12],
      ['Goods', net],
    ],
    (net: number) => [['Lump', net + 50]],
    () => [['Carried forward', 0.5]],
  ] as const
  await fc.assert(
    fc.asyncProperty(documents, fc.constantFrom(...tails), async ({ rows, layout }, tailOf) => {
      const tail = tailOf(totalOf(rows)).map(([name, value]) => [String(name), '', '', Number(value).toFixed(2)])
      expect((await itemsIn([...rows.map(cellsOf), ...tail], layout)).found).toEqual(rows)
    }),
    { numRuns: 25 },
  )
})
