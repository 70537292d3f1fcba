import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonSchema } from '../packages/core/src/json.ts'
import checkAnswer from '../packages/server/src/agent/check-answer.job.ts'
import { openTestService, type TestService } from './support/service.ts'

const holds = (schema: JsonSchema, answer: Json): boolean => checkAnswer({ schema, answer }).length === 0

/** The keyword `then`, built this way because an object literal with it looks like a promise. */
const consequence = (schema: Json): JsonSchema => Object.fromEntries([['then', schema]])

const draft7 = 'http://json-schema.org/draft-07/schema#'

describe('verdicts', () => {
  test.each<[JsonSchema, Json, boolean]>([
    [{ contains: true, unevaluatedItems: false }, ['yes'], true],
    [{ contains: { const: 1 }, unevaluatedItems: false }, [1, true], false],
    [{ contains: { type: 'string' }, unevaluatedItems: { type: 'boolean' } }, ['yes', false], true],
    [{ contains: { type: 'string' }, unevaluatedItems: false }, ['yes', false], false],
    [{ anyOf: [{ contains: { const: 'yes' } }, true], unevaluatedItems: { type: 'boolean' } }, ['yes', 'no'], false],
    [{ anyOf: [{ prefixItems: [true, { const: 'no' }] }, true], unevaluatedItems: false }, ['yes', 'no'], true],
    [{ anyOf: [{ prefixItems: [true, { const: 'no' }] }, true], unevaluatedItems: false }, ['yes', false], false],
    [{ anyOf: [{ required: ['a'], properties: { a: {} } }, {}], unevaluatedProperties: false }, { a: 1 }, true],
    [{ anyOf: [{ required: ['a'], properties: { a: {} } }, {}], unevaluatedProperties: false }, { b: 1 }, false],
    [{ additionalProperties: { contains: { anyOf: [true, { type: 'string' }] } } }, { a: [] }, false],
    [{ if: { not: true, if: { const: 1 }, ...consequence({ prefixItems: [true] }) }, else: false }, {}, false],
    [{ if: { required: ['a'] }, ...consequence({ required: ['b'] }) }, { a: 1 }, false],
    [{ $schema: draft7, contains: { const: 1 }, items: [{ type: 'number' }] }, [1, 'x'], true],
    [{ $schema: draft7, contains: { const: 1 } }, [], false],
    [{ properties: { a: { contains: { type: 'string', nullable: true } } } }, { a: [null] }, true],
    [{ contains: { type: 'string', format: 'date' } }, ['2026-02-30'], false],
    [{ contains: { $ref: '#/components/money' }, components: { money: { type: 'number' } } }, ['a', 1], true],
    [{ contains: { type: 'string', pattern: '^\\d{3}\\-\\d$' } }, ['123-4'], true],
    [{ if: true, ...consequence({ required: ['constructor'] }) }, {}, false],
    [{ uniqueItems: true }, [{ valueOf: 1 }, { valueOf: 1 }], false],
    [{ uniqueItems: true }, [{ valueOf: 1 }, { toString: 2 }], true],
    [{ enum: [{ valueOf: 1 }] }, { valueOf: 1 }, true],
  ])('%j with answer %j: %s', (schema, answer, verdict) => {
    expect(holds(schema, answer)).toBe(verdict)
  })

  test('a violation has its location and the violated keyword', () => {
    const schema = { properties: { a: { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false } } }
    expect(checkAnswer({ schema, answer: { a: [1, 'x', 2] } })).toEqual([
      { pointer: '/a/2', message: 'is not allowed' },
    ])
    expect(checkAnswer({ schema, answer: { a: [1] } })).toEqual([
      { pointer: '/a', message: 'violates contains: Array does not contain item matching schema' },
    ])
  })

  test('agree with a second validator on generated schemas and values', async () => {
    const leaf = fc.oneof(
      { weight: 4, arbitrary: fc.constant<Json>(true) },
      { weight: 1, arbitrary: fc.constant<Json>(false) },
      {
        weight: 6,
        arbitrary: fc.constantFrom<Json>({ type: 'string' }, { type: 'boolean' }, { const: 'yes' }, { const: 1 }),
      },
    )
    const { schema } = fc.letrec<{ schema: Json }>((tie) => {
      const inner = tie('schema')
      const pair = fc.array(inner, { minLength: 1, maxLength: 2 })
      const named = fc.dictionary(fc.constantFrom('a', 'b'), inner, { minKeys: 1, maxKeys: 2 })
      const part = fc.oneof(
        fc.record({ prefixItems: pair }),
        fc.record({ items: inner }),
        fc.record({ contains: inner }),
        fc.record({ contains: inner, minContains: fc.nat(2) }),
        fc.record({ properties: named }),
        fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 1 }) }),
        fc.record({ additionalProperties: inner }),
        fc.record({ dependentSchemas: named }),
        fc.record({ anyOf: pair }),
        fc.record({ oneOf: pair }),
        fc.record({ allOf: pair }),
        fc.record({ not: inner }),
        fc.tuple(inner, inner).map(([condition, next]) => ({ if: condition, ...consequence(next) })),
        fc.record({ if: inner, else: inner }),
        fc.constant({ uniqueItems: true }),
      )
      const parts = fc.array(part, { minLength: 1, maxLength: 2 })
      return {
        schema: fc.oneof(
          { maxDepth: 3 },
          leaf,
          parts.map((all) => Object.assign({}, ...all) as Json),
        ),
      }
    })
    const root = fc
      .tuple(
        schema,
        fc.constantFrom({}, { unevaluatedItems: false }, { unevaluatedProperties: false }),
        fc.constantFrom({}, { unevaluatedItems: { type: 'boolean' } }, { unevaluatedProperties: { type: 'string' } }),
      )
      .map(([own, ...more]) => Object.assign({}, typeof own === 'object' ? own : {}, ...more) as JsonSchema)
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<Json>('yes', 'no', 1, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(root, fc.array(value, { minLength: 4, maxLength: 4 }), async (made, values) => {
        const dialect = 'https://json-schema.org/draft/2020-12/schema'
        registerSchema({ ...made } as never, 'https://example.com/made', dialect)
        try {
          for (const one of values) {
            const second = await validate('https://example.com/made', one as never)
            expect([made, one, holds(made, one)]).toEqual([made, one, second.valid])
          }
        } finally {
          unregisterSchema('https://example.com/made')
        }
      }),
      { numRuns: 400, seed: 20_261_122 },
    )
  })
})

describe('over HTTP', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each([
    ['yes, no', 'completed'],
    ['yes, 7', 'failed'],
  ])('an answer of %s is validated against unevaluatedItems beside anyOf: %s', async (told, status) => {
    const list = { type: 'array', anyOf: [{ contains: { const: 'yes' } }, true] }
    const json_schema = { type: 'object', properties: { answers: { ...list, unevaluatedItems: { const: 'no' } } } }
    const values = told.split(', ')
    const body = {
      inputs: { answers: values },
      config: { prompt: 'Extract the answers', json_schema },
    }
    const json = await service.execute(body)
    expect([json.status, json.error?.code ?? null]).toEqual([status, status === 'failed' ? 'schema_violation' : null])
  })
})
