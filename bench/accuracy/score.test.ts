import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../packages/core/src/json.ts'
import { distance } from '../../packages/reader/training/judge.ts'
import { align, rates, score, tally } from './score.ts'

const truth: JsonObject = {
  invoice_number: 'INV-7',
  due_date: null,
  total: 12.5,
  vendor: { name: 'Falcon Ltd', address: '12 High Street, Leeds, LS1 4AB' },
  line_items: [
    { description: 'Copy paper A4', quantity: 2, amount: 7.5 },
    { description: 'Desk lamp', quantity: null, amount: 5 },
  ],
}
const judged = (answer: Json, recognised = false) => tally(score({ truth, accepts: {}, answer, recognised }))

describe('score', () => {
  it('marks every field right when the answer is the truth', () => {
    expect(judged(truth)).toEqual({ right: 9, missing: 0, wrong: 0, extra: 0, empty: 2 })
    expect(rates(judged(truth)).right).toBe(100)
  })

  it('marks every printed field missing when the answer is null', () => {
    expect(judged(null)).toEqual({ right: 0, missing: 9, wrong: 0, extra: 0, empty: 2 })
    expect(rates(judged(null))).toEqual({ fields: 9, right: 0, missing: 100, wrong: 0 })
  })

  it('counts a value where the truth is null as wrong', () => {
    expect(judged({ ...truth, due_date: '2025-01-01' }).extra).toBe(1)
  })

  it('aligns rows, so that a missing row only costs its own cells', () => {
    const rows = truth['line_items'] as JsonObject[]
    expect(judged({ ...truth, line_items: rows.slice(1) })).toMatchObject({ right: 6, missing: 3 })
    expect(judged({ ...truth, line_items: [{ description: 'Total', amount: 1 }, ...rows] })).toMatchObject({
      right: 9,
      extra: 2,
    })
  })

  it('compares numbers to the cent, texts without case and punctuation, identifiers exactly', () => {
    expect(judged({ ...truth, total: 12.504 }).wrong).toBe(0)
    expect(judged({ ...truth, total: 12.51 }).wrong).toBe(1)
    expect(judged({ ...truth, vendor: { name: 'FALCON LTD.', address: '12 high street\nLeeds LS1 4AB' } }).wrong).toBe(
      0,
    )
    expect(judged({ ...truth, invoice_number: 'INV7' }).wrong).toBe(1)
  })

  it('accepts one wrong character in twelve of an address read by OCR only', () => {
    const answer = { ...truth, vendor: { name: 'Falcon Ltd', address: '12 Hiqh Street, Leeds, LS1 4AB' } }
    expect(judged(answer, true).wrong).toBe(0)
    expect(judged(answer, false).wrong).toBe(1)
    expect(judged({ ...truth, invoice_number: 'lNV-7' }, true).wrong).toBe(1)
  })

  it('accepts an alternative value of the document', () => {
    const accepts = { 'line_items/1/description': ['Desk lamp 2 year warranty'] }
    const answer = { ...truth, line_items: [{}, { description: 'Desk lamp 2 year warranty', amount: 5 }] }
    expect(tally(score({ truth, accepts, answer, recognised: false }))).toMatchObject({
      right: 6,
      missing: 3,
      wrong: 0,
    })
  })
})

describe('align', () => {
  it('pairs in order, and never worse than row by row', () => {
    const matrix = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
    fc.assert(
      fc.property(matrix, (matches) => {
        const pairs = align(matches)
        for (const [n, [i, j]] of pairs.entries()) {
          const [before, above] = pairs[n - 1] ?? [-1, -1]
          expect(i).toBeGreaterThan(before)
          expect(j).toBeGreaterThan(above)
        }
        const sum = pairs.reduce((total, [i, j]) => total + (matches[i]?.[j] ?? 0), 0)
        const straight = matches.reduce((total, row, n) => total + (row[n] ?? 0), 0)
        expect(sum).toBeGreaterThanOrEqual(straight)
      }),
    )
  })
})

describe('distance', () => {
  it('counts substituted, deleted and inserted characters', () => {
    expect(distance('kitten', 'sitting', 5)).toBe(3)
    expect(distance('same', 'same', 2)).toBe(0)
    expect(distance('a', 'abcdef', 2)).toBe(3)
  })
})
