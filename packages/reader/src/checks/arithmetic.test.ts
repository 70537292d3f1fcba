import { describe, expect, it } from 'vitest'
import type { Finding } from '../extract/assemble.ts'
import { mayBePrintOf } from '../values/misprints.ts'
import { balance, checkBalances, checkItems, checkSum } from './arithmetic.ts'

/** A value read by OCR, with its printed text. */
const read = (value: number, quote = value.toFixed(2)): Finding => ({
  value,
  evidence: { status: 'normalised', quote, confidence: 0.9 },
  ocrConfidence: 0.9,
})

const rowsOf = (rows: readonly (readonly [Finding, Finding])[]): Map<string, Finding>[] =>
  rows.map(
    ([amount, after]) =>
      new Map([
        ['/amount', amount],
        ['/balance', after],
      ]),
  )

const columns = { amount: '/amount', balance: '/balance' }
const amountsOf = (rows: readonly Map<string, Finding>[], name = '/amount') => rows.map((row) => row.get(name)?.value)

describe('mayBePrintOf', () => {
  it.each([
    ['18333', 183.33],
    ['1Z4,5O', 124.5],
    ['36,54', 35.54],
    ['B.50', 8.5],
    ['5791.18', 5791.16],
  ])('accepts "%s" as a possible misreading of %d', (print, amount) => {
    expect(mayBePrintOf(print, amount)).toBe(true)
  })

  it.each([
    ['36,54', 35.45],
    ['12', 345],
    ['100.00', 250],
  ])('rejects "%s" as a misreading of %d', (print, amount) => {
    expect(mayBePrintOf(print, amount)).toBe(false)
  })
})

describe('checkBalances', () => {
  it('corrects an amount that lost its decimal mark and sign when the balances on both sides require it', () => {
    const rows = rowsOf([
      [read(-10), read(90)],
      [read(1583, '1583'), read(74.17)],
      [read(-4.17), read(70)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: 70 })
    expect(amountsOf(rows)).toEqual([-10, -15.83, -4.17])
    expect(rows[1]?.get('/amount')?.evidence.status).toBe('derived')
  })

  it('gives unsigned amounts the direction of the balances', () => {
    const rows = rowsOf([
      [read(10), read(90)],
      [read(20), read(70)],
      [read(5), read(75)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: 75 })
    expect(amountsOf(rows)).toEqual([-10, -20, 5])
  })

  it('reads lists that start with the newest movement', () => {
    const rows = rowsOf([
      [read(5), read(75)],
      [read(-20), read(70)],
      [read(-10), read(90)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: 75 })
    expect(amountsOf(rows)).toEqual([5, -20, -10])
    expect(rows[0]?.get('/amount')?.isConfirmed).toBe(true)
  })

  it('keeps a balance that the next movement starts from, whatever the amount before it is', () => {
    const rows = rowsOf([
      [read(-10), read(90)],
      [read(-20.39, '120.3.9'), read(69.01, '69,01')],
      [read(-4.01), read(65)],
      [read(-5), read(60)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: 60 })
    expect(rows.map((row) => row.get('/balance')?.value)).toEqual([90, 69.01, 65, 60])
  })

  it('corrects an amount followed by a letter for debit or credit', () => {
    const rows = rowsOf([
      [read(-10), read(90)],
      [read(-281.7, '281,70 D'), read(-191.79)],
      [read(-4.21), read(-196)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: -196 })
    expect(amountsOf(rows)).toEqual([-10, -281.79, -4.21])
  })

  it('keeps an amount whose print cannot be a misreading of what the balances require', () => {
    const rows = rowsOf([
      [read(-10), read(90)],
      [read(-999), read(74.17)],
      [read(-4.17), read(70)],
      [read(-20), read(50)],
    ])
    checkBalances(rows, columns, { opening: 100, closing: 50 })
    expect(rows[1]?.get('/amount')).toMatchObject({ value: -999 })
    expect(rows[1]?.get('/amount')?.isConfirmed).toBeUndefined()
  })
})

describe('sums', () => {
  it('corrects the only misreadable movement when all others lead from the opening to the closing balance', () => {
    const rows = [new Map([['/amount', read(-10)]]), new Map([['/amount', read(3554, '3554')]])]
    checkSum(rows, '/amount', { opening: 100, closing: 125.54 })
    expect(amountsOf(rows)).toEqual([-10, 35.54])
  })

  it('confirms what adds up, and corrects one misread amount', () => {
    const terms = [
      { pointer: '/subtotal', sign: 1 },
      { pointer: '/tax', sign: 1 },
      { pointer: '/total', sign: -1 },
    ] as const
    const right = new Map([
      ['/subtotal', read(100)],
      ['/tax', read(19)],
      ['/total', read(119)],
    ])
    balance(right, terms)
    expect([...right.values()].every((finding) => finding.isConfirmed === true)).toBe(true)
    const torn = new Map([
      ['/subtotal', read(100)],
      ['/tax', read(19)],
      ['/total', read(11900, '11900')],
    ])
    balance(torn, terms)
    expect(torn.get('/total')?.value).toBe(119)
  })

  it('changes nothing that was not read by OCR', () => {
    const sure = ({ value, evidence }: Finding): Finding => ({ value, evidence })
    const printed = new Map([
      ['/a', sure(read(100))],
      ['/b', sure(read(118))],
    ])
    balance(printed, [
      { pointer: '/a', sign: 1 },
      { pointer: '/b', sign: -1 },
    ])
    expect(printed.get('/b')).toEqual(sure(read(118)))
  })
})

describe('checkItems', () => {
  const item = (quantity: Finding, price: Finding, amount: Finding): Map<string, Finding> =>
    new Map([
      ['/quantity', quantity],
      ['/price', price],
      ['/amount', amount],
    ])
  const itemColumns = { quantity: '/quantity', price: '/price', amount: '/amount' }

  it('corrects an amount from quantity times price', () => {
    const row = item(read(3, '3'), read(12.5), read(3750, '3750'))
    checkItems([row], itemColumns)
    expect(row.get('/amount')?.value).toBe(37.5)
  })

  it('does not choose when price and amount could both be misread', () => {
    const row = item(read(1, '1'), read(12.5), read(12.6))
    checkItems([row], itemColumns)
    expect([row.get('/price')?.value, row.get('/amount')?.value]).toEqual([12.5, 12.6])
  })
})
