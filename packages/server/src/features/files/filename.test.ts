import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition, extensionOf, keptFilename } from './filename.ts'

const anyName = fc.string({ unit: 'binary', maxLength: 120 }).filter((name) => !name.includes('\u0000'))

test('a stored name has no path, no control character, and is never empty', () => {
  fc.assert(
    fc.property(anyName, (sent) => {
      const kept = keptFilename(sent, ['body'])
      expect(kept).not.toMatch(/[/\\]|\p{Cc}/u)
      expect(['', '.', '..']).not.toContain(kept)
      expect(kept.isWellFormed()).toBe(true)
    }),
  )
})

test('every stored name round-trips through a header', () => {
  fc.assert(
    fc.property(anyName, (sent) => {
      const kept = keptFilename(sent, ['body'])
      const header = contentDisposition(kept)
      expect(header).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/)
      expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header)
      expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(kept)
    }),
  )
})

test('the extension is the last part of the name in lower case, and a name of only an extension has none', () => {
  const cases = [
    ['a.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['.env', ''],
    ['a', ''],
    ['a.', ''],
    ['a.b c', ''],
    ['März.csv', 'csv'],
  ] as const
  for (const [name, extension] of cases) expect(extensionOf(name), name).toBe(extension)
})
