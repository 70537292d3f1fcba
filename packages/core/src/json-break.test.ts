import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonBreak } from './json-break.ts'

const text = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const cut = fc
  .tuple(text, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map(([whole, share]) => ({ whole, at: Math.floor(whole.length * share) }))

describe('the position where JSON breaks', () => {
  test('is its end if it was truncated, wherever that was', () => {
    fc.assert(
      fc.property(cut, ({ whole, at }) => {
        expect(findJsonBreak(whole.slice(0, at))).toBe(at)
      }),
    )
  })

  test('is a character that JSON never contains, wherever that is', () => {
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
  ])('of %s is %i', (broken, at) => {
    expect(findJsonBreak(broken)).toBe(at)
  })
})
