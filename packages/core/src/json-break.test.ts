import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonBreak } from './json-break.ts'

const text = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const cut = fc
  .tuple(text, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map(([whole, share]) => ({ whole, at: Math.floor(whole.length * share) }))

describe('JSON breaks', () => {
  test('at its end where it was cut off, wherever that was', () => {
    fc.assert(
      fc.property(cut, ({ whole, at }) => {
        expect(findJsonBreak(whole.slice(0, at))).toBe(at)
      }),
    )
  })

  test('at a character that JSON has nowhere, wherever that stands', () => {
    fc.assert(
      fc.property(cut, ({ whole, at }) => {
        expect(findJsonBreak(`${whole.slice(0, at)}\u0001${whole.slice(at)}`)).toBe(at)
      }),
    )
  })

  test.each([
    ['# heading', 0],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a": tru}', 9],
    ['{"a": undefined}', 6],
    ['{"a":1}x', 7],
    ['{"a":1]', 6],
    ['[01]', 2],
    ['[1.]', 3],
    ['[1.e5]', 3],
    ['[1e+]', 4],
    ['[+1]', 1],
    ['["\\x"]', 3],
    ['["\\u12g4"]', 6],
    ['{1:2}', 1],
    ['[', 1],
    ['', 0],
  ])('%s at %i', (broken, at) => {
    expect(findJsonBreak(broken)).toBe(at)
  })
})
