import { expect, test } from 'vitest'
import { reasonsText } from './reasons.ts'

const low = (path: string) => ({ path, code: 'low_confidence', confidence: 0.5 })

test('fields are named for people, those of a list once with their number', () => {
  expect(reasonsText([low('/total'), low('/vendor/vat_id'), low('/line_items/0/sku'), low('/line_items/1/sku')])).toBe(
    'Total, Vendor VAT ID, Line items (2)',
  )
})

test('any other reason than low confidence is said', () => {
  const of = (path: string, code: string) => ({ path, code, confidence: 0 })
  expect(reasonsText([of('/due_date', 'missing'), of('', 'no_evidence'), of('/rows/2', 'row_does_not_add_up')])).toBe(
    'Due date is missing, The answer has no evidence, Rows: row does not add up',
  )
})

test('many reasons are cut off with their number', () => {
  expect(reasonsText(['/a', '/b', '/c', '/d', '/e', '/f'].map(low))).toBe('A, B, C, D, and 2 more')
})
