import { expect, test } from 'vitest'
import type { Finding } from './assemble.ts'
import { doubtfulNames, dropLeading } from './doubtful-names.ts'
import { listFields } from './fields.ts'
import { planSchema } from './plan.ts'

const schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: { type: 'object', properties: { description: { type: 'string' }, quantity: { type: 'number' } } },
    },
  },
}
const [list] = listFields(planSchema(schema)).lists

function rowsOf(...names: string[]): Map<string, Finding>[] {
  return names.map((value) => new Map([['/description', { value, evidence: { status: 'verified', confidence: 1 } }]]))
}

function doubted(...names: string[]): number[] {
  if (list === undefined) throw new TypeError('no list')
  return [...(doubtfulNames(list, rowsOf(...names))?.doubts.keys() ?? [])]
}

test('a name that breaks off, begins in the middle or holds a label is doubted, others are not', () => {
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'Interior paint,')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'with handle')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper', 'Wine glass', 'Quantity: 6 tin')).toEqual([4])
  expect(doubted('Desk lamp', 'Office chair', 'Copy paper')).toEqual([])
})

test('where many names of a list are doubted, none of it is trusted', () => {
  expect(doubted('Desk lamp', 'Interior paint,', 'Copywriting,', 'Wine glass')).toHaveLength(4)
})

test('the number of the row before a name is taken off', () => {
  if (list === undefined) throw new TypeError('no list')
  const rows = rowsOf('1 Desk lamp', '2 Office chair')
  dropLeading(list, rows)
  expect(rows.map((row) => row.get('/description')?.value)).toEqual(['Desk lamp', 'Office chair'])
})
