import { expect, test } from 'vitest'
import { calibratedThreshold, judgedValues } from './calibrate.ts'

const values = (count: number, confidence: number, right: boolean) =>
  Array.from({ length: count }, () => ({ confidence, right }))

test('the threshold falls to the lowest confidence that reviewers found right often enough', () => {
  const judged = [...values(60, 0.95, true), ...values(60, 0.8, true), ...values(20, 0.5, false)]
  expect(calibratedThreshold(judged, { maxWrongRate: 0.1, below: 0.5 })).toBe(0.8)
})

test('wrong values raise it above them', () => {
  const judged = [...values(60, 0.95, true), ...values(60, 0.8, true), ...values(30, 0.8, false)]
  expect(calibratedThreshold(judged, { maxWrongRate: 0.1, below: 0.5 })).toBe(0.95)
})

test('too few values say nothing, and a stricter rate needs more of them', () => {
  expect(calibratedThreshold([], { maxWrongRate: 0.1, below: 0.5 })).toBeUndefined()
  expect(calibratedThreshold(values(5, 0.9, true), { maxWrongRate: 0.1, below: 0.5 })).toBeUndefined()
  expect(calibratedThreshold(values(60, 0.9, true), { maxWrongRate: 0.1, below: 0.5 })).toBe(0.9)
  expect(calibratedThreshold(values(60, 0.9, true), { maxWrongRate: 0.02, below: 0.5 })).toBeUndefined()
  expect(calibratedThreshold(values(600, 0.9, true), { maxWrongRate: 0.02, below: 0.5 })).toBe(0.9)
})

test('where none keeps the rate, and too many above the present one are wrong, everything is reviewed', () => {
  const judged = [...values(30, 0.95, true), ...values(30, 0.95, false), ...values(30, 0.4, false)]
  expect(calibratedThreshold(judged, { maxWrongRate: 0.1, below: 0.9 })).toBe(1)
  expect(calibratedThreshold(judged, { maxWrongRate: 0.1, below: 0.96 })).toBeUndefined()
})

test('values count with their confidence, right where the reviewer kept them', () => {
  const change = (path: string, from: string | null, to: string | null) =>
    ({ path, from, to, kind: from === to ? 'confirmed' : 'corrected' }) as const
  const evidence = { '/a': { confidence: 0.9 }, '/b': { confidence: 0.4 }, '/c': { confidence: 0 } } as never
  const changes = [change('/a', 'x', 'x'), change('/b', 'x', 'y'), change('/c', null, 'z'), change('/d', 'x', 'y')]
  expect(judgedValues(evidence, changes)).toEqual([
    { confidence: 0.9, right: true },
    { confidence: 0.4, right: false },
  ])
})

test.each([
  ['an object', '/at', (at: object) => at],
  ['the whole answer', '', (at: object) => ({ at })],
])('values count that were corrected with %s, each once', (_what, path, answer) => {
  const evidence = {
    '/at/a': { confidence: 0.9 },
    '/at/b': { confidence: 0.8 },
    '/at/c': { confidence: 0.7 },
    '/at/rows/0': { confidence: 0.6 },
  } as never
  const from = answer({ a: 'x', b: 'x', c: 'x', rows: ['x'] })
  const to = answer({ a: 'x', b: 'y', c: 'z', rows: ['y'] })
  const changes = [
    { path, from, to, kind: 'corrected' },
    { path: '/at/c', from: 'x', to: 'z', kind: 'corrected' },
  ] as const
  expect(judgedValues(evidence, changes as never)).toEqual([
    { confidence: 0.9, right: true },
    { confidence: 0.8, right: false },
    { confidence: 0.7, right: false },
  ])
})

test('of rows without an origin, the values that differ from those in their place are wrong', () => {
  const from = Array.from({ length: 10 }, (_, n) => ({ a: n, b: 'x', c: null }))
  const to = from.map((row, n) => (n === 0 || n === 9 ? { ...row, a: 50 } : row))
  const known = from.flatMap((_, n) => ['a', 'b', 'c'].map((name) => [`/rows/${n}/${name}`, { confidence: n / 10 }]))
  const evidence = Object.fromEntries(known)
  const change = { path: '/rows', from, kind: 'corrected' } as const
  const added = to.map(() => null)
  const wrong = (confidence: number) => ({ confidence, right: false })
  expect(judgedValues(evidence, [{ ...change, to, rows: added }])).toEqual([wrong(0), wrong(0.9)])
  // Nobody says where these come from, as in older reviews.
  expect(judgedValues(evidence, [{ ...change, to }])).toEqual([])
  // A removed row.
  const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  expect(judgedValues(evidence, [{ ...change, to: from.slice(0, 9), rows }])).toEqual([wrong(0.9), wrong(0.9)])
})

test('values of a row that a shorter list still has count as right, wherever the row is now', () => {
  const [nut, bolt, saw, axe] = ['Nut', 'Bolt', 'Saw', 'Axe'].map((name, n) => ({ name, amount: n + 1, unit: `u${n}` }))
  const from = [nut, bolt, saw, axe] as never
  const to = [nut, { ...bolt, name: 'Bolts' }, { ...axe, amount: 9 }] as never
  const known = [0, 1, 2, 3].flatMap((n) =>
    ['name', 'amount', 'unit'].map((name) => [`/rows/${n}/${name}`, { confidence: n / 10 + name.length / 100 }]),
  )
  const change = { path: '/rows', kind: 'corrected', from, to, rows: [0, null, null] } as const
  expect(judgedValues(Object.fromEntries(known), [change])).toEqual(
    // The name of the second, the whole third, the amount of the fourth.
    [0.14, 0.24, 0.26, 0.24, 0.36].map((confidence) => ({ confidence: expect.closeTo(confidence), right: false })),
  )
})
