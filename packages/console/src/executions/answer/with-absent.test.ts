import { expect, test } from 'vitest'
import { withAbsent } from './with-absent.ts'

const answer = { number: 'A-1', due: null, tax: 19, rows: [{ 'a/b': 1 }], note: null, sum: 5 }

test('places that an answer lacks are added as null, and nothing else changes', () => {
  const doubts = new Set(['/order', '/vendor/vat_id', '/rows/0/tax', '/sum', '/due', '/rows/9/tax', '/number/x', ''])
  expect(withAbsent(answer, doubts)).toEqual({
    ...answer,
    order: null,
    vendor: { vat_id: null },
    rows: [{ 'a/b': 1, tax: null }],
  })
  expect(withAbsent(answer, new Set(['/due', '/rows/0/a~1b', '/rows']))).toBe(answer)
})
