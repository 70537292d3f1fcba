import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { layoutPage } from '../layout/layout.ts'
import { spanOf } from '../layout/spans.ts'
import { gridPage } from '../media/text/grid.ts'
import { wordsOfText } from '../media/text/plain.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { completeText, dropAdjacentText, untrustedNames } from './name-checks.ts'

const schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { description: { type: 'string' }, quantity: { type: 'number' }, amount: { type: 'number' } },
      },
    },
  },
}
const [list] = listFields(planSchema(schema)).lists

function rowsOf(...names: string[]): Map<string, Finding>[] {
  return names.map((value) => new Map([['/description', { value, evidence: { status: 'verified', confidence: 1 } }]]))
}

function doubted(...names: string[]): number[] {
  if (list === undefined) throw new TypeError('no list')
  return [...(untrustedNames(list, rowsOf(...names))?.doubts.keys() ?? [])]
}

test('a name that breaks off, starts in the middle or contains a label is doubted; others are not', () => {
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'Interior paint,')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'with handle')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'Quantity: 6 tin')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper')).toEqual([])
})

test('when half of the names of a list are doubted, none of them is trusted', () => {
  expect(doubted('Desk lamp', 'Interior paint,', 'Copywriting,', 'Wine glass')).toHaveLength(4)
  expect(doubted('Desk lamp', 'Interior paint,', 'Copywriting,', 'Wine glass', 'Office chair')).toEqual([1, 2])
})

test('column titles as the name of an item show that all names from there on are shifted', () => {
  if (list === undefined) throw new TypeError('no list')
  const names = ['Desk lamp', 'No. ordered price/unit net amount', 'Office chair', 'Wine glass']
  const rows = rowsOf(...names)
  expect(untrustedNames(list, rows)?.doubts.size).toBe(0)
  for (const row of rows) row.set('/amount', { value: 5, evidence: { status: 'verified', confidence: 1 } })
  expect([...(untrustedNames(list, rows)?.doubts.keys() ?? [])]).toEqual([1, 2, 3])
})

test('codes in front of most names belong to another column; a single one may be the name of a model', () => {
  expect(doubted('MS-5173 Keyboard', 'LU-7935 Monitor', 'WW-7056 Bearing')).toHaveLength(3)
  expect(doubted('WH-1000 headphones', 'Desk lamp', 'Office chair')).toEqual([])
})

test('names that all end in one word contain the title of another column', () => {
  expect(doubted('Desk lamp Sum', 'Copper pipe Sum', 'Wine glass Sum')).toHaveLength(3)
})

test('the row number in front of a name is removed', () => {
  if (list === undefined) throw new TypeError('no list')
  const rows = rowsOf('1 Desk lamp', '2 Office chair')
  dropAdjacentText(list, rows)
  expect(rows.map((row) => row.get('/description')?.value)).toEqual(['Desk lamp', 'Office chair'])
})

test('a number at the start of a name in a text layer is neither the row number nor the quantity', () => {
  if (list === undefined) throw new TypeError('no list')
  const rows = rowsOf('7 Up can', '3 Musketeers bar', '12 Desk lamps')
  rows[2]?.set('/quantity', { value: 12, evidence: { status: 'verified', confidence: 1 } })
  dropAdjacentText(list, rows)
  expect(rows.map((row) => row.get('/description')?.value)).toEqual(['7 Up can', '3 Musketeers bar', 'Desk lamps'])
})

/** The names of a list, from OCR or a text layer, without text of other columns. */
function alone(names: readonly string[], isScan = true) {
  if (list === undefined) throw new TypeError('no list')
  const rows = names.map((value): Map<string, Finding> => {
    const finding = {
      value,
      evidence: { status: 'verified', confidence: 0.9 },
      ...(isScan && { ocrConfidence: 0.95 }),
    } as const
    return new Map([['/description', finding]])
  })
  dropAdjacentText(list, rows)
  return rows.map((row) => row.get('/description')?.value)
}

test('the amount in front of the description of a movement is removed, with its sign', () => {
  const movement = { type: 'object', properties: { description: { type: 'string' }, amount: { type: 'number' } } }
  const statement = { type: 'object', properties: { transactions: { type: 'array', items: movement } } }
  const [movements] = listFields(planSchema(statement)).lists
  if (movements === undefined) throw new TypeError('no list')
  const rows = rowsOf('+23.66 Card payment', '1,023.66 Fee', 'Fee 2.50')
  dropAdjacentText(movements, rows)
  expect(rows.map((row) => row.get('/description')?.value)).toEqual(['Card payment', 'Fee', 'Fee 2.50'])
})

test('the unit price after a name is removed', () => {
  expect(alone(['AA BATTERIES 8PK@9.00', 'Basil plant @ 1,53', 'Cable @home 3.5'])).toEqual([
    'AA BATTERIES 8PK',
    'Basil plant',
    'Cable @home 3.5',
  ])
})

test('long numbers after most OCR names are another column; after a single name or in a text layer they are not', () => {
  const coded = ['Desk lamp 0500043', 'Office chair 5606333', 'Wine glass 9411379', 'Copper pipe']
  expect(alone(coded)).toEqual(['Desk lamp', 'Office chair', 'Wine glass', 'Copper pipe'])
  expect(alone(coded, false)).toEqual(coded)
  const one = ['Desk lamp 0500043', 'Office chair', 'Wine glass', 'Copper pipe']
  expect(alone(one)).toEqual(one)
})

/** The text of a row of which a column border left only some words. */
function whole(row: string, left: readonly string[]): string {
  const page = layoutPage(gridPage(wordsOfText(row)), 0)
  const words = page.lines.flatMap(({ cells }) => cells.flatMap((cell) => cell.words))
  const span = spanOf(
    words.filter(({ word }) => left.includes(word.text)),
    [],
  )
  return completeText({ cells: [span], lines: page.lines }, span).text
}

test('a name that a column border cut at its start or end is read completely, without the row number', () => {
  expect(whole('759561    Servicios de consultoría     1    114.95', ['consultoría'])).toBe('Servicios de consultoría')
  expect(whole('759561    Servicios de consultoría     1    114.95', ['Servicios'])).toBe('Servicios de consultoría')
  expect(whole('4 Wine glass     12.00', ['glass'])).toBe('Wine glass')
})

test('a code among names is doubted, unless most names look like codes', () => {
  expect(doubted('Desk lamp', 'YHF9610', 'Copy paper', 'Wine glass')).toEqual([1])
  expect(doubted('CPX4000', 'YHF9610', 'ZKL2207', 'Wine glass')).toEqual([])
  expect(doubted('Desk lamp', 'WDF-40', 'Copy paper', 'Wine glass')).toEqual([])
})
