import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalPieces, canonicalSha256 } from './canonical-json.ts'

const written = (value: unknown): string => [...canonicalPieces(value)].join('')

test('the example of RFC 8785, section 3.2.3, is written as the RFC does', () => {
  const example = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet',
    '1': 'One',
    '\ud83d\ude00': 'Emoji',
    '\u0080': 'Control',
    '\u00f6': 'Latin',
  }
  expect(Object.values(JSON.parse(written(example)))).toEqual([
    'One',
    'Carriage Return',
    'Control',
    'Latin',
    'Euro Sign',
    'Emoji',
    'Hebrew Letter Dalet',
  ])
  expect(written([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  )
  expect(written({ literals: [null, true, false], empty: {}, none: [] })).toBe(
    '{"empty":{},"literals":[null,true,false],"none":[]}',
  )
})

test('any JSON is written as JSON of the same value, and its hash is that of the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = written(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(written(JSON.parse(text))).toBe(text)
      expect(await canonicalSha256(value)).toBe(createHash('sha256').update(text).digest('hex'))
    }),
  )
})
