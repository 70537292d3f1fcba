import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../wire.ts'
import { fieldsOf, formFieldsMax, formFieldsOf, newField, problemOf, schemaOf } from './schema-form.ts'

const orNull = (type: string): fc.Arbitrary<Json> => fc.constantFrom<Json>(type, [type, 'null'])
const described = fc.record({ description: fc.string({ minLength: 1 }) }, { requiredKeys: [] })
const plain = fc
  .constantFrom('string', 'number', 'integer', 'boolean')
  .chain((type) => fc.record({ type: orNull(type) }))
const others = fc.constantFrom<Json>(
  { type: 'string', format: 'date' },
  { type: ['string', 'null'], format: 'date', examples: ['2026-01-31'] },
  { type: 'string', enum: ['a', 'b'] },
  { type: 'array', items: { type: 'string' }, maxItems: 3 },
  { type: 'array', items: { type: 'number' } },
  { anyOf: [{ type: 'string' }, { type: 'number' }] },
  { $ref: '#/$defs/x' },
  {},
  true,
)
const names = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__')

const { schema } = fc.letrec<{ schema: JsonObject; property: Json }>((tie) => ({
  schema: fc.dictionary(names, tie('property'), { maxKeys: 4 }).chain((properties) =>
    fc.record({
      type: fc.constant('object'),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
      additionalProperties: fc.boolean(),
    }),
  ) as fc.Arbitrary<JsonObject>,
  property: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(plain, described).map(([type, description]) => ({ ...type, ...description })),
    others,
    tie('schema'),
    tie('schema').map((items) => ({ type: ['array', 'null'], items })),
  ),
}))

describe('the form of a schema', () => {
  test('round-trips every schema that it can show, including unknown keywords', () => {
    fc.assert(
      fc.property(schema, (one) => {
        const fields = fieldsOf(one)
        expect(fields).toBeDefined()
        expect(schemaOf(fields ?? [], one)).toEqual(one)
      }),
    )
  })

  test.each([[{ type: 'string' }], [true], [{ anyOf: [] }], [{ type: 'array', items: {} }]])(
    'leaves %j to the JSON',
    (one) => {
      expect(fieldsOf(one)).toBeUndefined()
    },
  )

  test('makes a new field nullable and required', () => {
    expect(schemaOf([{ ...newField(), name: 'total', kind: 'number' }], {})).toEqual({
      type: 'object',
      properties: { total: { type: ['number', 'null'] } },
      required: ['total'],
      additionalProperties: false,
    })
  })

  test('reports duplicate and empty field names', () => {
    const field = (name: string) => ({ ...newField(), name })
    expect(problemOf([field('a'), field('b')])).toBe('')
    expect(problemOf([field('a'), field('a')])).toBe('Two fields are named a.')
    expect(problemOf([{ ...field('rows'), kind: 'rows', fields: [field('')] }])).toBe('Enter a name for every field.')
  })
})

test('leaves a schema with too many fields as JSON, however deep they are', () => {
  const wide = (many: number): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: many }, (_, index) => [`f${index}`, { type: 'string' }])),
  })
  expect(formFieldsOf(wide(formFieldsMax))).toHaveLength(formFieldsMax)
  expect(formFieldsOf(wide(formFieldsMax + 1))).toBeUndefined()
  expect(
    formFieldsOf({ type: 'object', properties: { rows: { type: 'array', items: wide(formFieldsMax) } } }),
  ).toBeUndefined()
})
