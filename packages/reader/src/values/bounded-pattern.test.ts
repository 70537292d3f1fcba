import { describe, expect, test } from 'vitest'
import { boundedPatterns, isSimplePattern } from './bounded-pattern.ts'

const stepping = (stepMs: number) => {
  let ms = 0
  return { now: () => new Date(0), monotonicMs: () => (ms += stepMs) }
}
const hostile = `${'a'.repeat(41)}!`

describe('a pattern', () => {
  test('matches as in ECMAScript, with or without Unicode', () => {
    const pattern = boundedPatterns(stepping(0), 1_000)
    expect(pattern('^\\p{L}+$')?.test('Größe')).toBe(true)
    expect(pattern('^(?=.*\\d)[a-z\\d]+$')?.test('abc')).toBe(false)
    expect(pattern('^\\d\\-\\d$')?.test('1-2')).toBe(true)
    expect(pattern('(')).toBeUndefined()
  })

  test('with endless backtracking is stopped, and the error names it', () => {
    const pattern = boundedPatterns(stepping(0), 30)('^(a+)+$')
    expect(() => pattern?.test(hostile)).toThrow(expect.objectContaining({ source: '^(a+)+$' }))
  })

  test('shares its time limit with all patterns of its schema, and each text is matched once', () => {
    const pattern = boundedPatterns(stepping(4_000), 10_000)
    expect(pattern('^(a|b)+$')?.test('ab')).toBe(true)
    expect(pattern('^(a|b)+$')?.test('ab')).toBe(true)
    expect(pattern('^(c|d)+$')?.test('cd')).toBe(true)
    expect(pattern('^(e|f)+$')?.test('ef')).toBe(true)
    expect(() => pattern('^(a|b)+$')?.test('ba')).toThrow(expect.objectContaining({ source: '^(a|b)+$' }))
  })

  test.each([
    ['^\\d{4}-\\d{2}-\\d{2}$', true],
    ['^[A-Z(+*]{2}\\(\\d+\\)$', true],
    ['^(a+)+$', false],
    ['a*a*b', false],
    ['a?a?', false],
    ['a{1,9}b{1,9}', false],
    ['[\\]*]+(', false],
  ])('%s is simple: %s', (source, simple) => {
    expect(isSimplePattern(source)).toBe(simple)
  })
})
