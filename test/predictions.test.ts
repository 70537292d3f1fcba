import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VlmRun } from 'vlmrun'
import { invoiceLines, makePdf } from './support/documents.ts'
import { type MockModel, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService, type TestService } from './support/service.ts'

/** The requests of the closed service as its public clients send them: the Node client itself, the calls of the others replayed. */

const total = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
const caption = { type: 'object', properties: { caption: { type: 'string' } } }
const nowhere = '00000000-0000-7000-8000-000000000000'
/** What the Python client always sends. */
const python = {
  config: { detail: 'auto', confidence: false, grounding: false, max_retries: 3, max_tokens: 65535, temperature: 0.0 },
  metadata: { environment: 'dev', session_id: null, allow_training: true },
  callback_url: null,
}
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Answers by the embedded engine. */
let service: TestService
/** Answers by a language model. */
let withModel: TestService
let model: MockModel
let siteUrl: string
let fileId: string

const receiver = await opened(openReceiver())
const site = createServer((_, reply) => reply.setHeader('Content-Type', 'text/html').end('<p>Total: 7.00</p>'))
beforeAll(async () => {
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  const { port } = site.address() as AddressInfo
  siteUrl = `http://127.0.0.1:${port}/`
  service = await openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port},127.0.0.1:${port}` } })
  model = await startMockModel({
    script: ({ text }) => ({
      text: JSON.stringify(
        text.includes('Propose a schema')
          ? {
              title: 'Delivery note',
              description: 'A note of goods',
              fields: [
                { path: 'number', type: 'string', description: 'Its number' },
                { path: 'day', type: 'date', description: 'Its date' },
                { path: 'items[].quantity', type: 'number', description: 'How many' },
                { path: 'items[].name', type: 'string', description: 'What' },
                { path: 'sender.name', type: 'string', description: 'Who sends' },
              ],
            }
          : { caption: 'A dot', tags: ['dot'] },
      ),
    }),
  })
  withModel = await openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:auto': 'mine/one' } },
    },
  })
  fileId = (await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')).id
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await withModel[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  site.close()
})

const post = (path: string, body: unknown, at = service) => at.call('POST', path, { body })
const get = (path: string, at = service) => at.call('GET', path)
const sdk = (at: TestService) => new VlmRun({ apiKey: at.key, baseURL: `${at.url}/v1` })

describe('the public Node client, unmodified,', () => {
  test('reads a document by its domain and waits for it', async () => {
    const client = sdk(service)
    const file = await client.files.upload({ file: new File(['Invoice No: A-17\nTotal: EUR 12.50'], 'invoice.txt') })
    const asked = await client.document.generate({
      ...{ fileId: file.id, model: 'vlm-1', domain: 'document.invoice', batch: true },
    })
    expect(asked).toMatchObject({ id: expect.any(String), domain: 'document.invoice' })
    const done = await client.predictions.wait(asked.id, 60, 0.1)
    expect(done).toMatchObject({
      ...{ status: 'completed', domain: 'document.invoice', message: expect.anything() },
      response: { invoice_id: 'A-17', total_amount: 12.5, currency: 'EUR' },
      usage: { duration_seconds: expect.any(Number) },
    })
    expect(await client.predictions.get(asked.id)).toEqual(done)
    const [latest] = await client.predictions.list({ skip: 0, limit: 1 })
    expect(latest).toEqual(done)
    // One record underneath.
    const { domain: _, message: __, ...record } = done as unknown as Record<string, unknown>
    expect((await get(`/v1/agent/executions/${asked.id}`)).json).toEqual(record)
  })

  test('answers at once without batch, by a schema of the caller, with the places of the values', async () => {
    const client = sdk(service)
    const { response, status } = await client.document.generate({
      ...{ url: 'data:text/plain,Total: EUR 12.50', model: 'vlm-1', domain: 'document.invoice' },
      config: { jsonSchema: total, grounding: true },
    })
    expect([status, response]).toMatchObject(['completed', { total: 12.5, total_metadata: { confidence: 'hi' } }])
  })

  test('reads images, and gets a schema for one', async () => {
    const client = sdk(withModel)
    const seen = await client.image.generate({ images: [picture], domain: 'image.caption' })
    expect(seen).toMatchObject({ status: 'completed', response: { caption: 'A dot', tags: ['dot'] } })
    const { response, id } = await client.image.schema({ images: [picture] })
    expect(response).toMatchObject({
      ...{ domain: 'custom.image', gql_stmt: '', schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      description: 'A note of goods',
      json_schema: {
        title: 'Deliverynote',
        properties: {
          number: { type: ['string', 'null'], description: 'Its number' },
          day: { type: ['string', 'null'], format: 'date' },
          items: { type: 'array', items: { properties: { quantity: { type: ['number', 'null'] }, name: {} } } },
          sender: { type: 'object', properties: { name: {} } },
        },
      },
    })
    expect((await client.predictions.get(id)).response).toEqual(response)
  })

  test('reads a web page', async () => {
    const client = sdk(service)
    const read = { url: siteUrl, model: 'vlm-1', domain: 'web.page', config: { jsonSchema: total } }
    expect(await client.web.generate({ ...read, mode: 'fast' })).toMatchObject({ response: { total: 7 } })
    await expect(client.web.generate({ ...read, mode: 'accurate' })).rejects.toThrow(/without running their scripts/)
  })

  test('finds the schemas that ship', async () => {
    const client = sdk(service)
    expect(await client.hub.info()).toEqual({ version: expect.stringMatching(/^\d{8}$/) })
    const domains = (await client.hub.listDomains()).map(({ domain }) => domain)
    expect(domains).toEqual(
      expect.arrayContaining(['document.invoice', 'healthcare.patient-referral', 'media.tv-news']),
    )
    const { json_schema: schema } = await client.hub.getSchema({ domain: 'document.invoice' } as never)
    expect(schema).toMatchObject({ title: 'Invoice', properties: { invoice_id: {}, items: {} } })
    await expect(client.hub.getSchema({ domain: 'document.nothing' } as never)).rejects.toThrow(/no domain/)
  })

  test('is told that this server trains no models', async () => {
    const client = sdk(service)
    expect(await client.finetuning.list()).toEqual([])
    expect(await client.dataset.list()).toEqual([])
    const refused = (what: Promise<unknown>) => expect(what).rejects.toThrow(/his server trains no models/)
    await refused(client.finetuning.create({ model: 'vlm-1', trainingFile: nowhere } as never))
    await refused(client.finetuning.provision({ model: 'vlm-1' } as never))
    await refused(
      client.finetuning.generate({ images: [picture], model: 'ft:vlm-1', prompt: 'x', jsonSchema: total } as never),
    )
    await refused(client.dataset.get(nowhere))
  })
})

describe('the Python client and its command line', () => {
  test('read by a domain at once, and again by the id', async () => {
    expect((await get(`/v1/health`)).status).toBe(200)
    const { status, json } = await post('/v1/document/generate', {
      ...{ file_id: fileId, model: 'vlm-1', domain: 'document.invoice', batch: false },
      ...python,
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...{ status: 'completed', domain: 'document.invoice', response: { invoice_id: 'INV-2041' } },
      ...{ created_at: expect.stringMatching(/Z$/), completed_at: expect.stringMatching(/Z$/) },
    })
    for (const name of ['elements_processed', 'credits_used', 'steps', 'duration_seconds'])
      expect(Number.isInteger(json.usage[name] ?? 0), name).toBe(true)
    expect(json.usage.element_type).toBe('page')
    expect((await get(`/v1/predictions/${json.id}`)).json).toEqual(json)
    expect((await get('/v1/predictions?skip=0&limit=1')).json).toHaveLength(1)
  })

  test('generate from a file of the computer: asked for by its hash, uploaded once, and polled; images the same way', async () => {
    for (const [name, bytes, domain, at] of [
      ['note.txt', Buffer.from('Receipt\nTotal: 12.50'), 'document.receipt', service],
      ['dot.png', Buffer.from(picture.split(',')[1] ?? '', 'base64'), 'image.caption', withModel],
    ] as const) {
      const hash = `/v1/files/hash/${createHash('md5').update(bytes).digest('hex')}`
      expect((await get(hash, at)).status).toBe(404)
      const { id } = await at.upload(bytes, name)
      expect((await get(hash, at)).json).toMatchObject({ id, filename: name })
      const { status, json } = await post(
        '/v1/document/generate',
        { ...{ file_id: id, model: 'vlm-1', domain, batch: true }, ...python },
        at,
      )
      expect(status).toBe(201)
      expect(['enqueued', 'pending', 'running', 'completed']).toContain(json.status)
      const read = async () => (await get(`/v1/predictions/${json.id}`, at)).json
      await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('completed')
      expect(await read()).toMatchObject({
        domain,
        response: name === 'dot.png' ? { caption: 'A dot' } : expect.any(Object),
      })
    }
  })

  test('get the schema of a domain with all the fields that they require', async () => {
    for (const [path, body] of [
      ['/v1/schema', { domain: 'document.receipt', config: { ...python.config, gql_stmt: null } }],
      ['/v1/hub/schema', { domain: 'document.receipt', gql_stmt: null }],
    ] as const) {
      const { status, json } = await post(path, body)
      expect([status, json]).toMatchObject([
        200,
        {
          ...{ domain: 'document.receipt', description: expect.any(String), schema_version: expect.any(String) },
          ...{ schema_hash: expect.any(String), gql_stmt: '', json_schema: { title: 'Receipt' } },
        },
      ])
    }
    expect((await get('/v1/hub/domains/document.receipt')).json).toBe(true)
    expect((await get('/v1/hub/domains/document.nothing')).json).toBe(false)
  })

  test('run an agent by name and version', async () => {
    const agent = { name: 'totals', config: { prompt: 'Extract the total', json_schema: total } }
    expect((await post('/v1/agent/create', agent)).status).toBe(201)
    const body = { url: 'data:text/plain,Total: 5.00', batch: false, ...python }
    expect((await post('/v1/document/execute', { ...body, name: 'totals', version: 'latest' })).json).toMatchObject({
      ...{ name: 'totals:1', status: 'completed', response: { total: 5 } },
    })
    expect((await post('/v1/document/execute', { ...body, name: 'nobody' })).status).toBe(404)
    expect((await post('/v1/image/execute', { name: 'totals', images: [picture], callback_url: null })).status).toBe(
      201,
    )
  })

  test('read by a skill without a domain', async () => {
    const skill = { name: 'of-predictions', description: 'Totals', prompt: 'Extract the total', json_schema: total }
    expect((await post('/v1/skills/create', skill)).status).toBe(201)
    const { json } = await post('/v1/document/generate', {
      ...{ url: 'data:text/plain,Total: 5.00', model: 'vlm-1', batch: false, ...python },
      config: { ...python.config, detail: 'hi', skills: [{ type: 'skill_reference', skill_name: 'of-predictions' }] },
    })
    expect(json).toMatchObject({ domain: null, response: { total: 5 }, skills: [{ name: 'of-predictions' }] })
    expect(json.warnings).toMatchObject([{ code: 'ignored_field', path: '/config/detail' }])
    expect(json.message).toContain('config.detail')
  })
})

test('the n8n node reads files and images, and is called back with what a prediction says', async () => {
  const headers = { Authorization: `Bearer ${service.key}`, 'X-Client-Id': 'n8n-vlmrun-2.2.15' }
  const domains = (await service.call('GET', '/v1/domains', { headers })).json
  expect(domains).toContainEqual({ domain: 'document.invoice', name: 'Invoice', description: expect.any(String) })
  const form = new FormData()
  form.append('file', new Blob(['Total: 12.50'], { type: 'application/octet-stream' }), 'note.txt')
  const sentFile = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: form })
  const uploaded = (await sentFile.json()) as { id: string }
  const callback_url = receiver.url('/n8n')
  const body = { model: 'vlm-1', domain: 'document.receipt', file_id: uploaded.id, batch: true, callback_url }
  const { status, json } = await service.call('POST', '/v1/document/generate', { body, headers })
  expect([status, json.response]).toEqual([201, null])
  const [{ body: sent } = { body: Buffer.alloc(0) }] = await receiver.got('/n8n', 1)
  expect(JSON.parse(sent.toString())).toEqual((await get(`/v1/predictions/${json.id}`)).json)
  expect(JSON.parse(sent.toString())).toMatchObject({ domain: 'document.receipt', response: { total: 12.5 } })
  const image = { images: [picture], model: 'vlm-1', domain: '' }
  expect((await post('/v1/image/generate', image, withModel)).json).toMatchObject({
    ...{ status: 'completed', domain: 'image.caption', response: { caption: 'A dot' } },
  })
})

test('the other operations of the n8n node: chat, an agent on an announced file, the list of files', async () => {
  const chat = {
    model: 'svc-agent-1:auto',
    messages: [
      { role: 'system', content: 'You describe images' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
    ],
    // Flat, as the node sends it.
    response_format: { type: 'json_schema', name: 'caption', strict: true, schema: caption },
  }
  const { status, json } = await post('/v1/openai/chat/completions', chat, withModel)
  expect([status, JSON.parse(json.choices[0].message.content)]).toEqual([200, { caption: 'A dot', tags: ['dot'] }])

  const announced = { filename: 'note.txt', purpose: 'assistants', expiration: 86_400 }
  const place = (await post('/v1/files/presigned-url', announced)).json
  const headers = { 'Content-Type': place.content_type, 'Content-Length': '15' }
  expect((await fetch(place.url, { method: 'PUT', headers, body: 'Total: 13.50 EU' })).status).toBe(200)
  const callback_url = receiver.url('/agent')
  const body = { config: { prompt: 'Extract the total' }, inputs: { url: place.public_url }, callback_url }
  const begun = await post('/v1/agent/execute', body)
  expect([begun.status, begun.json.status]).toEqual([201, 'enqueued'])
  const [{ body: sent } = { body: Buffer.alloc(0) }] = await receiver.got('/agent', 1)
  expect(JSON.parse(sent.toString())).toMatchObject({
    id: begun.json.id,
    status: 'completed',
    response: { total: 13.5 },
  })
  const files = (await get('/v1/files?limit=100')).json
  expect(files).toContainEqual(expect.objectContaining({ id: place.id, filename: 'note.txt', object: 'file' }))
  const none = await get(`/v1/artifacts?object_id=img_abc123&execution_id=${begun.json.id}`)
  expect([none.status, typeof none.json.detail]).toEqual([404, 'string'])
})

test('a client that polls until the end learns of a failure, and why', async () => {
  const body = { file_id: fileId, domain: 'document.q-and-a', batch: true, config: { prompt: 'Write a poem about it' } }
  const { json } = await post('/v1/document/generate', body)
  const read = async () => (await get(`/v1/predictions/${json.id}`)).json
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('failed')
  expect(await read()).toMatchObject({
    response: null,
    error: { code: 'needs_model' },
    message: expect.any(String),
  })
})

test('each call of the public notebooks is accepted', async () => {
  const grounded = { detail: 'hi', grounding: true, confidence: true }
  const file = { model: 'vlm-1', file_id: (await withModel.upload(Buffer.from('Hello'), 'a.txt')).id }
  const calls: readonly (readonly [string, object])[] = [
    ...[
      'document.invoice',
      'document.us-drivers-license',
      'media.tv-news',
      'retail.product-catalog',
      'document.in-aadhaar-card',
    ].map((domain) => ['image/generate', { images: [picture], model: 'vlm-1', domain, batch: true }] as const),
    ['image/generate', { images: [picture], domain: 'document.q-and-a', batch: true, config: { json_schema: total } }],
    ['image/generate', { images: [picture], domain: 'document.us-drivers-license', batch: true, config: grounded }],
    ['document/generate', { ...file, domain: 'document.markdown', batch: true }],
    ['document/generate', { ...file, domain: 'healthcare.patient-referral', batch: true, config: grounded }],
    ['video/generate', { ...file, domain: 'video.transcription', batch: true, config: { detail: 'hi' } }],
    ['audio/generate', { ...file, batch: true }],
  ]
  const agent = {
    ...{
      name: null,
      batch: true,
      model: 'vlmrun-orion-2:pro',
      inputs: { file: { type: 'input_file', file_id: file.file_id } },
    },
    config: { prompt: 'Extract it', json_schema: total, mode: 'program' },
    metadata: python.metadata,
  }
  for (const [path, body] of [...calls, ['agent/execute', agent] as const]) {
    const { status, json } = await post(`/v1/${path}`, body, withModel)
    expect([status, json.status], `${path} ${JSON.stringify(json)}`).toEqual([201, 'enqueued'])
  }
  const chat = {
    ...{ model: 'vlmrun-orion-1:auto', session_id: 'notebook', toolsets: ['image', 'viz'], stream: false },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
    ],
    response_format: { type: 'json_schema', schema: caption },
  }
  expect((await post('/v1/openai/chat/completions', chat, withModel)).json).toMatchObject({
    session_id: 'notebook',
    choices: [{ message: { content: expect.stringContaining('A dot') } }],
  })
})

describe('what cannot be done is refused, or said', () => {
  const text = 'data:text/plain,Total: 5.00'
  test.each([
    ['document/generate', {}, 422, 'exactly one of file_id and url'],
    ['document/generate', { url: text, file_id: nowhere }, 422, 'exactly one of file_id and url'],
    ['document/generate', { url: 'ftp://x/y', domain: 'document.invoice' }, 422, 'http, https or data URL'],
    ['document/generate', { url: text, domain: 'document.nothing' }, 404, 'There is no domain'],
    [
      'document/generate',
      { url: text, config: { gql_stmt: '{ total }' } },
      422,
      'GraphQL selections are not supported',
    ],
    ['document/generate', { url: text, model: 'vlm-1-embeddings' }, 422, 'model'],
    ['document/generate', { file_id: nowhere, domain: 'document.invoice' }, 404, 'file'],
    ['image/generate', { model: 'vlm-1' }, 422, 'at least one image'],
    ['document/schema', { url: text }, 400, 'No schema was proposed'],
    ['hub/schema', { domain: 'document.nothing' }, 404, 'There is no domain'],
    ['schema', { domain: 'document.invoice', config: { gql_stmt: '{ total }' } }, 422, 'not supported'],
    ['web/generate', { url: 'http://10.0.0.1/', config: { json_schema: total }, batch: false }, 201, 'url_forbidden'],
    ['web/generate', { url: text }, 422, 'http or https URL'],
    ['datasets/create', { file_id: nowhere }, 400, 'trains no models'],
  ])('%s with %j is answered %i', async (path, body, status, words) => {
    const answer = await post(`/v1/${path}`, body)
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(words)])
    if (status === 422) expect(answer.json.detail[0]).toMatchObject({ loc: expect.any(Array), msg: expect.any(String) })
    else if (status !== 201) expect(answer.json).toEqual({ detail: expect.any(String) })
  })

  test('parameters without effect are named', async () => {
    const config = { json_schema: total, temperature: 0.7, max_tokens: 100, max_retries: 1 }
    const { json } = await post('/v1/document/generate', { url: text, batch: false, config, colour: 'red' })
    expect(json.warnings.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      ...['/colour', '/config/max_retries', '/config/max_tokens', '/config/temperature'],
    ])
  })

  test('unknown ids are a 404, a wrong key a 401 in the form of each dialect', async () => {
    for (const path of ['predictions', 'datasets', 'fine_tuning/jobs'])
      expect(await get(`/v1/${path}/${nowhere}`)).toMatchObject({ status: 404, json: { detail: expect.any(String) } })
    expect(await get('/v1/openai/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
    const wrong = await service.call('GET', '/v1/openai/health', { key: 'no' })
    expect([wrong.status, wrong.json.error.type]).toEqual([401, 'authentication_error'])
  })
})

test('the hash of a schema is that of its canonical JSON, and every schema that ships can be used', async () => {
  const { json } = await get('/v1/hub/domains')
  for (const { domain } of json) {
    const { json: found } = await post('/v1/hub/schema', { domain })
    expect(found.json_schema.title, domain).toMatch(/^[A-Z]\w+$/)
    const estimate = { inputs: { text: 'Total: 5.00' }, config: { json_schema: found.json_schema } }
    expect((await post('/v1/agent/estimate', estimate)).status, domain).toBe(200)
    if (domain === 'document.in-pan-card')
      expect(found.schema_hash).toBe(createHash('sha256').update(canonical(found.json_schema)).digest('hex'))
  }
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : one,
  )
