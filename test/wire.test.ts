import { describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(openTestService())

const execute = (body: unknown, options: object = {}) => service.call('POST', '/v1/agent/execute', { body, ...options })
const inputs = { text: 'Total: 5.00' }
const config = { prompt: 'Extract the total' }
const many = (count: number, entry: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)))

describe('validation', () => {
  test.each([
    ['a field of the wrong type', { inputs, batch: 'yes' }, ['body', 'batch'], 'boolean_type'],
    [
      'a nested field of the wrong type',
      { inputs, config: { prompt: 5 } },
      ['body', 'config', 'prompt'],
      'string_type',
    ],
    [
      'a value that is not in the list',
      { inputs, config: { service_tier: 'express' } },
      ['body', 'config', 'service_tier'],
      'enum',
    ],
    [
      'a number out of bounds',
      { inputs, config: { max_steps: 0 } },
      ['body', 'config', 'max_steps'],
      'greater_than_equal',
    ],
    ['an empty callback URL', { inputs, callback_url: '' }, ['body', 'callback_url'], 'string_too_short'],
    [
      'an input item without its payload',
      { inputs: { page: { type: 'image_url' } } },
      ['body', 'inputs', 'page', 'image_url'],
      'missing',
    ],
    [
      'an input URL of another scheme',
      { inputs: { page: { type: 'file_url', file_url: { url: 'ftp://x/y' } } } },
      ['body', 'inputs', 'page', 'file_url', 'url'],
      'value_error',
    ],
    [
      'an item in an array',
      {
        inputs: {
          pages: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 7 },
          ],
        },
      },
      ['body', 'inputs', 'pages', 1, 'text'],
      'string_type',
    ],
    ['an unknown model', { inputs, model: 'gpt-17' }, ['body', 'model'], 'enum'],
    [
      'a model whose provider is not there',
      { inputs, model: 'svc-agent-2:opus-5' },
      ['body', 'model'],
      'model_unavailable',
    ],
    [
      'an unknown tool',
      { inputs, config: { tool_names: ['document.read', 'rm'] } },
      ['body', 'config', 'tool_names', 1],
      'enum',
    ],
    ['a toolset that this server lacks', { inputs, toolsets: ['core', 'world-gen'] }, ['body', 'toolsets', 1], 'enum'],
    ['nothing to do', {}, ['body', 'inputs'], 'missing'],
    ['nothing said of what to do with the inputs', { inputs }, ['body', 'config', 'prompt'], 'missing'],
    [
      'a number that no float keeps',
      '{"inputs":{"n":12345678901234567890}}',
      ['body', 'inputs', 'n'],
      'number_inexact',
    ],
    ['slots without number', { inputs: many(1_001, (n) => [`s${n}`, 1]) }, ['body', 'inputs'], 'object_too_long'],
    ['a slot of a long name', { inputs: { ['s'.repeat(256)]: 1 } }, ['body', 'inputs'], 'string_too_long'],
    ['201 texts', { inputs: many(201, (n) => [`s${n}`, 'a']) }, ['body', 'inputs'], 'too_many_inputs'],
    [
      'a slot named as an item of another',
      { inputs: { doc: [{ type: 'text', text: 'one' }], 'doc/0': { type: 'text', text: 'two' } } },
      ['body', 'inputs'],
      'duplicate_input',
    ],
    [
      'a slot named as a URL of another',
      { inputs: { 'doc/a': 'https://example.com/1', doc: { a: 'https://example.com/2' } } },
      ['body', 'inputs'],
      'duplicate_input',
    ],
    [
      '201 items, however wrong',
      { inputs: { list: Array.from({ length: 201 }, () => ({ type: 'text' })) } },
      ['body', 'inputs'],
      'too_many_inputs',
    ],
    [
      '10,001 pages, however wrong',
      { inputs, config: { page_indices: Array.from({ length: 10_001 }, () => 'x') } },
      ['body', 'config', 'page_indices'],
      'array_too_long',
    ],
    [
      'an input URL longer than any',
      { inputs: { page: { type: 'file_url', file_url: { url: `https://x/${'a'.repeat(9_000)}` } } } },
      ['body', 'inputs', 'page', 'file_url', 'url'],
      'value_error',
    ],
    [
      'more values than are parsed',
      `{"inputs":{"a":[${'1,'.repeat(3_000_000)}1]}}`,
      ['body', expect.any(Number)],
      'json_too_many_values',
    ],
    ['a body that is no object', [1], ['body'], 'object_type'],
    [
      'a schema without fields',
      { inputs, config: { json_schema: { type: 'object', properties: {} } } },
      ['body', 'config', 'json_schema'],
      'json_schema',
    ],
    [
      'an invalid schema',
      { inputs, config: { json_schema: { type: 'objekt' } } },
      ['body', 'config', 'json_schema', 'type'],
      'json_schema',
    ],
    [
      'a schema that points elsewhere',
      { inputs, config: { response_model: { properties: { a: { $ref: 'https://example.com/a.json' } } } } },
      ['body', 'config', 'response_model', 'properties', 'a', '$ref'],
      'json_schema',
    ],
    [
      'a schema that points nowhere',
      { inputs, config: { json_schema: { properties: { a: { $ref: '#/$defs/none' } } } } },
      ['body', 'config', 'json_schema', 'properties', 'a', '$ref'],
      'json_schema',
    ],
    [
      'a schema that points nowhere from a list',
      { inputs, config: { json_schema: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/none' }] } } },
      ['body', 'config', 'json_schema', 'anyOf', 1, '$ref'],
      'json_schema',
    ],
    ['half a surrogate pair', '{"inputs":{"text":"\\ud800"}}', ['body', 'inputs', 'text'], 'string_unicode'],
    ['a NUL', '{"inputs":{"text":"a\\u0000b"}}', ['body', 'inputs', 'text'], 'string_nul'],
    ['a prototype', '{"inputs":{"__proto__":{"a":1}}}', ['body', 'inputs', '__proto__'], 'value_error'],
    ['JSON that breaks off', '{"inputs":', ['body', 10], 'json_invalid'],
    ['what is no JSON', '# inputs', ['body', 0], 'json_invalid'],
    ['a word that JSON has not', '{"inputs": True}', ['body', 11], 'json_invalid'],
    ['JSON nested without end', '['.repeat(100_000), ['body', 200], 'json_too_deep'],
  ])('%s is a 422 with the location', async (_name, body, loc, type) => {
    const { status, json } = await execute(body)
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([422, loc, type])
    expect(json.detail[0].msg).toMatch(/^[A-Z]/)
  })

  test.each([
    ['a key', 'POST', '/v1/keys', { expires_at: '0000-01-01T00:00:00Z' }, ['body', 'expires_at']],
    ['a key of no day', 'POST', '/v1/keys', { expires_at: '2027-02-30T00:00:00Z' }, ['body', 'expires_at']],
    ['a key of a far place', 'POST', '/v1/keys', { expires_at: '2090-01-01T00:00:00+23:59' }, ['body', 'expires_at']],
    ['usage', 'GET', '/v1/usage?from=0001-01-01', undefined, ['query', 'from']],
    ['usage up to then', 'GET', '/v1/usage?to=2026-01-01T00:00:00%2B23:59', undefined, ['query', 'to']],
    ['usage by NUL', 'GET', '/v1/usage?group_by=%00', undefined, ['query', 'group_by']],
    ['a list of files', 'GET', '/v1/files?limit=1e2', undefined, ['query', 'limit']],
    ['a file by NUL', 'GET', '/v1/files/%00', undefined, ['path', 'id']],
    ['an execution by NUL', 'GET', '/v1/agent/executions/%00', undefined, ['path', 'id']],
    ['a page', 'GET', '/v1/files/11111111-1111-4111-8111-111111111111/pages/1e2', undefined, ['path', 'page']],
  ])('%s with an impossible value is a 422 with the location', async (_name, method, path, body, loc) => {
    const { status, json } = await service.call(method, path, body ? { body } : {})
    expect([status, json.detail[0].loc]).toEqual([422, loc])
  })

  test('another content type is a 422, and so is invalid JSON', async () => {
    expect(await execute('a=b', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['header', 'content-type'] }] },
    })
    expect((await service.call('POST', '/v1/agent/execute', {})).status).toBe(422)
  })

  test('a JSON body of 30 MB is refused as too large, with advice for large inputs', async () => {
    const { status, json } = await execute(JSON.stringify({ config, inputs: { text: 'x'.repeat(30 * 1024 * 1024) } }))
    expect([status, json.detail]).toEqual([413, expect.stringContaining('POST /v1/files')])
  })

  test('null means absent, unknown fields are ignored, camelCase metadata is read', async () => {
    const nulls = {
      name: null,
      callback_url: null,
      model: null,
      id: null,
      toolsets: null,
      created_at: null,
      config: { json_schema: null, skills: null, service_tier: null, prompt: 'Extract the total' },
      orchestration_mode: true,
      whatever: { deep: [] },
    }
    const { status, json } = await execute({
      ...nulls,
      inputs,
      metadata: { sessionId: 'session-7', allowTraining: false, other: 1 },
    })
    expect([status, json.session_id]).toEqual([201, 'session-7'])
    const list = await service.call('GET', '/v1/agent/executions?session_id=session-7')
    expect(list.json.map((one: { id: string }) => one.id)).toEqual([json.id])
  })

  test.each(['2026-11-21T10:00:00Z', '2026-11-21T10:00:00+02:00', '2026-11-21T10:00:00.123456'])(
    'the created_at of a request may be %s: without an offset it is UTC',
    async (created_at) => {
      expect((await execute({ inputs, config, created_at })).status).toBe(201)
    },
  )

  test.each(['vlmrun-orion-1', 'vlmrun-orion-1:lite', 'vlmrun-orion-2:pro', 'svc-agent-2'])(
    'the model %s is understood',
    async (model) => {
      const { status, json } = await execute({ inputs, config, model })
      expect([status, json.model]).toEqual([201, model.replace('vlmrun-orion', 'svc-agent').replace(':lite', ':fast')])
    },
  )
})

describe('authentication', () => {
  test('every route of the API needs a key, in one way only', async () => {
    for (const [method, path] of [
      ['GET', '/v1/health'],
      ['GET', '/v1/agent/executions'],
      ['POST', '/v1/agent/execute'],
      ['GET', '/v1/files'],
      ['GET', '/v1/keys'],
    ] as const) {
      for (const headers of [
        {},
        { 'X-Api-Key': service.key },
        { Authorization: service.key },
        { Authorization: 'Bearer wrong-key-wrong-key' },
        { Authorization: `Basic ${service.key}` },
      ]) {
        const answer = await service.call(method, path, { key: null, headers })
        expect([answer.status, typeof answer.json.detail]).toEqual([401, 'string'])
      }
    }
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await service.call('GET', path, { key: null })).status).toBe(200)
    expect(await service.call('GET', '/v1/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
  })

  test('a key of another workspace finds nothing of this one', async () => {
    const { json } = await execute({ inputs, config })
    const file = await service.upload(Buffer.from('hello'), 'hello.txt')
    const key = await service.stranger()
    for (const path of [
      `/v1/agent/executions/${json.id}`,
      `/v1/agent/executions/${json.id}/steps`,
      `/v1/files/${file.id}`,
      `/v1/files/${file.id}/content`,
    ]) {
      const theirs = await service.call('GET', path, { key })
      const nobodys = await service.call('GET', path.replace(/[0-9a-f]{8}-/, '00000000-'), { key })
      expect([theirs.status, theirs.json]).toEqual([404, nobodys.json])
    }
    expect((await service.call('GET', '/v1/agent/executions', { key })).json).toEqual([])
    const theirs = await execute({ inputs: { file: { type: 'input_file', file_id: file.id } }, config }, { key })
    expect([theirs.status, theirs.json.detail]).toEqual([404, expect.stringContaining('inputs.file')])
  })

  test('a key can do what its scopes allow and no more, until it is revoked', async () => {
    const made = await service.call('POST', '/v1/keys', {
      body: { name: 'reader', scopes: ['read'], budget_dollars_per_day: 2.5 },
    })
    expect(made).toMatchObject({
      status: 201,
      json: { name: 'reader', scopes: ['read'], workspace: 'main', expires_at: null },
    })
    const { key, id } = made.json
    expect((await service.call('GET', '/v1/agent/executions', { key })).status).toBe(200)
    expect(await execute({ inputs, config }, { key })).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining('execute') },
    })
    expect((await service.call('POST', '/v1/keys', { key, body: {} })).status).toBe(403)
    const listed = (await service.call('GET', '/v1/keys')).json.find((one: { id: string }) => one.id === id)
    expect(listed).toMatchObject({ hint: key.slice(-4), revoked_at: null, budget_dollars_per_day: 2.5 })
    expect(JSON.stringify(listed)).not.toContain(key)
    expect((await service.call('DELETE', `/v1/keys/${id}`)).json.revoked_at).toMatch(/Z$/)
    await expect
      .poll(async () => (await service.call('GET', '/v1/health', { key })).status, { timeout: 3_000 })
      .toBe(401)
  })

  test('an admin of the first workspace lists and revokes the keys of another; nobody else does', async () => {
    const made = (await service.call('POST', '/v1/keys', { body: { workspace: 'branch', name: 'of the branch' } })).json
    const list = async (key = service.key) => service.call('GET', '/v1/keys?workspace=branch', { key })
    expect((await list()).json.map((one: { id: string }) => one.id)).toEqual([made.id])
    expect((await list(await service.stranger())).status).toBe(403)
    expect((await list(made.key)).json.length).toBe(1)
    expect((await service.call('GET', '/v1/keys?workspace=nowhere')).status).toBe(404)
    expect((await service.call('DELETE', `/v1/keys/${made.id}`)).status).toBe(404)
    expect((await service.call('DELETE', `/v1/keys/${made.id}?workspace=branch`)).json.revoked_at).toMatch(/Z$/)
  })

  test('only the hash of a key is stored', async () => {
    const { key } = (await service.call('POST', '/v1/keys', { body: {} })).json
    const rows = await service.database.db.query<{ row: string }>('select k::text as row from keys k')
    expect(rows.length).toBeGreaterThan(1)
    for (const { row } of rows) expect(row).not.toContain(key.slice(7))
  })
})

describe('the format of replies', () => {
  test('header names are capitalised, with a request id and the rate', async () => {
    const { headers, status } = await rawGet(`${service.url}/v1/health`, service.key)
    expect(status).toBe(200)
    for (const name of [
      'Content-Type',
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ])
      expect(headers).toContain(name)
  })

  test('an unknown route is 404, a known one with another method 405 with the allowed ones', async () => {
    expect(await service.call('GET', '/v1/nothing')).toMatchObject({
      status: 404,
      json: { detail: expect.stringContaining('/v1/nothing') },
    })
    const { status, headers, json } = await service.call('DELETE', '/v1/agent/execute')
    expect([status, headers.get('allow'), typeof json.detail]).toEqual([405, 'POST', 'string'])
  })

  test('a key without explicit scopes has all but approve and admin; the key that is created with a workspace is its admin', async () => {
    const make = (body: object, key = service.key) => service.call('POST', '/v1/keys', { body, key })
    const work = (await make({ expires_at: '2090-01-01' })).json
    expect(work).toMatchObject({
      scopes: ['execute', 'read', 'skills:write', 'files:write', 'review'],
      expires_at: '2090-01-01T00:00:00.000Z',
    })
    expect((await make({}, work.key)).status).toBe(403)
    expect((await execute({ inputs, config }, { key: work.key })).status).toBe(201)
    const first = (await make({ workspace: 'of its own' })).json
    expect(first.scopes).toEqual(['admin'])
    expect((await make({ workspace: 'of its own' })).json.scopes).toEqual(work.scopes)
    expect((await make({}, first.key)).json.scopes).toEqual(work.scopes)
  })

  test('an unknown id counts within the rate of the key; an unknown route does not, and has no such headers', async () => {
    const remaining = async (method: string, path: string) => {
      const { status, headers } = await service.call(method, path)
      return [status, headers.has('x-ratelimit-remaining')]
    }
    expect(await remaining('GET', '/v1/agent/executions/x')).toEqual([404, true])
    expect(await remaining('GET', '/v1/nowhere')).toEqual([404, false])
    expect(await remaining('PUT', '/v1/agent/execute')).toEqual([405, false])
  })

  test('an execution id that is unknown or malformed gives the same 404', async () => {
    const sentence = 'This workspace has no execution with this id'
    for (const id of ['11111111-1111-4111-8111-111111111111', 'x', `${'9'.repeat(300)}`]) {
      expect(await service.call('GET', `/v1/agent/executions/${id}`)).toMatchObject({
        status: 404,
        json: { detail: sentence },
      })
    }
  })

  test('a key above its rate gets a Retry-After', async () => {
    const limited = await openTestService({ config: { file: { limits: { requests_per_minute: 3 } } } })
    try {
      const answers = []
      for (let call = 0; call < 4; call++) answers.push(await limited.call('GET', '/v1/health'))
      expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 429])
      expect(answers.map((one) => one.headers.get('x-ratelimit-remaining'))).toEqual(['2', '1', '0', '0'])
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited[Symbol.asyncDispose]()
    }
  })
})

describe('the list of executions', () => {
  test('pages by cursor without duplicates or gaps, newest first, and has limits with 422', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count++)
      ids.unshift((await execute({ inputs, config, metadata: { session_id: 'paged' } })).json.id)
    const seen: string[] = []
    let path: string | undefined = '/v1/agent/executions?session_id=paged&limit=2'
    while (path) {
      const page = await service.call('GET', path)
      seen.push(...page.json.map((one: { id: string }) => one.id))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(ids)
    expect(
      (await service.call('GET', '/v1/agent/executions?session_id=paged&skip=1&limit=2')).json.map(
        (one: { id: string }) => one.id,
      ),
    ).toEqual(ids.slice(1, 3))
    for (const query of [
      'limit=0',
      'limit=1001',
      'skip=-1',
      'limit=x',
      'status=done',
      'cursor=junk',
      'created_after=yesterday',
    ]) {
      expect((await service.call('GET', `/v1/agent/executions?${query}`)).status).toBe(422)
    }
  })

  const nobody = '11111111-1111-4111-8111-111111111111'
  test.each([
    'name=%00',
    'session_id=%00',
    'name=%ED%A0%80',
    'created_after=0000-01-01T00:00:00Z',
    'created_before=2026-01-01T00:00:00%2B23:59',
    'created_after=1969-12-31T23:59:59Z',
    `cursor=-271821-04-20T00:00:00.000Z_${nobody}`,
    `cursor=0001-01-01T00:00:00.000Z_${nobody}`,
    `cursor=2026-01-01_${nobody}`,
    `cursor=2026-01-01T00:00:00Z_${nobody}`,
    `cursor=2026-01-01T00:00:00.000Z_${nobody}_`,
    'limit=1e2',
    'skip=0x10',
    'limit=',
  ])('?%s is a 422 with the location', async (query) => {
    const { status, json } = await service.call('GET', `/v1/agent/executions?${query}`)
    expect([status, json.detail[0].loc]).toEqual([422, ['query', query.split('=')[0]]])
  })

  test('can be filtered by times with any offset, and so can its next page', async () => {
    const { json } = await execute({ inputs, config, metadata: { session_id: 'moments' } })
    await execute({ inputs, config, metadata: { session_id: 'moments' } })
    const list = (query: string) => service.call('GET', `/v1/agent/executions?session_id=moments&${query}`)
    const around = 'created_after=1970-01-01T00:00:00Z&created_before=9999-12-31T23:59:59.5%2B15:59&limit=1'
    const first = await list(around)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect((await service.call('GET', next)).json).toMatchObject([{ id: json.id }])
    expect((await list('created_before=1970-01-01T00:00:00Z')).json).toEqual([])
    const day = json.created_at.slice(0, 10)
    const dayAfter = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    expect((await list(`created_after=${day}&created_before=${dayAfter}`)).json).toHaveLength(2)
    expect((await list(`created_before=${day}`)).json).toEqual([])
    expect((await list('created_after=2026-13-01')).status).toBe(422)
  })
})

async function rawGet(url: string, key: string): Promise<{ status: number | undefined; headers: string[] }> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${key}` } }, (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode, headers: reply.rawHeaders.filter((_, index) => index % 2 === 0) })
    }).on('error', reject)
  })
}
