import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('bidirectional control characters are shown as codes; letters of every script stay', () => {
  expect(visible('bill\u202Efdp.exe')).toBe('bill⟨U+202E⟩fdp.exe')
  expect(visible('\u2066a\u2069')).toBe('⟨U+2066⟩a⟨U+2069⟩')
  expect(visible('חשבונית.pdf فاتورة.pdf')).toBe('חשבונית.pdf فاتورة.pdf')
})
