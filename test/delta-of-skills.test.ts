import { describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { zipOf } from './support/zips.ts'

const usage = { inputTokens: 100, outputTokens: 10 }
const model = await opened(
  startMockModel({ script: (request) => ({ text: JSON.stringify(answerTo(request)), usage }) }),
)
const service = await opened(
  openTestService({
    file: { ...fileOfSmallModel(model.baseUrl), routes: { 'svc-agent-1:pro': 'embedded' } },
  }),
)
const engines = [
  ['a language model', 'svc-agent-1:fast'],
  ['the embedded engine', 'svc-agent-1:pro'],
] as const

const slip = 'Slip No: S-41\nWeight: 77.5\nCarrier: Quill Freight'
const found: Readonly<Record<string, Json>> = { slip_no: 'S-41', weight: 77.5, carrier: 'Quill Freight' }

function answerTo({ text }: MockRequest): Json {
  const schema = JSON.parse(/JSON Schema:\n(\{.*\})/.exec(text)?.[1] ?? '{}') as { properties?: object }
  return Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, found[name] ?? null]))
}

const schemaOf = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, { type: [name === 'weight' ? 'number' : 'string', 'null'] }]),
  ),
  required: names,
})
const bundle = (prompt = 'Read the slip') =>
  zipOf({
    'SKILL.md': `---\nname: slips\ndescription: Reads slips.\n---\n\n${prompt}\n`,
    'schema.json': JSON.stringify(schemaOf('slip_no', 'weight')),
    // Tools that a skill gives belong to the request of the base too.
    'skill.yaml': 'toolsets: [document]\n',
  })
async function makeSkill(name: string): Promise<object> {
  const file = await service.upload(bundle(), `${name}.zip`)
  const body = { file_id: file.id, name, description: 'Reads slips.' }
  const made = await service.call('POST', '/v1/skills/create', { body })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return { type: 'skill_reference', skill_id: made.json.id }
}
const inline = (prompt?: string) => ({
  ...{ type: 'inline', name: 'slips', description: 'Reads slips.' },
  source: { type: 'base64', media_type: 'application/zip', data: bundle(prompt).toString('base64') },
})

const { execute } = service
const ask = (id: string, config: object) => execute({ model: id, inputs: { slip }, config })
/** An execution whose schema its skill gives, with a corrected weight. */
async function corrected(id: string, skill: object): Promise<Answer['json']> {
  const base = await ask(id, { skills: [skill] })
  expect(base, base.usage.message).toMatchObject({ status: 'completed', response: { weight: 77.5 } })
  const body = { changes: [{ path: '/weight', value: 78 }], done: true }
  expect((await service.call('POST', `/v1/agent/executions/${base.id}/review`, { body })).status).toBe(200)
  return base
}
async function backfill(base: string, json_schema: object): Promise<Answer['json']> {
  const body = { base_executions: [base], config: { json_schema } }
  const { status, json } = await service.call('POST', '/v1/agent/batches', { body })
  expect(status, JSON.stringify(json)).toBe(201)
  const read = async () => (await service.call('GET', `/v1/agent/batches/${json.id}`)).json.status
  await expect.poll(read, { timeout: 60_000, interval: 50 }).toBe('completed')
  const [item] = (await service.call('GET', `/v1/agent/batches/${json.id}/items`)).json
  return (await service.call('GET', `/v1/agent/executions/${item.execution_id}`)).json
}

describe.each(engines)('a base whose schema its skill gives, with %s', (_engine, id) => {
  const isModel = id === 'svc-agent-1:fast'
  const kept = (corrections: object, all: object) => (isModel ? all : corrections)

  test('keeps what a person corrected where the skill gives the schema again', async () => {
    const skill = await makeSkill(`slips-${isModel}`)
    const base = await corrected(id, skill)
    const before = model.requests.length
    const delta = await ask(id, { skills: [skill], base_execution: base.id })
    expect(delta, delta.usage.message).toMatchObject({
      response: { slip_no: 'S-41', weight: 78 },
      execution_modes: { '/weight': 'kept', ...kept({ '/slip_no': 'agent' }, { '/slip_no': 'kept' }) },
    })
    expect(model.requests).toHaveLength(before)
  })

  test('a backfill with its own schema keeps corrected values', async () => {
    const base = await corrected(id, inline())
    const body = { base_executions: [base.id], config: { json_schema: schemaOf('slip_no', 'weight') } }
    expect((await service.call('POST', '/v1/agent/batches/estimate', { body })).json).toMatchObject({
      asked: 0,
      unpriced: 0,
    })
    const before = model.requests.length
    const record = await backfill(base.id, schemaOf('slip_no', 'weight', 'carrier'))
    expect(record, record.usage.message).toMatchObject({
      response: { slip_no: 'S-41', weight: 78, carrier: 'Quill Freight' },
      execution_modes: { '/weight': 'kept', '/carrier': 'agent' },
    })
    expect(record.usage.message).toContain(`Kept ${isModel ? 2 : 1} of 3 fields`)
    expect(model.requests).toHaveLength(before + (isModel ? 1 : 0))
    if (isModel) expect(model.requests.at(-1)?.text).toContain('"properties":{"carrier"')
  })
})

test('an inline skill of the same name with other instructions is another skill', async () => {
  const base = await ask('svc-agent-1:fast', { skills: [inline()] })
  const delta = await ask('svc-agent-1:fast', { skills: [inline('Read it backwards')], base_execution: base.id })
  expect(delta.execution_modes).toBeNull()
  expect(delta.usage.message).toContain('the earlier execution had other skills')
})

test('a base without a schema gives nothing, and the message says that', async () => {
  const base = await ask('svc-agent-1:fast', { prompt: 'Read the slip' })
  const json_schema = schemaOf('slip_no')
  const delta = await ask('svc-agent-1:fast', { prompt: 'Read the slip', json_schema, base_execution: base.id })
  expect(delta).toMatchObject({ response: { slip_no: 'S-41' }, execution_modes: null })
  expect(delta.usage.message).toContain('/slip_no (the earlier execution had no schema)')
})
