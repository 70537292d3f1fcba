import { expect, test } from 'vitest'
import { printable } from './render.ts'

test('printed names contain no control or bidirectional characters', () => {
  expect(printable('bill\u202Efdp.exe\u001B[2J\u2069.')).toBe('bill fdp.exe [2J .')
  expect(printable('חשבונית.pdf')).toBe('חשבונית.pdf')
})
