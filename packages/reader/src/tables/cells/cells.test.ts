import type { JsonObject } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { madePdf } from '../../media/testing/made.ts'
import { type ReadOptions, read, type Source } from '../../reader.ts'
import { cellFeatureNames } from './cell-features.ts'
import { shippedCells, shippedSheetCells } from './decide-cells.ts'

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const schemaOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', properties } } },
})

const pageOf = (rows: readonly (readonly string[])[]): Promise<Uint8Array> =>
  madePdf((document) => {
    document.font('Helvetica').fontSize(9)
    for (const [at, row] of rows.entries())
      for (const [column, cell] of row.entries())
        document.text(cell, [50, 220, 300, 390][column] ?? 0, 80 + at * 16, { lineBreak: false })
  })

const clear = [
  ['Description', 'Quantity', 'Unit price', 'Amount'],
  ['Slate tile', '3', '4.50', '13.50'],
  ['Copper nail', '20', '0.10', '2.00'],
  ['Lead sheet', '2', '31.00', '62.00'],
  ['Ridge tile', '8', '6.25', '50.00'],
]
const invoice = { description: text, quantity: number, unit_price: number, amount: number }

/** A column under a heading that may mean something else. */
const vague = [
  ['Réf.', 'Désignation', 'Reste'],
  ['BLC-14-39', 'Bloc béton creux', '480.50'],
  ['CIM-32-25', 'Ciment sac 25 kg', '60.25'],
  ['SAB-RHN-B', 'Sable du Rhin', '4.75'],
]
const delivery = { sku: text, ordered: number }

const marksOf = async (source: Source, properties: JsonObject, options: Partial<ReadOptions> = {}) => {
  const { evidence, completeness } = await read(source, { schema: schemaOf(properties), ...options })
  const noted = Object.entries(evidence).flatMap(([pointer, { note }]) => (note ? [[pointer, note] as const] : []))
  return { evidence, noted, low: completeness?.lowConfidence }
}

const least = (rate: number): number =>
  shippedCells().thresholds.text.find(({ maxWrongRate }) => maxWrongRate === rate)?.probability ?? 1

test('a column that is sure enough has no mark', async () => {
  const { evidence, noted, low } = await marksOf(await pageOf(clear), invoice)
  expect(noted).toEqual([])
  expect(low).toBe(0)
  const cells = Object.entries(evidence).filter(([pointer]) => pointer.startsWith('/items/'))
  expect(cells).toHaveLength(16)
  for (const [, { confidence }] of cells) expect(confidence).toBeGreaterThanOrEqual(least(0.02))
})

test('one that is not is counted once, and its first value has a note with its probability and the number of the others', async () => {
  const { evidence, noted, low } = await marksOf(await pageOf(vague), delivery)
  const [[pointer, note] = ['', '']] = noted.filter(([at]) => at.endsWith('/ordered'))
  expect(pointer).toBe('/items/0/ordered')
  expect(note).toBe(
    `Its probability is ${evidence[pointer]?.confidence}; at most 2 % wrong values need ${least(0.02)}. The same holds for 2 more values of this column.`,
  )
  const doubted = ['sku', 'ordered'].filter((name) =>
    [0, 1, 2].some((row) => (evidence[`/items/${row}/${name}`]?.confidence ?? 1) < least(0.02)),
  )
  expect(low).toBe(doubted.length)
})

test('without a rate nothing is weighed', async () => {
  const { noted } = await marksOf(await pageOf(vague), delivery, { maxWrongRate: null })
  expect(noted).toEqual([])
})

const csvOf = (rows: readonly (readonly string[])[]): Source => ({ text: rows.map((row) => row.join(';')).join('\n') })
const asCsv = { fileName: 'list.csv' }

test('in a CSV file a doubtful column is marked, and those named like the fields are not', async () => {
  const { evidence, noted, low } = await marksOf(csvOf(vague), delivery, asCsv)
  const sheetLeast =
    shippedSheetCells().thresholds.text.find(({ maxWrongRate }) => maxWrongRate === 0.02)?.probability ?? 1
  const [[, note] = ['', '']] = noted.filter(([at]) => at.endsWith('/ordered'))
  expect(note).toBe(
    `Its probability is ${evidence['/items/0/ordered']?.confidence}; at most 2 % wrong values need ${sheetLeast}. The same holds for 2 more values of this column.`,
  )
  expect(low).toBeGreaterThan(0)
  const named = [['description', 'quantity', 'unit_price', 'amount'], ...clear.slice(1)]
  const plain = await marksOf(csvOf(named), invoice, asCsv)
  expect([plain.noted, plain.low]).toEqual([[], 0])
  for (const [pointer, { confidence }] of Object.entries(plain.evidence))
    if (pointer.startsWith('/items/')) expect(confidence).toBeGreaterThanOrEqual(sheetLeast)
})

test('a row that does not add up is marked, whatever its columns are', async () => {
  const broken = clear.map((row, at) => (at === 2 ? [...row.slice(0, 3), '7.00'] : row))
  const { evidence, low } = await marksOf(await pageOf(broken), invoice)
  expect(evidence['/items/1/amount']?.confidence).toBeLessThanOrEqual(0.6)
  expect(low).toBeGreaterThanOrEqual(3)
})

test('the weights fit the features, and higher rates never need a higher probability', () => {
  const { features, thresholds } = shippedCells()
  expect(features).toEqual(cellFeatureNames)
  for (const source of ['text', 'recognised'] as const) {
    const needed = thresholds[source].map(({ probability }) => probability)
    expect(needed).toEqual(needed.toSorted((a, b) => b - a))
  }
})
