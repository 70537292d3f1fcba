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
})

test('with a rule that asks for no review, the same as without one', () => {
  expect(looks(0)).toEqual(looks(undefined))
})

test('an answer from one of several documents in a file is doubted as a whole by a review rule', () => {
  const warnings = ['several_documents', 'several_inputs'].map((code) => ({ code, path: '', message: '' }))
  const given = { response: { number: 'A-1' }, evidence: { '/number': answer.evidence['/number'] }, schema: null }
  const sure = { ...given, warnings } as Parameters<typeof doubtsOf>[0]
  expect(doubtsOf(sure, 0.8)).toEqual([{ path: '', code: 'several_documents', confidence: 0 }])
  expect(looksOf(sure, 0.8).needsLook).toEqual([])
})

test('properties whose names are numbers are fields of their own', () => {
  const low = { status: 'verified', confidence: 0.5 } as const
  const evidence: EvidenceMap = { '/1': low, '/2': low, '/rows/0/2024': low, '/rows/1/2024': low }
  const response = { '1': 'a', '2': 'b', rows: [{ '2024': 1 }, { '2024': 2 }] }
  const given = { response, evidence, warnings: [], schema: null, completeness }
  expect(looksOf(given, 0.9).completeness).toMatchObject({ lowConfidence: 3 })
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

test('what has no evidence of its own needs a look too: an absent required field, and a row or list that a warning names', () => {
  const rows = { order: null, lines: [{ price: 1, tax: 2 }, { price: 3 }] }
  const schema = {
    type: 'object',
    properties: { lines: { type: 'array', items: { type: 'object', required: ['price', 'tax'] } } },
    required: ['order', 'number'],
  }
  const warnings = [
    { code: 'row_does_not_add_up', path: '/lines/0', message: '' },
    { code: 'list_incomplete', path: '/lines', message: '' },
    // About an input, and about the whole.
    { code: 'page_unread', path: '/inputs/scan', message: '' },
    { code: 'no_path', path: '', message: '' },
    { code: 'evidence_truncated', path: '/lines/1', message: '' },
  ]
  const evidence: EvidenceMap = { '/lines/1/price': { status: 'verified', confidence: 0.6 } }
  const given = { response: rows, evidence, warnings, schema }
  expect(looksOf(given, 0.9).needsLook).toEqual([
    ...['/lines/1/price', '/order', '/number', '/lines/1/tax', '/lines/0', '/lines'],
  ])
  expect(looksOf(given, 0).needsLook).toEqual([])
  expect(looksOf(given, undefined).needsLook).toEqual([])
})

test('an empty list is no value: it needs a look if the schema requires one, or a candidate was left out', () => {
  const evidence: EvidenceMap = { '/lines': { status: 'unsupported', confidence: 0 } }
  const given = { response: { lines: [] }, evidence, warnings: [], schema: { type: 'object' } }
  expect([looksOf(given, 0.9).needsLook, looksOf(given, undefined).needsLook]).toEqual([[], []])
  expect(doubtsOf({ ...given, schema: { type: 'object', required: ['lines'] } }, 0.9)).toEqual([
    { path: '/lines', code: 'missing', confidence: 0 },
  ])
})

test('of an answer without evidence every value needs a look, if there is a review rule', () => {
  const given = { response: { a: 1, b: [{ c: 'x' }, null], d: null }, evidence: null, warnings: [], schema: null }
  expect(looksOf(given, 0.5).needsLook).toEqual(['/a', '/b/0/c'])
  expect(looksOf({ ...given, response: 'text' }, 0.5).needsLook).toEqual([''])
  expect(looksOf(given, 0).needsLook).toEqual([])
  expect(looksOf(given, undefined).needsLook).toEqual([])
  const whole = { ...given, response: 'text', evidence: { '': { status: 'verified', confidence: 0.6 } } as const }
  expect([looksOf(whole, 0.5).needsLook, looksOf(whole, 0.7).needsLook]).toEqual([[], ['']])
})
