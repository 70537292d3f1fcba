import { readdir, readFile } from 'node:fs/promises'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import checkSchema from './check-schema.job.ts'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'
import { surelyCompiles, surelyHolds } from './plain-schema.ts'

const samples = new URL('../../../../../samples/', import.meta.url)

const invoice: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    number: { type: 'string', description: 'As printed' },
    total: { type: ['number', 'null'], minimum: 0 },
    currency: { enum: ['EUR', 'USD'] },
    lines: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    },
  },
  required: ['number', 'total'],
  additionalProperties: false,
}
const good: Json = { number: '7', total: null, currency: 'EUR', lines: [{ count: 1 }, { count: 2, note: 'x' }] }

describe('the fast check', () => {
  test('accepts a usual answer without the process pool', () => {
    expect(surelyHolds(invoice, good)).toBe(true)
  })

  test.each<[string, Json]>([
    ['lacks a required field', { number: '7' }],
    ['has a field too many', { number: '7', total: 1, more: 1 }],
    ['has text for a number', { number: '7', total: '1' }],
    ['is below a bound', { number: '7', total: -1 }],
    ['is none of an enum', { number: '7', total: 1, currency: 'CHF' }],
    ['has too many items', { number: '7', total: 1, lines: [1, 2, 3, 4].map((count) => ({ count })) }],
    ['has a fraction for a whole number', { number: '7', total: 1, lines: [{ count: 1.5 }] }],
    ['is no object', []],
  ])('does not accept one that %s', (_what, answer) => {
    expect(surelyHolds(invoice, answer)).toBe(false)
  })

  test.each<[string, JsonSchema, Json]>([
    ['a pattern', { type: 'string', pattern: '^a' }, 'a'],
    ['a format', { type: 'string', format: 'date' }, '2026-01-01'],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'a'],
    ['alternatives', { anyOf: [{ type: 'string' }] }, 'a'],
    ['a keyword that nobody knows', { type: 'string', 'x-length': 1 }, 'a'],
    ['a field of a name that every object has', { type: 'object', properties: {} }, { constructor: 1 }],
  ])('%s is left to the process pool, even if valid', (_what, schema, answer) => {
    expect(surelyHolds(schema, answer)).toBe(false)
  })

  test('a large answer is left to the process pool', () => {
    const list = { type: 'array', items: { type: 'integer' } }
    expect(surelyHolds(list, [1, 2, 3])).toBe(true)
    expect(
      surelyHolds(
        list,
        Array.from({ length: 10_000 }, () => 1),
      ),
    ).toBe(false)
  })

  test('everything that the fast check accepts, the compiled schema accepts too', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
    const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')
    const names = fc.constantFrom('a', 'b', 'c', 'toString')
    const { schema } = fc.letrec<{ schema: JsonSchema; inner: JsonSchema }>((tie) => ({
      inner: fc.oneof({ maxDepth: 2 }, fc.record({ type: types }), tie('schema')) as fc.Arbitrary<JsonSchema>,
      schema: fc.record(
        {
          type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1 })),
          properties: fc.dictionary(names, tie('inner'), { maxKeys: 3 }),
          required: fc.uniqueArray(names),
          additionalProperties: fc.oneof(fc.boolean(), tie('inner')),
          items: tie('inner'),
          enum: fc.uniqueArray(scalar, { minLength: 1, selector: (one) => JSON.stringify(one) }),
          minimum: fc.integer({ min: -5, max: 5 }),
          maxItems: fc.nat(3),
          nullable: fc.constant(true),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonSchema>,
    }))
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(names, tie('value'), { maxKeys: 3 }),
      ) as fc.Arbitrary<Json>,
    }))
    let held = 0
    fc.assert(
      fc.property(schema, value, (one, answer) => {
        const parsed = JSON.parse(JSON.stringify(answer)) as Json
        if (!surelyHolds(one, parsed)) return
        held += 1
        // Schemas that the compiler rejects are not accepted with a request either.
        let compiled: CompiledSchema
        try {
          compiled = compileSchema(one)
        } catch {
          return
        }
        expect(compiled.problemsOf(parsed)).toEqual([])
      }),
      { numRuns: 500 },
    )
    expect(held).toBeGreaterThan(10)
  })

  test('everything that surely compiles does, and the usual schemas of extractions are among it', async () => {
    const names = await readdir(samples)
    for (const name of names.filter((one) => one.endsWith('.schema.json')))
      expect(surelyCompiles(JSON.parse(await readFile(new URL(name, samples), 'utf8'))), name).toBe(true)
    const odd = fc.constantFrom<Json>(null, true, -1, 1.5, '', 'string', [], ['a', 'a'], [null], {}, { type: 'text' })
    const usual: Readonly<Record<string, fc.Arbitrary<Json>>> = {
      type: fc.constantFrom<Json>('string', 'object', 'array', ['number', 'null'], 'integer'),
      properties: fc.constantFrom<Json>(
        {},
        { a: { type: 'string' } },
        { a: { enum: ['x', 'y'] }, b: { type: 'array' } },
      ),
      required: fc.constantFrom<Json>([], ['a'], ['a', 'b']),
      additionalProperties: fc.constantFrom<Json>(false, true, { type: 'null' }),
      items: fc.constantFrom<Json>({ type: 'string' }, { type: 'object', properties: { a: { type: 'null' } } }),
      enum: fc.constantFrom<Json>(['a'], ['a', 1, null]),
      format: fc.constantFrom<Json>('date', 'email', 'date-time'),
      minimum: fc.constantFrom<Json>(0, 5),
      maxItems: fc.constantFrom<Json>(0, 3),
      description: fc.string(),
      pattern: fc.constantFrom<Json>('^a', '('),
    }
    const schemas = fc.record(
      Object.fromEntries(
        Object.entries(usual).map(([keyword, said]) => [
          keyword,
          fc.oneof({ weight: 9, arbitrary: said }, { weight: 1, arbitrary: odd }),
        ]),
      ),
      { requiredKeys: ['type'] },
    ) as fc.Arbitrary<JsonSchema>
    let sure = 0
    fc.assert(
      fc.property(schemas, (schema) => {
        if (!surelyCompiles(schema)) return
        sure += 1
        expect(checkSchema({ schema })).toBeNull()
      }),
      { numRuns: 1_000 },
    )
    expect(sure).toBeGreaterThan(50)
  })
})
