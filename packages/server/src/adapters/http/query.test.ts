import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { moment, queryInteger } from './query.ts'
import { parsePart, ValidationFailure } from './validation.ts'

function detailOf(schema: z.ZodType, value: unknown) {
  try {
    parsePart(z.object({ it: schema }), { it: value }, 'query')
  } catch (error) {
    return error instanceof ValidationFailure ? error.details[0] : error
  }
  return undefined
}

const ten = queryInteger({ min: -3, max: 1000, fallback: 10 }, 'How many')

describe('an integer parameter', () => {
  test('is parsed from decimal digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3, max: 1000 }), (value) => ten.parse(String(value)) === value),
      { numRuns: 50 },
    )
    expect([ten.parse(undefined), ten.parse('007')]).toEqual([10, 7])
  })

  test.each(['abc', '', ' ', '1e2', '0x10', '1.0', '+5', '1_000', 'Infinity', 'NaN', '٣', '5 ', 'null'])(
    '%j is refused, and the error repeats it unchanged',
    (text) => expect(detailOf(ten, text)).toMatchObject({ loc: ['query', 'it'], type: 'integer_type', input: text }),
  )

  test.each([
    ['-4', 'greater_than_equal', { ge: -3 }],
    ['1001', 'less_than_equal', { le: 1000 }],
    ['9'.repeat(400), 'less_than_equal', { le: 1000 }],
  ])('%s is out of bounds', (text, type, ctx) => expect(detailOf(ten, text)).toMatchObject({ type, ctx, input: text }))
})

describe('a time parameter', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T02:00:00.5+02:00', '2026-01-01T00:00:00.500Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => expect(moment().parse(text).toISOString()).toBe(iso))

  test.each([
    'yesterday',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '2026-01-01T00:00:00+23:59',
    '2026-01-01T00:00:00-16:00',
    '9999-12-31T23:59:59-01:00',
    '-271821-04-20T00:00:00.000Z',
    '+010000-01-01T00:00:00Z',
  ])('%s is invalid, and returned as sent', (text) =>
    expect(detailOf(moment(), text)).toMatchObject({ loc: ['query', 'it'], input: text }),
  )

  test('may be a date where dates are allowed', () => {
    const either = moment({ dates: true })
    expect(either.parse('2026-03-16').toISOString()).toBe('2026-03-16T00:00:00.000Z')
    expect(either.parse('2026-03-16T12:00:00Z').toISOString()).toBe('2026-03-16T12:00:00.000Z')
    for (const text of ['1969-12-31', '2026-02-30', '2026-01-01T00:00:00+23:59'])
      expect(detailOf(either, text)).toMatchObject({ input: text })
  })

  test('names the allowed formats', () => {
    for (const text of ['yesterday', '2026-13-01', '2026-01-01T00:00:00', '2026-02-30', '']) {
      expect(detailOf(moment({ dates: true }), text), text).toMatchObject({
        msg: 'Input should be a date, such as 2026-01-31, or a date and time in ISO 8601 with an offset, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00',
      })
      expect(detailOf(moment(), text), text).toMatchObject({
        msg: 'Input should be a date and time in ISO 8601 with an offset, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00',
      })
    }
  })
})
