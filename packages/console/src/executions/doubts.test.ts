import { expect, test } from 'vitest'
import { doubtsOf, valueAt } from './doubts.ts'

const answer = { number: 'A-1', due: null, tax: 19, rows: [{ 'a/b': 1 }], note: null, sum: 5 }
const likely = { value: '2026-01-02', status: 'verified', confidence: 0.6 } as const

test('a value without support or below the confidence, and a null with candidates, need a look; an absent field does not', () => {
  const evidence = {
    '/number': { status: 'verified', confidence: 0.95 },
    '/due': { status: 'unsupported', confidence: 0, candidates: [likely] },
    '/tax': { status: 'normalised', confidence: 0.79 },
    '/rows/0/a~1b': { status: 'derived', confidence: 0.8 },
    '/note': { status: 'unsupported', confidence: 0 },
    '/sum': { status: 'unsupported', confidence: 0.9 },
  } as const
  expect(doubtsOf(answer, evidence, 0.8)).toEqual(['/due', '/tax', '/sum'])
  expect(doubtsOf(answer, evidence, 0.96)).toEqual(['/number', '/due', '/tax', '/rows/0/a~1b', '/sum'])
  expect(doubtsOf(answer, evidence, 0.3)).toEqual(['/sum'])
})

test('a pointer leads through lists and escaped names', () => {
  expect(valueAt(answer, '/rows/0/a~1b')).toBe(1)
  expect(valueAt(answer, '/rows/7/x')).toBeUndefined()
  expect(valueAt(answer, '')).toBe(answer)
})
