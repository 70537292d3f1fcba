import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tooCostly } from '../adapters/process-pool/process-pool.ts'
import { agreementOf, compareAnswers, comparePairs, fieldOf } from './compare-answers.ts'
import { sameValue } from './same-value.ts'

const leafValue = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -1000, max: 1000 }),
  fc.string({ minLength: 1, maxLength: 5 }),
)
const answer = fc.letrec<{ value: Json; object: Json; list: Json }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leafValue, tie('object'), tie('list')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  list: fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<Json>,
}))

describe('comparing two answers', () => {
  test('an answer agrees with itself in every field', () => {
    fc.assert(
      fc.property(answer.value, (value) => {
        const compared = compareAnswers(value, value)
        expect(compared.agreed).toBe(compared.fields.length)
        expect(agreementOf(compared.fields)).toBe(1)
      }),
    )
  })

  test('the order of names is irrelevant', () => {
    const turned = (value: Json): Json =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([name, member]) => [name, turned(member)]),
            )
          : value
    fc.assert(
      fc.property(answer.value, answer.value, (known, found) => {
        expect(compareAnswers(known, turned(found)).agreed).toBe(compareAnswers(known, found).agreed)
      }),
    )
  })

  test('an omitted row costs only its own leaves', () => {
    const row = fc.record({ name: fc.uuid(), amount: fc.integer() })
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: (one) => one.name, minLength: 1, maxLength: 8 }),
        fc.nat(),
        (rows, at) => {
          const left = rows.toSpliced(at % rows.length, 1)
          const compared = compareAnswers({ rows }, { rows: left })
          expect(compared.fields.length).toBe(rows.length * 2)
          expect(compared.agreed).toBe(left.length * 2)
          const added = compareAnswers({ rows: left }, { rows })
          expect(added.agreed).toBe(left.length * 2)
          expect(added.fields.filter(({ agrees }) => !agrees).map(({ pointer }) => pointer[0])).toEqual(['+', '+'])
        },
      ),
    )
  })

  test('one changed leaf is one field that disagrees', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: fc.integer(), b: fc.uuid() }), { minLength: 1, maxLength: 6 }), (rows) => {
        const changed = rows.with(0, { a: (rows[0]?.a ?? 0) + 1, b: rows[0]?.b ?? '' })
        const compared = compareAnswers({ rows }, { rows: changed })
        // Rows may differ only in their numbers: an alignment is never worse than row by row.
        expect(compared.agreed).toBeGreaterThanOrEqual(rows.length * 2 - 1)
        expect(compareAnswers({ rows }, { rows: changed }).agreed).toBeLessThan(compared.fields.length)
      }),
    )
  })

  test('an additional value disagrees if it is not empty', () => {
    expect(compareAnswers({ a: 1 }, { a: 1, b: null, c: '' })).toMatchObject({ agreed: 1, fields: [{ pointer: '/a' }] })
    expect(compareAnswers({ a: 1, list: [] }, { a: 1, b: 2 }).fields).toEqual([
      { pointer: '/a', field: '/a', expected: 1, actual: 1, agrees: true },
      { pointer: '/list', field: '/list', expected: null, actual: null, agrees: true },
      { pointer: '/b', field: '/b', expected: null, actual: 2, agrees: false },
    ])
    expect(compareAnswers({ total: null }, { total: 12 }).agreed).toBe(0)
    expect(compareAnswers({ total: null }, {}).agreed).toBe(1)
    expect(compareAnswers({ total: { net: 1, gross: 2 } }, null).fields).toHaveLength(2)
    expect(compareAnswers({ total: { net: 1 } }, 'none').fields).toEqual([
      { pointer: '/total/net', field: '/total/net', expected: 1, actual: null, agrees: false },
      { pointer: '+', field: '', expected: null, actual: 'none', agrees: false },
    ])
  })
})

describe('equal values', () => {
  test.each<[Json, Json]>([
    ['2026-03-14', '14.03.2026'],
    ['2026-03-14', '14 March 2026'],
    ['2026-03-14', 'March 14th, 2026'],
    ['2026-03-14T00:00:00Z', '2026/3/14'],
    ['Sept 3, 2026', '2026-09-03'],
    [1234.5, '1,234.50'],
    ["1'234", 1234],
    [0.1 + 0.2, 0.3],
    [null, '  '],
    ['12 Main Street\nLondon', '12 Main Street, London'],
    ['12 Main Street,\n London', '12 Main Street, London'],
    ['12 Main Street London', '12 Main Street, London'],
    ['ﬁle  one', 'file one'],
  ])('%j and %j are equal, in either order', (left, right) => {
    expect(sameValue(left, right)).toBe(true)
    expect(sameValue(right, left)).toBe(true)
  })

  test.each<[Json, Json]>([
    ['03/04/2026', '04/03/2026'],
    ['03/04/2026', '2026-04-03'],
    ['2026-03-14', '2026-03-15'],
    ['2026-03-14T10:00:00Z', '2026-03-14'],
    ['2026-02-31', '2026-03-03'],
    ['007', '7'],
    [7, '7 pieces'],
    [1234, '1,23,4'],
    [1, 2],
    [0, null],
    [0, false],
    [true, 'true'],
    ['INV-1', 'inv-1'],
    ['1,5', '1 5'],
    ['A-1', 'A 1'],
    ['a', null],
  ])('%j and %j are not', (left, right) => {
    expect(sameValue(left, right)).toBe(false)
    expect(sameValue(right, left)).toBe(false)
  })

  test('a number equals itself in every written form', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
        const number = cents / 100
        expect(sameValue(number, number.toLocaleString('en-US', { minimumFractionDigits: 2 }))).toBe(true)
        expect(sameValue(number, number.toFixed(2))).toBe(true)
        expect(sameValue(number, (number + 0.01).toFixed(2))).toBe(false)
      }),
    )
  })
})

test('answers that take too long to compare disagree as a whole, or are left out, as the caller asks', async () => {
  const signal = new AbortController().signal
  const slow = { run: () => Promise.reject(tooCostly('20 seconds')) }
  const pairs = [[{ a: 1 }, { a: 1 }]] as const
  const [whole] = await comparePairs(slow, pairs, { tooLarge: 'disagree', signal })
  expect(whole).toMatchObject({ agreed: 0, fields: [{ pointer: '', agrees: false }] })
  expect(await comparePairs(slow, pairs, { tooLarge: 'empty', signal })).toEqual([])
})

test('rows of a list are one field, and what only the given answer has belongs to the field that it would be', () => {
  const fields = compareAnswers({ rows: [{ a: 1 }], b: 1 }, { rows: [{ a: 1 }, { a: 2 }], b: 1, c: [3] }).fields
  expect(fields.map(fieldOf)).toEqual(['/rows/*/a', '/rows/*/a', '/b', '/c/*'])
})

test('properties whose names are numbers are fields of their own, in rows too', () => {
  const known = { '1': 'a', '2': 'b', rows: [{ '2024': 1 }, { '2024': 2 }], gone: { '7': [1] } }
  const { fields } = compareAnswers(known, { '1': 'a', '2': 'x', rows: [{ '2024': 1 }], '3': { '4': 5 }, gone: 'x' })
  expect(fields.map(({ pointer, field }) => [pointer, field])).toEqual([
    ['/1', '/1'],
    ['/2', '/2'],
    ['/rows/0/2024', '/rows/*/2024'],
    ['/rows/1/2024', '/rows/*/2024'],
    ['/gone/7/0', '/gone/7/*'],
    ['+/gone', '/gone'],
    ['+/3/4', '/3/4'],
  ])
})
