import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffOf, excerptOf } from './diff.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

test('both texts can be reconstructed from a diff, line by line with numbers', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffOf(before, after)
      const of = (kind: 'removed' | 'added') =>
        lines
          .filter((line) => line.kind === 'same' || line.kind === kind)
          .map((line) => `${line.text}\n`)
          .join('')
      expect(of('removed')).toBe(before)
      expect(of('added')).toBe(after)
      const numbers = lines.flatMap((line) => line.before ?? [])
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    }),
  )
})

test('the diff is minimal', () => {
  const kinds = (before: string, after: string) => diffOf(before, after).map(({ kind }) => kind)
  expect(kinds('a\nb\nc', 'a\nx\nc')).toEqual(['same', 'removed', 'added', 'same'])
  expect(kinds('a\nb\nc', 'a\nb\nnew\nc')).toEqual(['same', 'same', 'added', 'same'])
  fc.assert(
    fc.property(text, (same) => {
      expect(kinds(same, same)).not.toContain('added')
      expect(kinds(same, same)).not.toContain('removed')
    }),
  )
})

test('an excerpt omits lines far from a change, with one marker per gap', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index}`)
  const after = before.with(15, 'another')
  const excerpt = excerptOf(diffOf(before.join('\n'), after.join('\n')))
  expect(excerpt.map((line) => line?.text)).toEqual([
    undefined,
    'line 12',
    'line 13',
    'line 14',
    'line 15',
    'another',
    'line 16',
    'line 17',
    'line 18',
    undefined,
  ])
})
