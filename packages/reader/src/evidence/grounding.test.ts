import { expect, test } from 'vitest'
import { groundedAnswer, withoutClaims } from './grounding.ts'

test('only a property beside the field that it claims to describe is removed', () => {
  const answer = { total: 1, total_metadata: 'a claim', toString_metadata: 'an answer' }
  expect(withoutClaims(answer, null)).toEqual({ total: 1, toString_metadata: 'an answer' })
})

test('a field named __proto__ keeps its value beside its evidence', () => {
  const answer = JSON.parse('{"__proto__": "x"}')
  const evidence = JSON.parse('{"/__proto__": {"status": "verified", "confidence": 1}}')
  expect(JSON.stringify(groundedAnswer(answer, evidence))).toBe(
    '{"__proto__":"x","__proto___metadata":{"confidence":"hi","bboxes":[]}}',
  )
})
