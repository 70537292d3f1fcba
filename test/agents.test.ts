import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1:9' } }))
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const create = (body: object, options: object = {}) => service.call('POST', '/v1/agent/create', { body, ...options })
const lookup = (body: object, options: object = {}) => service.call('POST', '/v1/agent/lookup', { body, ...options })
const execute = (body: object) =>
  service.call('POST', '/v1/agent/execute', {
    body: { batch: false, inputs: { file: { type: 'input_file', file_id: invoice.id } }, ...body },
  })
const asked = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}/request`)).json

describe('an agent', () => {
  test('is created, and found by id, name, version and prompt, in body or query', async () => {
    const prompt = 'Read the invoice: number, date, total'
    const made = await create({ name: 'invoices', config: { prompt, json_schema: invoiceSchema } })
    expect(made).toMatchObject({ status: 201, json: { name: 'invoices', version: 1, status: 'completed' } })
    const info = {
      id: made.json.id,
      name: 'invoices',
      version: 1,
      description: prompt,
      prompt,
      json_schema: invoiceSchema,
      json_sample: expect.objectContaining({ total: 0 }),
      status: 'completed',
      created_at: made.json.created_at,
      updated_at: expect.stringMatching(/Z$/),
    }
    expect((await service.call('GET', `/v1/agents/${made.json.id}`)).json).toEqual(info)
    for (const wanted of [
      { id: made.json.id.toUpperCase(), name: null },
      { name: 'invoices' },
      { name: 'invoices:1', prompt: null },
      { name: 'invoices:latest' },
      { prompt: `  ${prompt.toUpperCase()}\n` },
    ]) {
      expect(await lookup(wanted)).toMatchObject({ status: 200, json: info })
      const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== null)
      const query = await service.call('GET', `/v1/agent/lookup?${new URLSearchParams(given)}`)
      expect(query).toMatchObject({ status: 200, json: info })
    }
    expect((await service.call('GET', '/v1/agent')).json).toContainEqual(info)
  })

  test('is also found with a body on a GET', async () => {
    const { id } = (await create({ name: 'by-get', config: { prompt: 'By GET' } })).json
    const { hostname, port } = new URL(service.url)
    const { request } = await import('node:http')
    const text = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify({ id })
      const headers = {
        Authorization: `Bearer ${service.key}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      }
      const sent = request({ hostname, port, path: '/v1/agent/lookup', method: 'GET', headers }, (response) => {
        let said = ''
        response.on('data', (part) => (said += part)).on('end', () => resolve(said))
      })
      sent.on('error', reject).end(body)
    })
    expect(JSON.parse(text)).toMatchObject({ id, name: 'by-get' })
  })

  test('with a known name becomes its next version; ten concurrent ones become ten versions', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create({ name: 'crowded', config: { prompt: `Way ${index}` } })),
    )
    expect(made.map(({ json }) => json.version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await lookup({ name: 'crowded' })).json.version).toBe(10)
    const list = (await service.call('GET', '/v1/agent')).json.filter((one: { name: string }) => one.name === 'crowded')
    expect(list.map((one: { version: number }) => one.version)).toEqual([10])
  })

  test('without a name gets one from its prompt, and the same prompt creates its next version', async () => {
    const config = { prompt: 'Count the boxes on this pallet' }
    const first = (await create({ config })).json
    expect(first).toMatchObject({ name: 'count-boxes-pallet', version: 1 })
    expect((await create({ config })).json).toMatchObject({ name: 'count-boxes-pallet', version: 2 })
    const other = (await create({ config: { prompt: 'Count the boxes on this pallet!' } })).json
    expect(other).toMatchObject({ version: 1, name: expect.stringMatching(/^count-boxes-pallet-/) })
  })

  test('of another workspace cannot be found in any way', async () => {
    const { id } = (await create({ name: 'mine-alone', config: { prompt: 'Mine alone' } })).json
    const key = await service.stranger()
    for (const wanted of [{ id }, { name: 'mine-alone' }, { prompt: 'Mine alone' }])
      expect((await lookup(wanted, { key })).status).toBe(404)
    expect((await service.call('GET', `/v1/agents/${id}`, { key })).status).toBe(404)
    expect((await service.call('GET', '/v1/agent', { key })).json).toEqual([])
  })

  test.each([
    ['two ways at once', 'lookup', { id: 'x', name: 'y' }, ['body']],
    ['no way at all', 'lookup', {}, ['body']],
    ['no prompt', 'create', { name: 'x', config: {} }, ['body', 'config', 'prompt']],
    ['an empty prompt', 'create', { config: { prompt: '' } }, ['body', 'config', 'prompt']],
    ['a prompt of white space', 'create', { config: { prompt: ' \n\u3000' } }, ['body', 'config', 'prompt']],
    ['a name of white space', 'create', { name: ' ', config: { prompt: 'p' } }, ['body', 'name']],
    ['a colon in the name', 'create', { name: 'a:2', config: { prompt: 'p' } }, ['body', 'name']],
    ['an invalid callback', 'create', { callback_url: 'ftp://x', config: { prompt: 'p' } }, ['body', 'callback_url']],
    [
      'an invalid schema',
      'create',
      { config: { prompt: 'p', json_schema: { type: 'objekt' } } },
      ['body', 'config', 'json_schema', 'type'],
    ],
  ])('%s is a 422 with the location', async (_name, verb, body, loc) => {
    const { status, json } = await service.call('POST', `/v1/agent/${verb}`, { body })
    expect([status, json.detail[0].loc]).toEqual([422, loc])
  })
})

describe('an execution of an agent', () => {
  test('uses its prompt, schema, tier and callback, unless the request has its own', async () => {
    const config = { prompt: 'Fields of an invoice', json_schema: invoiceSchema, service_tier: 'flex' }
    await create({ name: 'fields', config, callback_url: 'http://127.0.0.1:9/told' })
    await create({ name: 'fields', config: { prompt: 'Fields of an invoice, version two' } })
    const first = (await execute({ name: 'fields:1' })).json
    expect(first).toMatchObject({
      status: 'completed',
      name: 'fields:1',
      service_tier: 'flex',
      response: { total: 144 },
    })
    expect(await asked(first.id)).toMatchObject({ config, callback_url: 'http://127.0.0.1:9/told' })
    const newest = (await execute({ name: 'fields', batch: true })).json
    expect((await asked(newest.id)).config).toMatchObject({
      prompt: 'Fields of an invoice, version two',
      service_tier: 'standard',
    })
    const json_schema = { type: 'object', properties: { total: { type: 'number' } } }
    const own = (await execute({ name: 'fields:1', config: { json_schema, service_tier: 'standard' } })).json
    expect(own).toMatchObject({ response: { total: 144 }, service_tier: 'standard' })
    expect(Object.keys(own.response)).toEqual(['total'])
    const byPrompt = (await execute({ config: { prompt: config.prompt } })).json
    expect(byPrompt).toMatchObject({ name: 'fields:1', response: { total: 144 }, service_tier: 'flex' })
    const again = (await service.call('POST', `/v1/agent/executions/${own.id}/rerun`, { body: { name: 'fields:1' } }))
      .json
    expect((await asked(again.id)).config).toMatchObject(config)
  })

  test('uses its skills, unless the request names others, or none', async () => {
    const skill = {
      name: 'fields-of-invoices',
      description: 'Fields',
      prompt: 'Read the fields',
      json_schema: invoiceSchema,
    }
    expect((await service.call('POST', '/v1/skills/create', { body: skill })).status).toBe(201)
    const skills = [{ skill_id: 'fields-of-invoices' }]
    await create({ name: 'skilled', config: { prompt: 'Extract the fields', skills } })
    const own = (await execute({ name: 'skilled' })).json
    expect(own).toMatchObject({ response: { total: 144 }, skills: [{ name: 'fields-of-invoices' }] })
    expect((await execute({ name: 'skilled', config: { skills: [] }, batch: true })).json.skills).toEqual([])
  })

  test('uses its inputs when the request has none', async () => {
    const inputs = { text: 'Invoice number: INV-7\nTotal: EUR 5.00' }
    await create({ name: 'sampled', inputs, config: { prompt: 'Fields', json_schema: invoiceSchema } })
    expect((await execute({ name: 'sampled', inputs: null })).json.response).toMatchObject({ total: 5 })
    expect((await execute({ name: 'sampled' })).json.response).toMatchObject({ total: 144 })
  })

  test('with an unknown version is a 404', async () => {
    await create({ name: 'once', config: { prompt: 'Once' } })
    for (const name of ['once:2', 'once:0', 'never'])
      expect(await execute({ name })).toMatchObject({ status: 404, json: { detail: expect.stringContaining(name) } })
  })
})

describe('what other clients need', () => {
  test('models and domains are bare arrays', async () => {
    const models = (await service.call('GET', '/v1/models')).json
    expect(models).toContainEqual({ model: 'svc-agent-1:auto', domain: 'agent', engine: 'embedded' })
    const domains = (await service.call('GET', '/v1/domains')).json
    expect(domains[0]).toEqual({ domain: 'agent', name: 'Agent', description: expect.any(String) })
    // Those whose schemas ship.
    expect(domains.length).toBeGreaterThan(30)
  })

  test('feedback is stored and listed within the workspace, page by page', async () => {
    const submit = (body: object) => service.call('POST', '/v1/feedback/submit', { body })
    const nulls = { request_id: null, chat_id: null }
    const { id } = (await execute({ config: { prompt: 'What is the total?' } })).json
    const about = { agent_execution_id: id }
    const first = await submit({ ...about, ...nulls, response: { total: 5 }, notes: 'five' })
    expect(first).toMatchObject({ status: 201, json: { ...about, request_id: null, notes: 'five' } })
    await submit({ ...about, notes: 'again' })
    const all = (await service.call('GET', `/v1/feedback/${id}?type=agent_execution`)).json
    expect(all.items.map((one: { notes: string }) => one.notes)).toEqual(['again', 'five'])
    expect(all).toMatchObject({ ...about, items: [{}, { response: { total: 5 } }] })
    expect((await service.call('GET', `/v1/feedback/${id}?limit=1&offset=1`)).json.items).toHaveLength(1)
    expect((await service.call('GET', `/v1/feedback/${id}?type=chat`)).json.items).toEqual([])
    const theirs = await service.call('GET', `/v1/feedback/${id}`, { key: await service.stranger() })
    expect(theirs).toMatchObject({ status: 200, json: { items: [] } })
    for (const body of [{}, { notes: 'x' }, { request_id: 'a', chat_id: 'b' }])
      expect((await submit(body)).status).toBe(422)
  })

  test('feedback reports unknown fields of a request', async () => {
    const submit = (body: object) => service.call('POST', '/v1/feedback/submit', { body })
    const message = 'The server ignored the unknown field "execution_id"; did you mean "agent_execution_id"?'
    const refused = await submit({ execution_id: 'any', notes: 'wrong total' })
    expect([refused.status, refused.json.detail[0].msg]).toEqual([
      422,
      `Give exactly one of request_id, agent_execution_id, chat_id. ${message}`,
    ])
    const kept = await submit({ execution_id: 'any', request_id: 'mine' })
    expect(kept).toMatchObject({
      status: 201,
      json: { warnings: [{ code: 'ignored_field', path: '/execution_id', message }] },
    })
    expect((await submit({ request_id: 'mine' })).json.warnings).toEqual([])
  })

  test('a response header names parameters and fields that a route does not know', async () => {
    const ignored = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, body ? { body } : {})).headers.get('x-ignored-fields')
    expect(await ignored('GET', '/v1/agent/executions?statuss=failed&limit=1')).toBe(
      'query.statuss;nearest=query.status',
    )
    expect(await ignored('GET', '/v1/agent/executions?status=failed&limit=1')).toBeNull()
    expect(await ignored('GET', '/v1/files?%E2%82%AC%0D%0A=1&zzzz=2')).toBe('query.%E2%82%AC%0D%0A, query.zzzz')
    expect(await ignored('GET', '/v1/keys?limit=1')).toBe('query.limit')
    expect(await ignored('POST', '/v1/feedback/submit', { request_id: 'mine', note: 'x' })).toBe(
      'body.note;nearest=body.notes',
    )
    // Refusals name them too: the parameter may be a misspelling of a required one.
    expect(await ignored('POST', '/v1/feedback/submit', { execution_id: 'x' })).toBe(
      'body.execution_id;nearest=body.agent_execution_id',
    )
  })

  test("feedback on an execution or chat that the workspace does not have is a 404; a request id is the caller's own", async () => {
    const submit = (body: object, key = service.key) => service.call('POST', '/v1/feedback/submit', { body, key })
    const { id } = (await execute({ config: { prompt: 'What is the total?' } })).json
    const nobody = '11111111-1111-4111-8111-111111111111'
    for (const agent_execution_id of [nobody, 'e-1']) expect((await submit({ agent_execution_id })).status).toBe(404)
    expect((await submit({ chat_id: `chatcmpl-${nobody}` })).status).toBe(404)
    expect((await submit({ agent_execution_id: id }, await service.stranger())).status).toBe(404)
    expect((await submit({ request_id: 'prediction-5', notes: 'kept' })).status).toBe(201)
    expect((await service.call('GET', '/v1/feedback/prediction-5')).json.items).toMatchObject([{ notes: 'kept' }])
  })
})
