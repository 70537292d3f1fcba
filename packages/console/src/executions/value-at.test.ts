import { expect, test } from 'vitest'
import { valueAt } from './value-at.ts'

const answer = { number: 'A-1', due: null, tax: 19, rows: [{ 'a/b': 1 }], note: null, sum: 5 }

test('a pointer leads through lists and escaped names', () => {
  expect(valueAt(answer, '/rows/0/a~1b')).toBe(1)
  expect(valueAt(answer, '/rows/7/x')).toBeUndefined()
  expect(valueAt(answer, '')).toBe(answer)
})
