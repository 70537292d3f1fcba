import { expect, test } from 'vitest'
import { incompletenessMessage, notFoundWarnings, reportCompleteness } from './completeness.ts'

const text = { type: ['string', 'null'] }
const items = {
  type: 'array',
  items: { type: 'object', properties: { sku: text, amount: { type: ['number', 'null'] }, unit: text } },
}
const schema = {
  type: 'object',
  properties: { id: text, paid: { type: 'boolean' }, vendor: { $ref: '#/$defs/party' }, items, notes: items },
  $defs: { party: { anyOf: [{ type: 'object', properties: { name: text, city: text } }, { type: 'null' }] } },
}

test('fields, columns of lists and referenced schemas are counted once each', () => {
  const answer = {
    id: 'A',
    paid: false,
    vendor: { name: 'Kestrel', city: null },
    items: [
      { sku: null, amount: 0, unit: null },
      { sku: 'X', amount: null, unit: null },
    ],
    notes: [],
  }
  const evidence = {
    '/id': { status: 'verified', confidence: 0.3 },
    '/items/1/sku': { status: 'verified', confidence: 0.9 },
    '/vendor/city': { status: 'unsupported', confidence: 0, reason: 'No city.' },
  } as const
  const report = reportCompleteness({ schema, answer, evidence })
  expect(report).toEqual({
    completeness: {
      asked: 10,
      found: 5,
      notFound: 5,
      lowConfidence: 1,
      maxWrongRate: null,
      calibration: null,
      listed: [
        { path: '/items', returned: 2, expected: null },
        { path: '/notes', returned: 0, expected: null },
      ],
    },
    doubtful: 1,
    unsure: ['/id'],
    missing: ['/vendor/city', '/items/unit', '/notes'],
  })
  if (!report) return
  expect(notFoundWarnings(report, evidence).map(({ path, message }) => [path, message])).toEqual([
    ['/vendor/city', 'No city.'],
    ['/items/unit', 'The answer has no value here.'],
    ['/notes', 'The answer has no value here.'],
  ])
  expect(incompletenessMessage(report)).toBe(
    'Found 5 of 10 fields; not found: /vendor/city, /items/unit, /notes; 1 with low confidence',
  )
})

test('a missing object, a recursive schema and names inherited from Object.prototype are counted correctly', () => {
  const node = { type: 'object', properties: { constructor: text, next: { $ref: '#/$defs/node' } } }
  const report = reportCompleteness({ schema: { $ref: '#/$defs/node', $defs: { node } }, answer: {}, evidence: {} })
  expect(report).toMatchObject({ completeness: { asked: 1, found: 0 }, missing: ['/constructor'] })
  expect(reportCompleteness({ schema, answer: null, evidence: {} })?.completeness).toMatchObject({
    asked: 10,
    found: 0,
  })
})

test('the limit on steps is enforced', () => {
  const answer = { items: Array.from({ length: 1000 }, () => ({ sku: 'A' })) }
  const plain = { type: 'object', properties: { items } }
  expect(reportCompleteness({ schema: plain, answer, evidence: {} }, 500)).toBeUndefined()
  expect(reportCompleteness({ schema: plain, answer, evidence: {} }, 50_000)?.completeness.found).toBe(1)
  expect(reportCompleteness({ schema, answer, evidence: {} }, 50_000)).toBeUndefined()
})

test('a value that is not sure enough counts as found with low confidence, and a sure one does not', () => {
  const one = { type: 'object', properties: { id: text, total: text } }
  const evidence = {
    '/id': { status: 'verified', confidence: 0.9 },
    '/total': { status: 'verified', confidence: 0.99 },
  } as const
  const report = reportCompleteness({ schema: one, answer: { id: 'A', total: 'B' }, evidence, unsure: ['/id'] })
  expect(report?.completeness).toMatchObject({ found: 2, lowConfidence: 1 })
  expect(report && incompletenessMessage(report)).toBeUndefined()
})

test('a field that is nested very deep is asked for', () => {
  const deep = (levels: number): object =>
    levels === 0 ? text : { type: 'object', properties: { n: deep(levels - 1) } }
  for (const levels of [30, 35, 60]) {
    const { completeness } = reportCompleteness({ schema: { ...deep(levels) }, answer: {}, evidence: {} }) ?? {}
    expect(completeness).toMatchObject({ asked: 1, found: 0 })
  }
})
