import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService({ ownParts: true }))

const execute = (body: unknown, key = service.key) => service.call('POST', '/v1/agent/execute', { body, key })
const find = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json

const endless = { properties: { note: { type: 'string', pattern: '^(a+)+$' } }, required: ['note'] }
const hostile = { inputs: { text: `Note: ${'a'.repeat(41)}!` }, config: { json_schema: endless } }

test('while one workspace matches endless patterns, others are answered; each pattern ends with a message that names its location', async () => {
  const stranger = await service.stranger()
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await execute(hostile)).json.id as string))
  const inputs = { text: invoiceLines.join('\n') }
  const priority = await execute(
    { batch: false, inputs, config: { json_schema: invoiceSchema, service_tier: 'priority' } },
    stranger,
  )
  const fresh = { type: 'object', properties: { [`field_${crypto.randomUUID()}`]: { type: 'string' } } }
  const accepted = await execute({ inputs, config: { json_schema: fresh } }, stranger)
  const meanwhile = await Promise.all(ids.map(find))

  expect(priority.json).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041' } })
  expect(accepted.status).toBe(201)
  expect(meanwhile.some(({ status }) => status !== 'failed')).toBe(true)
  for (const id of ids) {
    await expect.poll(async () => (await find(id)).status, { timeout: 50_000, interval: 200 }).toBe('failed')
    expect((await find(id)).error).toMatchObject({
      code: 'schema_too_costly',
      message: expect.stringContaining('/properties/note/pattern'),
    })
  }
})

test.each([
  ['that is its own reference', { $ref: '#' }, ['$ref'], /property or an item/],
  [
    'with an unknown type',
    { properties: { 'a/b': { type: 'txt' } } },
    ['properties', 'a/b', 'type'],
    /^Type should be one of array, boolean/,
  ],
  [
    'with a broken pattern',
    { properties: { a: { pattern: '(' } } },
    ['properties', 'a', 'pattern'],
    /regular expression/,
  ],
])('a schema %s is a 422 with the location of the mistake', async (_name, json_schema, loc, words) => {
  const { status, json } = await execute({ inputs: { text: 'x' }, config: { json_schema } })
  expect([status, json.detail[0].loc]).toEqual([422, ['body', 'config', 'json_schema', ...loc]])
  expect(json.detail[0].msg).toMatch(words)
})

test('a schema of 5,000 described fields is answered', async () => {
  const field = { type: ['string', 'null'], description: 'd'.repeat(150) }
  const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, field]))
  const { json } = await execute({ batch: false, inputs: { text: 'Hello' }, config: { json_schema: { properties } } })
  expect([json.error.code, Object.keys(json.response).length]).toEqual(['nothing_found', 5_000])
  expect([json.completeness.asked, json.warnings]).toEqual([5_000, []])
})

test('a server leaves no input of a caller behind, only its own empty folder', async () => {
  const folders = (await readdir(service.dataFolder)).filter((name) => name.startsWith('tmp-'))
  expect(folders).toHaveLength(1)
  // Each child process has its own folder, which is empty between jobs.
  const left = await readdir(join(service.dataFolder, folders[0] ?? ''), { recursive: true })
  expect(left.filter((name) => !/^child-[-0-9a-f]{36}$/.test(name))).toEqual([])
})
