import { expect, test } from 'vitest'
import { z } from 'zod'
import { ignoredFields, ignoredHeader } from './ignored-fields.ts'
import { arrayOf } from './schemas.ts'

const schema = z
  .object({
    inputs: z.unknown(),
    model: z.string().nullish(),
    config: z
      .object({
        prompt: z.string().nullish(),
        json_schema: z.looseObject({}).nullish(),
        skills: arrayOf(z.object({ skill_id: z.string(), skill_version: z.string().nullish() }), 10).nullish(),
      })
      .nullish(),
    metadata: z.looseObject({ session_id: z.string().nullish() }).nullish(),
  })
  .nullish()

const ignored = (value: unknown) => ignoredFields(schema, value).map(({ path, nearest }) => [path.join('/'), nearest])

test('unknown fields are reported at every level, with the nearest known name', () => {
  expect(
    ignored({
      input: {},
      prompt: 'x',
      schema: {},
      modle: 'y',
      temperature: 0,
      config: { propmt: 'x', jsonSchema: {}, model: 'z', skills: [{ skill_id: 'a' }, { skillid: 'b', skill_id: 'c' }] },
    }),
  ).toEqual([
    ['input', 'inputs'],
    ['prompt', 'config.prompt'],
    ['schema', 'config.json_schema'],
    ['modle', 'model'],
    ['temperature', undefined],
    ['config/propmt', 'config.prompt'],
    ['config/jsonSchema', 'config.json_schema'],
    ['config/model', 'model'],
    ['config/skills/1/skillid', 'config.skills.skill_id'],
  ])
})

test('null fields, free-form objects, and values without a schema are skipped', () => {
  expect(
    ignored({
      inputs: { anything: { type: 'x' } },
      foo: null,
      metadata: { foo: 1 },
      config: { json_schema: { foo: 1 } },
    }),
  ).toEqual([])
  expect(ignored(null)).toEqual([])
  expect(ignored([1])).toEqual([])
})

test('a body with very many or very long names is only sampled', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]))
  expect(ignored(many)).toHaveLength(20)
  const [[long]] = ignored({ ['x'.repeat(1_000_000)]: 1 }) as [[string]]
  expect(long.length).toBeLessThan(100)
})

test('the header is short and ASCII, whatever the names of the fields are', () => {
  const schema = z.object({ name: z.string() })
  const half = `${'a'.repeat(59)}😀`
  const sent = Object.fromEntries(
    [half, ...Array.from({ length: 19 }, (_, at) => `${'€'.repeat(60)}${at}`)].map((name) => [name, 1]),
  )
  const header = ignoredHeader([{ part: 'body', schema, sent }]) ?? ''
  expect(header).toMatch(/^body\.a{59}%EF%BF%BD%E2%80%A6, body\.%E2%82%AC[\x21-\x7e ]*$/)
  expect(header.length).toBeLessThanOrEqual(4_000)
  expect(ignoredHeader([{ part: 'query', schema, sent: { name: 'x' } }])).toBeUndefined()
})
