import type { Json } from '@skillrun/core/json.ts'
import { packDocument } from '@skillrun/reader/media/packed-document.ts'
import { textDocument } from '@skillrun/reader/media/testing/text-document.ts'
import { expect, test } from 'vitest'
import { candidatesOf, firstMarked, likeliest, mostPoints } from './candidates.ts'
import learn from './learn.job.ts'
import { type Lesson, learnField, learnMarks, learnPoints } from './learn-field.ts'
import { linesOf } from './lines-of.ts'

const linesIn = (text: string) => linesOf('note', textDocument(text))
const note = (n: number, more: readonly string[] = []) =>
  [
    'Harbour Supplies',
    `Consignment  HS-${4000 + n * 13}`,
    `Handling     ${3 + (n % 4)}.50`,
    ...more,
    `Payable now  ${100 + n}.25`,
  ].join('\n')
const answerOf = (n: number): Json => ({ reference: `HS-${4000 + n * 13}`, amount: 100 + n + 0.25 })
const schema = {
  type: 'object',
  properties: { reference: { type: ['string', 'null'] }, amount: { type: ['number', 'null'] } },
}
const examples = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    documents: [{ input: 'note', packed: packDocument(textDocument(note(n))).packed }],
    answer: answerOf(n),
  }))

const lessonsOf = (texts: readonly string[], right: readonly number[]): Lesson[] =>
  texts.map((text, n) => {
    const candidates = candidatesOf(linesIn(text), 'amount')
    return {
      candidates,
      right: candidates.map(({ value }) => value === right[n]),
      isValued: true,
      read: null,
      likeliest: null,
    }
  })

test('a line is characterised by its words, its position, and the dates and amounts in it', () => {
  const [line] = linesIn('Due 2026-03-04   12,50 EUR')
  expect(line?.cells.flatMap(({ values }) => values)).toMatchObject([
    { kind: 'date', value: '2026-03-04', printed: '2026-03-04' },
    { kind: 'amount', value: 12.5, printed: '12,50', decimals: 2 },
  ])
})

test("an ambiguous date has both readings, and the document's convention decides the plain one", () => {
  const value = linesIn('Date 05/04/2026\nPrinted 25/04/2026')[0]?.cells.flatMap(({ values }) => values)[0]
  expect(value).toMatchObject({ value: '2026-04-05', dayFirst: '2026-04-05', monthFirst: '2026-05-04' })
})

test('a value is characterised by the words before it, above it, by its position, and by what it adds up to', () => {
  const candidates = candidatesOf(
    linesIn('Net       40.00\nTax        8.00\nTotal due  48.00\nCash      50.00\nChange     2.00'),
    'amount',
  )
  const total = candidates.find(({ value }) => value === 48)
  expect(total?.marks).toEqual(
    expect.arrayContaining(['label total due', 'says total', 'sum of two before', 'paid less change', 'cents']),
  )
  expect(candidates.find(({ value }) => value === 50)?.marks).toContain('largest')
})

test('the result is a list of marks where that is enough, words before positions', () => {
  const lessons = lessonsOf(
    [0, 1, 2, 3].map((n) => note(n)),
    [100.25, 101.25, 102.25, 103.25],
  )
  expect(learnMarks(lessons)).toEqual({ by: 'marks', marks: ['label payable now'] })
  expect(learnField(lessons)).toMatchObject({ rule: { by: 'marks' }, kept: ['right', 'right', 'right', 'right'] })
})

test("where rule and reader's score both know a field, a value is given if they agree; else the rule decides alone", () => {
  const lessons = lessonsOf(
    Array.from({ length: 20 }, (_, n) => note(n)),
    Array.from({ length: 20 }, (_, n) => 100.25 + n),
  )
  const finding = (likeliest: (n: number) => unknown) =>
    learnField(lessons.map((lesson, n) => ({ ...lesson, likeliest: likeliest(n) })))
  const all = Array.from({ length: 20 }, () => 'right')
  expect(finding((n) => 100.25 + n)).toMatchObject({ isSeconded: true, kept: all })
  expect(finding((n) => (n < 5 ? 5 : 100.25 + n))).toMatchObject({ isSeconded: true, kept: all.fill('none', 0, 5) })
  // It knows the field too seldom, or not at all.
  all.fill('right')
  expect(finding((n) => (n < 6 ? 5 : 100.25 + n))).toMatchObject({ isSeconded: false, kept: all })
  expect(finding(() => null)).toMatchObject({ isSeconded: false, kept: all })
})

test('the likeliest value is the one that the score is sure of, else its first candidate', () => {
  const candidates = { '/a~1b/c': [{ value: 7 }, { value: 8 }] }
  const found = (answer: Json) => likeliest({ answer, candidates }, '/a~1b/c', ['a/b', 'c'])
  expect([found({ 'a/b': { c: 5 } }), found({ 'a/b': { c: null } }), found({ 'a/b': null })]).toEqual([5, 7, 7])
  expect(likeliest({ answer: null }, '/c', ['c'])).toBeNull()
})

test('points favour what correct values have and others do not, deterministically', () => {
  const lessons = lessonsOf(
    [0, 1, 2, 3, 4, 5].map((n) => note(n)),
    [100.25, 101.25, 102.25, 103.25, 104.25, 105.25],
  )
  const points = learnPoints(lessons)
  expect(points['label payable now']).toBeGreaterThan(0)
  expect(points['label handling'] ?? 0).toBeLessThanOrEqual(0)
  expect(learnPoints(lessons)).toEqual(points)
  const candidates = candidatesOf(linesIn(note(30)), 'amount')
  expect(mostPoints(candidates, points, 0)?.value).toBe(130.25)
  expect(mostPoints(candidates, points, 1_000)).toBeUndefined()
})

test('a mark that no candidate has is skipped', () => {
  const candidates = candidatesOf(linesIn(note(1)), 'amount')
  expect(firstMarked(candidates, ['label total', 'label payable now'])?.value).toBe(101.25)
  expect(firstMarked(candidates, ['label total'])).toBeUndefined()
})

test("the generated program shows how it finds each field, and contains none of the cases' answers", () => {
  const { source, fields } = learn({ schema, examples: examples(6) })
  expect(fields).toEqual([
    { pointer: '/reference', by: 'marks', right: 6, wrong: 0, none: 0 },
    { pointer: '/amount', by: 'marks', right: 6, wrong: 0, none: 0 },
  ])
  expect(source).toContain("const the_amount = firstMarked(amounts, ['label payable now'])")
  expect(source).not.toMatch(/HS-40|10[0-5]\.25/)
  expect(source).not.toMatch(/\bimport\b.*from/)
})

test('names of fields never become code', () => {
  const hostile = {
    type: 'object',
    properties: {
      "'); process.exit(); ('": { type: ['number', 'null'] },
      '__proto__x\n*/': { type: ['string', 'null'] },
    },
  }
  const { source } = learn({
    schema: hostile,
    examples: examples(3).map((one, n) => ({
      ...one,
      answer: { "'); process.exit(); ('": 100 + n + 0.25, '__proto__x\n*/': null },
    })),
  })
  const [body = ''] = source.split('\n}\n')
  expect(
    body
      .replace(/'(?:\\.|[^'\\])*'/g, "''")
      .replace(/"(?:\\.|[^"\\])*"/g, '""')
      .replace(/\/\/.*$/gm, ''),
  ).not.toMatch(/process\./)
})

test('without examples, or a schema of an object, there is nothing to write', () => {
  expect(() => learn({ schema, examples: examples(1) })).toThrow(/at least 2 cases/)
  expect(() => learn({ schema: { type: 'array' }, examples: examples(3) })).toThrow(/type object/)
})

test('a text is found after the words that begin its cell, also without a colon', () => {
  const people = [
    'Ada Lovelace',
    'Grace Hopper',
    'Mary Jackson',
    'Katherine Johnson',
    'Dorothy Vaughan',
    'Annie Easley',
  ]
  const account = (n: number) => `GB${20 + n} ${4100 + n * 7} ${8800 - n * 3}`
  const accounts = { properties: { member: { type: 'string' }, account: { type: 'string' } }, type: 'object' }
  const cases = people.map((member, n) => ({
    documents: [
      {
        input: 'letter',
        packed: packDocument(textDocument(`Walkers Club\nDear ${member}\nIn favour of account ${account(n)}`)).packed,
      },
    ],
    answer: { member, account: account(n) },
  }))
  expect(learn({ schema: accounts, examples: cases }).fields).toMatchObject([
    { pointer: '/member', by: 'marks', right: 6, wrong: 0 },
    { pointer: '/account', by: 'marks', right: 6, wrong: 0 },
  ])
})
