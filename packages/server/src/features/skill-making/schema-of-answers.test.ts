import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from '../../agent/schema/compile-schema.ts'
import { schemaOfAnswers } from './schema-of-answers.ts'

test('every answer is valid for the schema inferred from it and others', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), (values) => {
      const { problemsOf } = compileSchema(schemaOfAnswers(values as Json[]))
      for (const value of values) expect(problemsOf(value as Json)).toEqual([])
    }),
  )
})

test('an answer without a property is valid, even if every object inherits one of that name', () => {
  const values = JSON.parse('[{"valueOf": false, "constructor": "x"}, {}]') as Json[]
  const { problemsOf } = compileSchema(schemaOfAnswers(values))
  for (const value of values) expect(problemsOf(value)).toEqual([])
})

test('common properties are required, properties that are sometimes null are nullable, and nothing else is valid', () => {
  const schema = schemaOfAnswers([
    { vendor: 'Acme', total: 5, lines: [{ name: 'a' }] },
    { vendor: 'Bo', total: 2.5, lines: [], note: 'x' },
  ])
  expect(schema).toEqual({
    type: 'object',
    properties: {
      vendor: { type: ['string', 'null'] },
      total: { type: ['number', 'null'] },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: ['string', 'null'] } }, required: ['name'] },
      },
      note: { type: ['string', 'null'] },
    },
    required: ['vendor', 'total', 'lines'],
  })
})
