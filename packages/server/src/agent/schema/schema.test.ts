import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { describe, expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import checkAnswer from '../check-answer.job.ts'
import checkSchema from './check-schema.job.ts'
import { findSchemaProblem } from './schema.ts'

const problemOf = (schema: JsonSchema) => findSchemaProblem(schema) ?? checkSchema({ schema })

describe('a schema is accepted', () => {
  const fields = (count: number): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `field_${index}`,
        { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'd'.repeat(110) },
      ]),
    ),
  })

  test.each<[string, JsonSchema]>([
    ['with as many described properties as there may be', fields(limits.schemaPropertiesMax)],
    ['that comes back to itself through a property', { properties: { next: { $ref: '#' } } }],
    [
      'that comes back to itself through an item',
      { type: 'array', items: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    ],
    ['that names places by anchors', { properties: { a: { $ref: '#money' } }, $defs: { m: { $anchor: 'money' } } }],
    [
      'whose # means a schema within it',
      {
        properties: { a: { $id: 'https://example.com/a', properties: { b: { $ref: '#/$defs/c' } }, $defs: { c: {} } } },
      },
    ],
    [
      'that points at what no keyword holds',
      { properties: { a: { $ref: '#/components/money' } }, components: { money: { type: 'number' } } },
    ],
    [
      'that points at a place with ~ and / in its name',
      { properties: { a: { $ref: '#/$defs/m~1o~0n%20ey' } }, $defs: { 'm/o~n ey': {} } },
    ],
    ['with a pattern that is one only without Unicode', { type: 'string', pattern: '^\\d{3}\\-\\d{4}$' }],
    ['with a field called pattern', { properties: { pattern: { type: 'string' }, $ref: { type: 'string' } } }],
    [
      'of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: { type: 'string' } },
        items: [{ $ref: '#/definitions/a' }],
      },
    ],
  ])('%s', (_name, schema) => {
    expect(problemOf(schema)).toBeNull()
  })
})

describe('a schema is refused, with the location and what is allowed there', () => {
  const inProperty = (schema: Json): JsonSchema => ({ properties: { a: schema } })
  const chain = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
  )

  test.each<[string, JsonSchema, string, RegExp]>([
    [
      'an unknown type',
      inProperty({ type: 'txt' }),
      '/properties/a/type',
      /^Type should be one of array, boolean, integer, null, number, object, string/,
    ],
    [
      'a text for a schema',
      inProperty('string'),
      '/properties/a',
      /^Each schema should be an object, or true or false$/,
    ],
    ['a text for required', { required: 'a', properties: { a: {} } }, '/required', /array of names/],
    [
      'a list for properties',
      { type: 'array', items: { properties: [] } },
      '/items/properties',
      /^Properties should be an object/,
    ],
    ['a count below zero', inProperty({ minLength: -1 }), '/properties/a/minLength', /non-negative integer/],
    ['alternatives without any', inProperty({ anyOf: [] }), '/properties/a/anyOf', /non-empty array/],
    ['a broken pattern', inProperty({ pattern: '(' }), '/properties/a/pattern', /ECMAScript regular expression/],
    ['a broken name pattern', { patternProperties: { 'x/(': {} } }, '/patternProperties/x~1(', /regular expression/],
    [
      'a pattern too large to run',
      inProperty({ pattern: 'ab'.repeat(200_000) }),
      '/properties/a/pattern',
      /moderate size/,
    ],
    ['a reference to itself', { $ref: '#' }, '/$ref', /without a property or an item/],
    [
      'references in a circle',
      {
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { if: { not: { $ref: '#/$defs/a' } } } },
      },
      '/$defs/a/allOf/0/$ref',
      /refer back to itself/,
    ],
    [
      'a reference to nowhere',
      inProperty({ $ref: '#/$defs/none' }),
      '/properties/a/$ref',
      /point to a place in the schema/,
    ],
    ['a reference elsewhere', inProperty({ $ref: 'https://example.com' }), '/properties/a/$ref', /not fetched/],
    [
      'a long row of references',
      { ...inProperty({ $ref: '#/$defs/d0' }), $defs: { ...chain, d200: {} } },
      expect.stringMatching(/^\/\$defs\/d\d+\/\$ref$/),
      /at most 64 schemas/,
    ],
    [
      'thousands of alternatives',
      inProperty({ oneOf: Array.from({ length: 1_001 }, () => ({})) }),
      '/properties/a/oneOf',
      /at most 1000/,
    ],
    ['what contradicts itself', inProperty({ nullable: true, minimum: 1 }), '', /nullable/],
  ])('%s', (_name, schema, pointer, message) => {
    expect(problemOf(schema)).toEqual({ pointer, message: expect.stringMatching(message) })
  })
})

describe('an answer', () => {
  test('gets every location where it is invalid', () => {
    const schema = {
      properties: { a: { type: 'string', pattern: '^\\d+$' }, b: { enum: ['x', 'y'] } },
      required: ['c'],
    }
    const problems = checkAnswer({ schema, answer: { a: 'z', b: 'z' } })
    expect(problems.map(({ pointer }) => pointer).toSorted()).toEqual(['', '/a', '/b'])
    expect(checkAnswer({ schema, answer: { a: '12', b: 'x', c: null } })).toEqual([])
  })

  test('is also validated against a schema that declares itself asynchronous', () => {
    expect(checkAnswer({ schema: { $async: true, type: 'string' }, answer: 5 })).toHaveLength(1)
  })

  const hostile = `${'a'.repeat(41)}!`
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  )

  test.each<[string, JsonSchema, Json, RegExp]>([
    [
      'a pattern of values or names',
      { properties: { a: { pattern: '^a+$' } }, patternProperties: { '^(a+)+$': {} } },
      { a: hostile, [hostile]: 1 },
      /pattern at \/patternProperties\/\^\(a\+\)\+\$ of the schema takes more than 2 seconds/,
    ],
    [
      'references that double',
      { $ref: '#/$defs/d0', $defs: { ...doubling, d30: { type: 'string' } } },
      'x',
      /^Validating the answer/,
    ],
    [
      'a value as deep as only a hostile one',
      { properties: { a: { $ref: '#' } } },
      deep(100_000),
      /^Validating the answer/,
    ],
  ])('is not validated endlessly against %s', (_name, schema, answer, message) => {
    expect(problemOf(schema)).toBeNull()
    expect(() => checkAnswer({ schema, answer })).toThrow(
      expect.objectContaining({ code: 'schema_too_costly', message: expect.stringMatching(message) }),
    )
  })
})

function deep(levels: number): Json {
  let value: Json = 'end'
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}
