import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { expect, test } from 'vitest'
import { doubtsOf, looksOf } from './doubts.ts'

const likely = (confidence: number) => ({ value: 5, status: 'verified', confidence }) as const
const evidence: EvidenceMap = {
  '/number': { status: 'verified', confidence: 0.97 },
  '/total': { status: 'verified', confidence: 0.9 },
  '/lines/0/price': { status: 'normalised', confidence: 0.7 },
  '/lines/1/price': { status: 'derived', confidence: 0.6 },
  '/guess': { status: 'unsupported', confidence: 0.9 },
  '/weak': { status: 'verified', confidence: 0.4 },
  '/due': { status: 'unsupported', confidence: 0, candidates: [likely(0.6)] },
  '/tax': { status: 'unsupported', confidence: 0, candidates: [likely(0.3)] },
  '/note': { status: 'unsupported', confidence: 0 },
  '/order': { status: 'unsupported', confidence: 0 },
}
const answer = {
  response: {
    ...{ number: 'A-1', total: 19, lines: [{ price: 1 }, { price: 2 }], guess: 7, weak: 8 },
    ...{ due: null, tax: null, note: null, order: null },
  },
  evidence,
  warnings: [{ code: 'sums_do_not_add_up', path: '/total', message: '' }],
  schema: { type: 'object', properties: {}, required: ['order'] },
  unsure: ['/total'],
}
const completeness = { asked: 9, found: 6, notFound: 3, lowConfidence: 2, maxWrongRate: 0.02, listed: [] }
const looks = (below: number | undefined) => looksOf({ ...answer, completeness }, below)

test('without a review rule, what is not sure enough for the promise needs a look, and what was left out though it is likely', () => {
  expect(looks(undefined)).toEqual({ needsLook: ['/total', '/guess', '/weak', '/due'], completeness })
})

test('with a review rule, what is below it, what a warning names, and what is required and missing', () => {
  expect(looks(0.8)).toEqual({
    needsLook: ['/total', '/lines/0/price', '/lines/1/price', '/guess', '/weak', '/due', '/tax', '/order'],
    // The prices are one field.
    completeness: { ...completeness, lowConfidence: 3, reviewBelow: 0.8 },
  })
  expect(looks(0.5).needsLook).toEqual(['/total', '/guess', '/weak', '/due', '/order'])
  expect(looks(0)).toMatchObject({ needsLook: [], completeness: { lowConfidence: 0 } })
})

test('the reasons of a review begin with the least sure, and an absent optional field is none', () => {
  const reasons = doubtsOf(answer, 0.5)
  expect(reasons.map(({ path, code, confidence }) => [path, code, confidence])).toEqual([
    ['/order', 'missing', 0],
    ['/total', 'sums_do_not_add_up', 0],
    ['/weak', 'low_confidence', 0.4],
    ['/due', 'low_confidence', 0.4],
    ['/guess', 'low_confidence', 0.9],
  ])
})
