import { describe, expect, test } from 'vitest'
import { answerGrammar, paramsGrammar, withoutFillers } from './grammar-schema.ts'

describe('the grammar of an answer', () => {
  test("has the schema's choices and nullable fields", () => {
    const schema = {
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A name' },
        b: { type: ['number', 'null'], minimum: 0 },
        c: { enum: ['x', null] },
        d: { type: 'array', items: { type: 'object', properties: { e: { type: 'string' } }, required: ['e'] } },
      },
      required: ['d'],
    }
    expect(answerGrammar(schema)).toEqual({
      type: 'object',
      properties: {
        a: { oneOf: [{ type: 'string' }, { type: 'null' }], description: 'A name' },
        b: { oneOf: [{ type: 'number' }, { type: 'null' }] },
        c: { enum: ['x', null] },
        d: {
          type: 'array',
          items: { type: 'object', properties: { e: { type: 'string' } }, additionalProperties: false },
        },
      },
      additionalProperties: false,
    })
  })

  test.each([
    ['a field that may be left out but not be null', { properties: { a: { type: 'number' } } }],
    ['a reference', { properties: { a: { $ref: '#/$defs/a' } }, required: ['a'], $defs: { a: { type: 'number' } } }],
    ['allOf', { properties: { a: { allOf: [{ type: 'number' }] } }, required: ['a'] }],
    ['an enum of objects', { properties: { a: { enum: [{ b: 1 }] } }, required: ['a'] }],
  ])('is absent for %s: nothing is forced that the schema does not require', (_what, schema) => {
    expect(answerGrammar({ type: 'object', ...schema })).toBeNull()
  })

  test('allows any value where the schema says nothing', () => {
    const grammar = answerGrammar({ type: 'object', properties: { a: {} }, required: ['a'] })
    expect(JSON.stringify(grammar)).toContain('"additionalProperties":true')
  })
})

describe('the grammar of parameters', () => {
  const schema = {
    type: 'object',
    properties: {
      page: { type: 'integer' },
      from: { type: 'integer' },
      where: { $ref: '#/$defs/x' },
      marks: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
    },
    required: ['page', 'marks'],
  }

  test('allows null for optional parameters, and these nulls are removed', () => {
    const { properties } = paramsGrammar(schema) as { properties: Record<string, unknown> }
    expect(properties['page']).toEqual({ type: 'integer' })
    expect(properties['from']).toEqual({ oneOf: [{ type: 'integer' }, { type: 'null' }] })
    const given = { page: 1, from: null, marks: [{ label: null }, { label: 'x' }] }
    expect(withoutFillers(given, schema)).toEqual({ page: 1, marks: [{}, { label: 'x' }] })
  })

  test('keeps a meaningful null', () => {
    const nullable = { type: 'object', properties: { a: { type: ['string', 'null'] } } }
    expect(withoutFillers({ a: null }, nullable)).toEqual({ a: null })
    expect(withoutFillers({ where: null }, schema)).toEqual({ where: null })
  })
})
