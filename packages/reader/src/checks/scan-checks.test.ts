import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { listFields } from '../schema/fields.ts'
import { planSchema } from '../schema/plan.ts'
import { dropRates, dropSignless, restorePrices } from './scan-checks.ts'

const text = { type: 'string' }
const number = { type: 'number' }

function fieldsOf(properties: Record<string, Json>) {
  return listFields(planSchema({ type: 'object', properties }))
}
function listOf(name: string, properties: Record<string, Json>) {
  const [list] = fieldsOf({ [name]: { type: 'array', items: { type: 'object', properties } } }).lists
  if (list === undefined) throw new TypeError('no list')
  return list
}
const items = listOf('line_items', { description: text, quantity: number, unit_price: number, amount: number })
const movements = listOf('transactions', { date: text, description: text, amount: number })

const scanned = (value: Json, quote = String(value), isConfirmed = false): Finding => ({
  value,
  evidence: { status: 'verified', confidence: 0.9, quote },
  ocrConfidence: 0.95,
  ...(isConfirmed && { isConfirmed }),
})
const printed = (value: Json, quote: string): Finding => ({
  value,
  evidence: { status: 'verified', confidence: 0.9, quote },
})

const kept = (rows: readonly Map<string, Finding>[], name: string) => rows.map((row) => row.get(`/${name}`)?.value)

test('a scanned movement without a sign is withdrawn where all others have one, but not where only debits have one', () => {
  const rowsOf = (...quotes: [number, string][]) =>
    quotes.map(([value, quote]) => new Map([['/amount', scanned(value, quote)]]))
  const both = rowsOf([-59.8, '59,80-'], [-54.92, '54,92-'], [353.87, '353,87+'], [-48.27, '48,27-'], [91.75, '91,75'])
  expect(dropSignless(movements, both)).toEqual([4])
  expect(kept(both, 'amount')).toEqual([-59.8, -54.92, 353.87, -48.27, undefined])
  const debits = rowsOf([-59.8, '59,80-'], [-54.92, '54,92-'], [-5, '5,00-'], [-48.27, '48,27-'], [91.75, '91,75'])
  expect(dropSignless(movements, debits)).toEqual([])
  const confirmed = rowsOf([-59.8, '59,80-'], [-54.92, '54,92-'], [353.87, '353,87+'], [-48.27, '48,27-'])
  confirmed.push(new Map([['/amount', scanned(91.75, '91,75', true)]]), new Map([['/amount', printed(12, '12,00')]]))
  expect(dropSignless(movements, confirmed)).toEqual([])
})

test('a price on a scan that was read as a quantity becomes the price where the other quantities are whole numbers', () => {
  const whole = new Map([
    ['/quantity', scanned(4, '4', true)],
    ['/unit_price', scanned(4.89, '4.89', true)],
    ['/amount', scanned(19.56, '19.56', true)],
  ])
  const row = (count: Finding, amount: number) =>
    new Map([
      ['/quantity', count],
      ['/amount', scanned(amount)],
    ])
  const rows = [whole, row(scanned(4.21, '4.21'), 12.63), row(scanned(1.52, '1.52'), 7), row(scanned(3, '3'), 9)]
  restorePrices(items, rows)
  expect(kept(rows, 'quantity')).toEqual([4, undefined, undefined, 3])
  expect(kept(rows, 'unit_price')).toEqual([4.89, 4.21, undefined, undefined])
  const weighed = [row(scanned(4.21, '4.21'), 12.63)]
  restorePrices(items, weighed)
  expect(kept(weighed, 'quantity')).toEqual([4.21])
  const alone = [row(scanned(4.21, '4.21'), 12.63), row(scanned(1.37, '1.37'), 1.37), row(scanned(1.99, '1.99'), 11.94)]
  restorePrices(items, alone)
  expect(kept(alone, 'unit_price')).toEqual([4.21, 1.37, 1.99])
})

test('a rate after most names of a list belongs to another column; after one of many it may be part of the name', () => {
  const named = (...names: string[]) => names.map((name) => new Map([['/description', scanned(name)]]))
  const rated = named('Beratung 19%', 'Montage vor Ort 19 %', 'Doppelzimmer')
  dropRates(items, rated)
  expect(kept(rated, 'description')).toEqual(['Beratung', 'Montage vor Ort', 'Doppelzimmer'])
  const dairy = ['Milk 3.5%', 'Cream 30%', 'Butter 82%', 'Quark 20%']
  const various = named(...dairy)
  dropRates(items, various)
  expect(kept(various, 'description')).toEqual(dairy)
  const typed = ['Milk 3.5%', 'Yoghurt 3.5%', 'Quark 3.5%'].map(
    (text) => new Map([['/description', printed(text, text)]]),
  )
  dropRates(items, typed)
  expect(kept(typed, 'description')).toEqual(['Milk 3.5%', 'Yoghurt 3.5%', 'Quark 3.5%'])
  const juice = named('Juice 100%', 'Cotton shirt 95%', 'Alcohol 40%', 'Bread', 'Milk', 'Rice', 'Salt')
  dropRates(items, juice)
  expect(kept(juice, 'description')).toEqual([
    'Juice 100%',
    'Cotton shirt 95%',
    'Alcohol 40%',
    'Bread',
    'Milk',
    'Rice',
    'Salt',
  ])
})
