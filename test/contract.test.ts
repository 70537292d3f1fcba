import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { type Answer, openTestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

/** The names on the wire that clients and scripts rely on; other tests have what is behind them. */

const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
const nowhere = '00000000-0000-7000-8000-000000000000'

const receiver = await opened(openReceiver())
const service = await opened(openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` } }))

const get = (path: string) => service.call('GET', path)
const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
  service.call('POST', path, { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) })
const execute = async (more: object = {}): Promise<Answer['json']> =>
  (
    await post('/v1/agent/execute', {
      batch: false,
      inputs: { text: 'Total: 5.00' },
      config: { json_schema: schema },
      ...more,
    })
  ).json
const idsOf = async (query: string): Promise<string[]> =>
  (await get(`/v1/agent/executions?${query}`)).json.map(({ id }: { id: string }) => id)

describe('every reply', () => {
  test('has a request id and the rate limit, and needs a key that exists', async () => {
    const { status, json, headers } = await get('/v1/health')
    expect([status, json]).toEqual([200, { status: 'ok' }])
    for (const name of ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
      expect(headers.get(name), name).toMatch(/\S/)
    expect((await service.call('GET', '/v1/health', { key: 'sk-wrong' })).status).toBe(401)
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await service.call('GET', path, { key: null })).status, path).toBe(200)
  })

  test('of a failure is one sentence in detail, of a bad field a list of places', async () => {
    expect(await get(`/v1/agent/executions/${nowhere}`)).toMatchObject({
      status: 404,
      json: { detail: expect.any(String) },
    })
    expect(await post('/v1/agent/execute', { inputs: 7 })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'inputs'], msg: expect.any(String), type: expect.any(String) }] },
    })
    expect((await post('/v1/openai/chat/completions', { messages: 7 })).json.error).toMatchObject({
      message: expect.any(String),
      type: expect.any(String),
    })
  })
})

describe('the record of an execution', () => {
  test('has all fields, absent values as null', async () => {
    const { status, json } = await post('/v1/agent/execute', {
      id: 'order-1',
      batch: false,
      inputs: { text: 'Total: 5.00' },
      config: { json_schema: schema },
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...{ id: expect.any(String), status: 'completed', response: { total: 5 }, error: null, client_id: 'order-1' },
      ...{ name: expect.stringMatching(/^.+:\d+$/), agent_id: expect.any(String), batch_id: null, session_id: null },
      ...{ model: expect.any(String), service_tier: 'standard', skills: [], program: null, attempts: 1 },
      ...{ created_at: expect.stringMatching(/Z$/), completed_at: expect.stringMatching(/Z$/), warnings: [] },
      model_selection: { requested: json.model, resolved: 'embedded', chosen_by: 'default' },
      completeness: { asked: 1, found: 1, not_found: 0, low_confidence: 0, listed: [] },
      evidence: { '/total': { status: expect.any(String), confidence: expect.any(Number), page: 0 } },
      usage: { credits_used: 0, steps: expect.any(Number), duration_seconds: expect.any(Number), cost_dollars: 0 },
      reviewed_response: null,
      review: { status: 'none', version: 0 },
    })
    expect(json.completeness).toHaveProperty('max_wrong_rate')
    const again = await execute({ name: json.name })
    expect(again).toMatchObject({ name: json.name, agent_id: json.agent_id, response: { total: 5 } })
  })

  test('says why a null has no value', async () => {
    const properties = { ...schema.properties, due_date: { type: ['string', 'null'], format: 'date' } }
    const { response, evidence } = await execute({ config: { json_schema: { ...schema, properties } } })
    expect(response).toEqual({ total: 5, due_date: null })
    expect(evidence['/due_date']).toMatchObject({ confidence: 0, reason: expect.any(String) })
  })

  test('of a task for a model fails as needs_model, and in a chat is refused with 400', async () => {
    const asked = 'Write a poem about the sea'
    expect(await execute({ config: { prompt: asked } })).toMatchObject({
      status: 'failed',
      error: { code: 'needs_model' },
      review: null,
    })
    expect(await post('/v1/openai/chat/completions', { messages: [{ role: 'user', content: asked }] })).toMatchObject({
      status: 400,
      json: { error: { code: 'needs_model' } },
    })
  })
})

test('a list of executions is filtered by text, caller, batch, review and purpose, work by default', async () => {
  const { id } = await execute({ id: 'kestrel-7', metadata: { session_id: 'contract-list' } })
  const { id: other } = await execute({ metadata: { session_id: 'contract-list' } })
  const own = 'session_id=contract-list'
  expect(await idsOf(`${own}&q=KESTREL`)).toEqual([id])
  expect(await idsOf(`${own}&client_id=kestrel-7`)).toEqual([id])
  expect(await idsOf(`${own}&batch_id=${nowhere}`)).toEqual([])
  await post(`/v1/agent/executions/${id}/review`, { done: true })
  expect(await idsOf(`${own}&review=done`)).toEqual([id])
  expect(await idsOf(`${own}&review=needed`)).toEqual([])
  const { db } = service.database
  await db.query('update executions set evaluation_id = $1 where id = $2', [nowhere, id])
  expect(await idsOf(own)).toEqual([other])
  expect(await idsOf(`${own}&purpose=evaluation`)).toEqual([id])
  await db.query('update executions set evaluation_id = null, shadow_of = $2 where id = $1', [id, other])
  expect(await idsOf(`${own}&purpose=work`)).toEqual([other])
  expect(await idsOf(`${own}&purpose=shadow`)).toEqual([id])
  expect((await get('/v1/agent/executions?purpose=play')).status).toBe(422)
})

test('executions are resumed by ids or by the filters of the list', async () => {
  const { id } = await execute({ metadata: { session_id: 'contract-resume' } })
  const { db } = service.database
  await db.query(
    `update executions set status = 'failed', error = '{"code":"timeout","message":"","retryable":true}' where id = $1`,
    [id],
  )
  const filter = { session_id: 'contract-resume', q: 'no such text' }
  expect((await post('/v1/agent/executions/resume', { filter })).json).toEqual({ resumed: 0, refused: [] })
  const { status, json } = await post('/v1/agent/executions/resume', { ids: [id, nowhere] })
  expect([status, json]).toEqual([200, { resumed: 1, refused: [{ id: nowhere, reason: expect.any(String) }] }])
  expect((await post('/v1/agent/executions/resume', {})).status).toBe(422)
})

describe('a batch', () => {
  const counts = ['enqueued', 'running', 'paused', 'completed', 'failed', 'review_needed']
  const ended = async (id: string) => {
    await expect
      .poll(async () => (await get(`/v1/agent/batches/${id}`)).json.status, { timeout: 60_000 })
      .toBe('completed')
    return (await get(`/v1/agent/batches/${id}`)).json
  }

  test('runs items, answers a repeated key with the first, and gives items and results', async () => {
    const file = await service.upload(Buffer.from('Total: 1.00'), 'a.txt')
    const body = {
      ...{ name: 'Invoices', config: { json_schema: schema }, service_tier: 'standard', combine: false },
      items: [{ file_id: file.id, client_id: 'mine' }, { inputs: { text: 'Total: 2.00' } }],
      callback_url: receiver.url('/hook'),
    }
    const first = await post('/v1/agent/batches', body, { 'Idempotency-Key': 'contract' })
    expect(first).toMatchObject({ status: 201, json: { name: 'Invoices', status: 'running', total: 2 } })
    const { id } = first.json
    expect((await post('/v1/agent/batches', body, { 'Idempotency-Key': 'contract' })).json.id).toBe(id)
    const batch = await ended(id)
    expect(batch).toMatchObject({ counts: { completed: 2 }, cost_dollars: 0, created_at: expect.stringMatching(/Z$/) })
    expect(Object.keys(batch.counts)).toEqual(expect.arrayContaining(counts))
    expect(batch.completed_at).toMatch(/Z$/)
    const items = (await get(`/v1/agent/batches/${id}/items?status=completed`)).json
    expect(items).toMatchObject([
      { id: expect.any(String), client_id: 'mine', status: 'completed', response: { total: 1 } },
      { id: expect.any(String), client_id: null, status: 'completed', response: { total: 2 } },
    ])
    expect(await idsOf(`batch_id=${id}`)).toEqual(expect.arrayContaining(items.map((one: { id: string }) => one.id)))
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['jsonl', 'application/jsonl'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ])
      expect((await get(`/v1/agent/batches/${id}/results?format=${format}`)).headers.get('content-type')).toContain(
        type,
      )
    for (const verb of ['pause', 'resume', 'cancel'])
      expect((await post(`/v1/agent/batches/${id}/${verb}`)).status, verb).toBe(409)
    expect((await get('/v1/agent/batches')).json[0].id).toBe(id)
  })

  test('reads the files of an archive', async () => {
    const { id } = await service.upload(zipOf({ 'one.txt': 'Total: 1.00', 'two.txt': 'Total: 2.00' }), 'all.zip')
    const { json } = await post('/v1/agent/batches', { zip_file_id: id, config: { json_schema: schema } })
    expect(json.total).toBe(2)
    expect((await ended(json.id)).counts.completed).toBe(2)
  })
})

test('a review is saved on its version, and stands in the queue of reviews', async () => {
  const { id } = await execute({ config: { json_schema: schema, review: { below: 1 } } })
  const path = `/v1/agent/executions/${id}/review`
  expect((await get(`/v1/agent/executions/${id}`)).json.review).toMatchObject({ status: 'needed', version: 0 })
  for (const status of ['needed', 'claimed', 'done'])
    expect((await get(`/v1/reviews?status=${status}`)).status, status).toBe(200)
  expect((await post(`/v1/reviews/${id}/claim`)).status).toBe(200)
  expect((await post(`/v1/reviews/${id}/release`)).status).toBe(200)
  const change = { path: '/total', value: 6 }
  const saved = await post(path, { changes: [change] }, { 'If-Match': '"0"' })
  expect(saved).toMatchObject({
    status: 200,
    json: {
      reviewed_response: { total: 6 },
      response: { total: 5 },
      review: { version: 1, changes: [{ path: '/total', from: 5, to: 6, kind: 'corrected' }] },
    },
  })
  expect((await post(path, { changes: [change] }, { 'If-Match': '0' })).status).toBe(409)
  expect((await post(path, { done: true }, { 'If-Match': '1' })).json.review).toMatchObject({ status: 'done' })
  expect((await post(path, { changes: [{ path: '/total', value: 'six' }] })).status).toBe(422)
})

test('every callback has the record as its body, and names its event in X-Skillrun-Event', async () => {
  const { id } = await execute({ callback_url: receiver.url('/hook') })
  await post(`/v1/agent/executions/${id}/review`, { done: true })
  const failed = await execute({
    callback_url: receiver.url('/hook'),
    config: { prompt: 'Write a poem about the sea' },
  })
  const eventsOf = (wanted: string) =>
    receiver.received
      .filter(({ body }) => JSON.parse(body.toString()).id === wanted)
      .map(({ headers }) => headers['x-skillrun-event'])
  await expect
    .poll(() => eventsOf(id).toSorted(), { timeout: 30_000 })
    .toEqual(['execution.completed', 'execution.reviewed'])
  await expect.poll(() => eventsOf(failed.id), { timeout: 30_000 }).toEqual(['execution.failed'])
  await expect
    .poll(() => receiver.received.map(({ headers }) => headers['x-skillrun-event']), { timeout: 30_000 })
    .toContain('batch.completed')
})

test('an execution becomes a case of a skill by its id alone', async () => {
  const skill = (
    await post('/v1/skills/create', {
      name: 'contract-totals',
      description: 'Totals',
      prompt: 'Extract',
      json_schema: schema,
    })
  ).json
  const { id } = await execute()
  const { status, json } = await post(`/v1/skills/${skill.id}/cases`, { execution_id: id })
  expect([status, json]).toMatchObject([
    201,
    [{ id: expect.any(String), inputs: { text: 'Total: 5.00' }, response: { total: 5 } }],
  ])
})

test('a capsule is a DSSE envelope that the published JSON Web Keys verify', async () => {
  const { id } = await execute()
  const { status, json, headers } = await get(`/v1/agent/executions/${id}/capsule`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.dsse+json'])
  const { keys } = (await service.call('GET', '/.well-known/skillrun-keys.json', { key: null })).json
  const [{ keyid, sig }] = json.signatures
  const key = keys.find(({ kid }: { kid: string }) => kid === keyid)
  expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519' })
  const payload = Buffer.from(json.payload, 'base64')
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${json.payloadType.length} ${json.payloadType} ${payload.length} `),
    payload,
  ])
  expect(verify(null, signed, createPublicKey({ key, format: 'jwk' }), Buffer.from(sig, 'base64'))).toBe(true)
  expect(JSON.parse(payload.toString())).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'urn:skillrun:execution:v1',
    subject: expect.any(Array),
  })
  expect(payload.toString()).toContain(id)
})
