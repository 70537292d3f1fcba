import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Place, skillrun, startSkillrun } from '../packages/cli/src/command-line.ts'
import type { Json } from '../packages/core/src/json.ts'
import { makePdf } from './support/documents.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const folder = await temporaryFolder('backfill', afterAll)
let place: Place
const usage = { inputTokens: 1_000, outputTokens: 100 }
/** The model answers after it. */
let mayAnswer: Promise<void> | undefined
/** What it answers besides what it is asked. */
let adds: object = {}
/** 1,000 tokens at 2 dollars and 100 at 12 dollars per million, at the price of the flex tier. */
const callDollars = 0.0032 / 2

const model = await opened(
  startMockModel({
    script: async (request) => {
      await mayAnswer
      return { text: JSON.stringify({ ...adds, ...(answerTo(request) as object) }), usage }
    },
  }),
)
const service = await opened(openTestService({ file: fileOfSmallModel(model.baseUrl) }))
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
})

/** Answers each field of the schema in the request from the line that names it. */
function answerTo({ text }: MockRequest): Json {
  const schema = JSON.parse(/JSON Schema:\n(\{.*\})/.exec(text)?.[1] ?? '{}') as { properties: Record<string, unknown> }
  return Object.fromEntries(
    Object.keys(schema.properties).map((name) => [name, new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? null]),
  )
}

const schemaOf = (...fields: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((name) => [name, { type: ['string', 'null'] }])),
  required: fields,
})
const asked = (more: object = {}) => ({
  model: 'svc-agent-1:fast',
  config: { prompt: 'Read the card', json_schema: schemaOf('holder', 'number') },
  ...more,
})

async function card(n: number): Promise<Answer['json']> {
  const pdf = await makePdf([[`holder: Jo Quill ${n}`, `number: C-${n}`, `colour: blue ${n}`]])
  return service.upload(pdf, `card-${n}.pdf`)
}
const { execute } = service
async function cards(from: number, count: number): Promise<Answer['json'][]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const file = await card(from + at)
      return execute(asked({ inputs: { card: { type: 'input_file', file_id: file.id } } }))
    }),
  )
}

const create = (body: object, key = service.key) => service.call('POST', '/v1/agent/batches', { body, key })
const newSchema = { json_schema: schemaOf('holder', 'number', 'colour') }
async function ended(id: string): Promise<Answer['json']> {
  const read = async () => (await service.call('GET', `/v1/agent/batches/${id}`)).json
  await expect.poll(async () => (await read()).status, { timeout: 60_000, interval: 50 }).toBe('completed')
  return read()
}
const itemsOf = async (id: string) => (await service.call('GET', `/v1/agent/batches/${id}/items`)).json
const recordOf = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json

describe('a batch over earlier executions', () => {
  test('asks each only for the fields that the schema adds, and its records point to the earlier ones', async () => {
    const bases = await cards(10, 3)
    const before = model.requests.length
    const { status, json } = await create({ base_executions: bases.map(({ id }) => id), config: newSchema })
    expect(status, JSON.stringify(json)).toBe(201)
    const batch = await ended(json.id)
    expect(batch).toMatchObject({ total: 3, counts: { completed: 3, failed: 0 } })
    expect(batch.cost_dollars).toBeCloseTo(3 * callDollars, 6)
    const requests = model.requests.slice(before)
    expect(requests).toHaveLength(3)
    for (const { text } of requests) expect(text).toContain('"properties":{"colour"')
    const items = await itemsOf(json.id)
    expect(items).toMatchObject(
      bases.map((base, n) => ({
        status: 'completed',
        file_name: `card-${10 + n}.pdf`,
        base_execution: base.id,
        response: { ...base.response, colour: `blue ${10 + n}` },
      })),
    )
    for (const [n, base] of bases.entries()) {
      expect(await recordOf(items[n].execution_id)).toMatchObject({
        base_execution: base.id,
        model: base.model,
        execution_modes: { '/holder': 'kept', '/number': 'kept', '/colour': 'agent' },
      })
      // The earlier record is as it was.
      expect(await recordOf(base.id)).toEqual(base)
    }
  })

  test('ignores what a model says of fields that it is not asked', async () => {
    const [base] = await cards(15, 1)
    adds = { holder: 'Somebody Else' }
    const { json } = await create({ base_executions: [base?.id], config: newSchema })
    await ended(json.id)
    adds = {}
    const [item] = await itemsOf(json.id)
    const { response, usage: used } = await recordOf(item.execution_id)
    expect(response).toEqual({ ...base?.response, colour: 'blue 15' })
    expect(used.message).not.toContain('not found')
  })

  test('says of each item why it cannot be asked again, and retries what failed', async () => {
    const [kept, purged] = await cards(20, 2)
    const gone = await execute({
      ...asked({ inputs: { card: 'holder: Nobody\nnumber: C-0' } }),
      metadata: { allow_retention: false },
    })
    const file = await card(29)
    const withoutFile = await execute(asked({ inputs: { card: { type: 'input_file', file_id: file.id } } }))
    expect((await service.call('DELETE', `/v1/files/${file.id}`)).status).toBeLessThan(300)
    const ids = [gone.id, kept.id, withoutFile.id, purged.id]
    const { json } = await create({ base_executions: ids, config: newSchema })
    expect(await ended(json.id)).toMatchObject({ counts: { completed: 2, failed: 2 } })
    expect(await itemsOf(json.id)).toMatchObject([
      { status: 'failed', error: { code: 'not_retained' } },
      { status: 'completed' },
      { status: 'failed', error: { code: 'unknown_file' } },
      { status: 'completed' },
    ])
    expect((await service.call('POST', `/v1/agent/batches/${json.id}/retry`)).status).toBe(200)
    expect(await ended(json.id)).toMatchObject({ counts: { completed: 2, failed: 2 } })
  })

  test('says so of an execution whose skill was deleted, also if it is the first', async () => {
    const made = { name: 'cards', description: 'Reads cards', prompt: 'Read the card' }
    const skill = await service.call('POST', '/v1/skills/create', { body: made })
    const file = await card(24)
    const inputs = { card: { type: 'input_file', file_id: file.id } }
    const config = { ...asked().config, skills: [{ skill_id: skill.json.id }] }
    const first = await execute(asked({ inputs, config }))
    const [kept] = await cards(25, 1)
    expect((await service.call('DELETE', `/v1/skills/${skill.json.id}`)).status).toBeLessThan(300)
    const body = { base_executions: [first.id, kept?.id], config: newSchema }
    const { json: estimate } = await service.call('POST', '/v1/agent/batches/estimate', { body })
    expect(estimate).toMatchObject({ executions: 2, asked: 1, unusable: 1 })
    const batch = await create(body)
    expect(batch.status, JSON.stringify(batch.json)).toBe(201)
    expect(await ended(batch.json.id)).toMatchObject({ counts: { completed: 1, failed: 1 } })
    const [item] = await itemsOf(batch.json.id)
    expect(item).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('There is no skill') } })
    const other = { ...body, config: { ...newSchema, skills: [] } }
    expect(await service.call('POST', '/v1/agent/batches/estimate', { body: other })).toMatchObject({
      json: { asked: 2, unusable: 0 },
    })
  })

  test('keeps what the earlier request set where its own config has null, except where null is a value', async () => {
    const file = await card(95)
    const set = { ...asked().config, max_steps: 9, timeout_seconds: 300, max_wrong_rate: 0.1, grounding: true }
    const inputs = { card: { type: 'input_file', file_id: file.id } }
    const base = await execute(asked({ inputs, config: set }))
    const unset = { max_steps: null, timeout_seconds: null, grounding: null, prompt: null, max_wrong_rate: null }
    const { json } = await create({ base_executions: [base.id], config: { ...newSchema, ...unset } })
    await ended(json.id)
    const [item] = await itemsOf(json.id)
    const request = await service.call('GET', `/v1/agent/executions/${item.execution_id}/request`)
    expect(request.json.config).toMatchObject({
      ...{ ...set, ...newSchema },
      max_wrong_rate: null,
      base_execution: base.id,
    })
  })

  test('is estimated from what the executions cost: for each the share of the new fields up to the whole', async () => {
    const bases = await cards(50, 3)
    const [gone] = await cards(60, 1)
    await service.database.db.query('update executions set is_retained = false where id = $1', [gone?.id])
    const ids = [...bases, ...bases, gone].map((one) => one?.id)
    const estimate = (body: object, key = service.key) =>
      service.call('POST', '/v1/agent/batches/estimate', { body: { base_executions: ids, ...body }, key })
    const { status, json } = await estimate({ config: newSchema })
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json).toEqual({
      ...{ executions: 4, asked: 3, unusable: 1, unpriced: 0, service_tier: 'flex' },
      // One field is asked of executions that had two.
      low_dollars: expect.closeTo((3 * callDollars) / 2, 9),
      high_dollars: expect.closeTo(3 * callDollars, 9),
    })
    expect((await estimate({ config: newSchema, service_tier: 'standard' })).json.high_dollars).toBeCloseTo(
      2 * json.high_dollars,
      6,
    )
    const { json: batch } = await create({ base_executions: bases.map(({ id }) => id), config: newSchema })
    const { cost_dollars } = await ended(batch.id)
    expect(cost_dollars).toBeGreaterThanOrEqual(json.low_dollars)
    expect(cost_dollars).toBeLessThanOrEqual(json.high_dollars)
    const same = await estimate({ config: { json_schema: schemaOf('number', 'holder') } })
    expect(same.json).toMatchObject({ executions: 4, asked: 0, low_dollars: 0, high_dollars: 0 })
    expect(await estimate({ config: newSchema }, await service.stranger())).toMatchObject({
      status: 404,
      json: { detail: 'base_executions.0: this workspace has no execution with this id' },
    })
  })

  test('is estimated to cost what an answer of the model costs where everything in an earlier execution was kept', async () => {
    const [base] = await cards(80, 1)
    const { json: repeated } = await create({ base_executions: [base?.id], config: asked().config })
    await ended(repeated.id)
    const [kept] = await itemsOf(repeated.id)
    expect(kept.cost_dollars).toBe(0)
    const body = { base_executions: [base?.id, kept.execution_id], config: newSchema }
    const { json: estimate } = await service.call('POST', '/v1/agent/batches/estimate', { body })
    expect(estimate).toMatchObject({ asked: 2, unpriced: 0 })
    const { json: batch } = await create(body)
    const { cost_dollars } = await ended(batch.id)
    expect(cost_dollars).toBeCloseTo(2 * callDollars, 6)
    expect(estimate.high_dollars).toBeGreaterThanOrEqual(cost_dollars)
  })

  test('is estimated with the body of the batch; what it changes besides the schema may ask all fields again', async () => {
    const [base] = await cards(85, 1)
    const file = await card(86)
    const gone = await execute(asked({ inputs: { card: { type: 'input_file', file_id: file.id } } }))
    expect((await service.call('DELETE', `/v1/files/${file.id}`)).status).toBeLessThan(300)
    const old = schemaOf('holder', 'number')
    const estimate = async (more: object, config: object = {}) =>
      service.call('POST', '/v1/agent/batches/estimate', {
        body: { base_executions: [base?.id, gone.id], config: { json_schema: old, ...config }, ...more },
      })
    const same = { executions: 2, asked: 0, unusable: 1, unpriced: 0, low_dollars: 0, high_dollars: 0 }
    const given = { name: 'Cards', max_in_flight: 3, callback_url: 'https://example.com/told', metadata: {} }
    expect(await estimate(given, { max_cost_dollars: 2 })).toMatchObject({ status: 200, json: same })
    for (const config of [{ prompt: 'Read the whole card' }, { max_wrong_rate: 0.2 }, { max_wrong_rate: null }])
      expect(await estimate({}, config)).toMatchObject({
        status: 200,
        json: { ...same, asked: 1, high_dollars: expect.closeTo(callDollars, 9) },
      })
    const { json: other } = await estimate({ model: 'svc-agent-2:fast' })
    expect(other).toEqual({ ...same, asked: 1, unpriced: 1, service_tier: 'flex' })
  })

  test.each<[path: string, body: object, config: object]>([
    ['combine', { combine: true }, {}],
    ['config.base_execution', {}, { base_execution: '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a333' }],
    ['config.json_schema', {}, { json_schema: null }],
    ['model', { model: 'no-such-model' }, {}],
    ['config.skills.0', {}, { skills: [{ skill_id: 'no-such-skill' }] }],
    ['nonsense', { nonsense: 1 }, {}],
  ])('is refused with %s, and so is its estimate', async (path, more, config) => {
    const [base] = await cards(90, 1)
    const body = { base_executions: [base?.id], ...more, config: { ...newSchema, ...config } }
    const refused = await create(body)
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.json)).toContain(JSON.stringify(path.split('.')).slice(1, -1).replaceAll('"0"', '0'))
    expect(await service.call('POST', '/v1/agent/batches/estimate', { body })).toMatchObject({
      status: 422,
      json: refused.json,
    })
  })

  test('is refused for an execution of another workspace, without a schema, and beside items', async () => {
    const [base] = await cards(30, 1)
    const of = { base_executions: [base.id] }
    const foreign = await create({ ...of, config: newSchema }, await service.stranger())
    const unknown = await create({ base_executions: ['7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a333'], config: newSchema })
    expect(foreign.status).toBe(404)
    expect(foreign.json).toEqual(unknown.json)
    const named = await create({
      base_executions: [base.id, base.id.toUpperCase(), base.id, 'nothing', 'nothing'],
      config: newSchema,
    })
    expect(named).toMatchObject({ status: 404, json: { detail: expect.stringMatching(/^base_executions\.3: /) } })
    expect((await create(of)).status).toBe(422)
    expect((await create({ ...of, items: [{ inputs: { card: 'x' } }], config: newSchema })).status).toBe(422)
  })

  test('is begun by skillrun backfill, for executions of a batch or by ids, and writes their table', async () => {
    const files = await Promise.all([40, 41].map(card))
    const { json } = await create({ items: files.map(({ id }) => ({ file_id: id })), ...asked() })
    await ended(json.id)
    await writeFile(join(folder, 'new.json'), JSON.stringify(newSchema.json_schema))
    const given = ['--schema', join(folder, 'new.json'), '--batch', json.id]
    const estimated = JSON.parse((await skillrun(['backfill', ...given, '--dry-run'], place)).stdout)
    expect(estimated).toMatchObject({ executions: 2, asked: 2, unusable: 0, high_dollars: 2 * callDollars })
    const out = join(folder, 'results.csv')
    const ran = await skillrun(['backfill', ...given, '--out', out], place)
    expect(ran.code, ran.stderr).toBe(0)
    const table = await readFile(out, 'utf8')
    expect(table).toContain('blue 40')
    expect(table).toContain('blue 41')
  })

  test('with filters, the same command finds its batch again, although what it made matches too', async () => {
    const bases = await cards(70, 2)
    const file = await card(79)
    // Of another version of the document, so not made by a backfill.
    const newer = await execute({
      inputs: { card: { type: 'input_file', file_id: file.id } },
      ...asked({ config: { ...asked().config, base_execution: bases[0].id } }),
    })
    await writeFile(join(folder, 'filtered.json'), JSON.stringify(newSchema.json_schema))
    const args = ['backfill', '--schema', join(folder, 'filtered.json'), '--search', 'card-7']
    const { promise, resolve } = Promise.withResolvers<void>()
    mayAnswer = promise
    const running = startSkillrun(args, place)
    await running.stderrIncludes('3 executions')
    running.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    const [, id = ''] = /batch (\S+): 3 executions\n/.exec(stderr) ?? []
    for (const command of ['get', 'results']) expect(stderr).toContain(`  skillrun batches ${command} ${id}\n`)
    resolve()
    await ended(id)
    expect((await itemsOf(id)).map((item: Answer['json']) => item.base_execution).toSorted()).toEqual(
      [...bases, newer].map((one) => one.id).toSorted(),
    )
    const again = await skillrun(args, place)
    expect(again, again.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining(`batch ${id}: 3 executions`) })
    expect((await skillrun([...args, '--limit', '1', '--dry-run'], place)).stdout).toMatch(/"executions": 1\b/)
  })
})
