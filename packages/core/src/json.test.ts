import { expect, test } from 'vitest'
import { valueAt } from './json.ts'

test('a pointer leads through lists and escaped names, and not to properties that every object has', () => {
  const answer = { number: 'A-1', rows: [{ 'a/b': 1 }] }
  expect(valueAt(answer, '/rows/0/a~1b')).toBe(1)
  expect(valueAt(answer, '/rows/7/x')).toBeUndefined()
  expect(valueAt(answer, '')).toBe(answer)
  expect(valueAt(answer, '/rows/length')).toBeUndefined()
  expect(valueAt(answer, '/number/constructor')).toBeUndefined()
})
