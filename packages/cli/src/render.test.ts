import { expect, test } from 'vitest'
import { printable } from './render.ts'

test('what a terminal would obey is not in a printed name: control characters and turns of direction', () => {
  expect(printable('bill\u202Efdp.exe\u001B[2J\u2069.')).toBe('bill fdp.exe [2J .')
  expect(printable('חשבונית.pdf')).toBe('חשבונית.pdf')
})
