import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../packages/server/src/core/limits.ts'
import { failureOf } from './support/failure-of.ts'
import { type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'

let reader: string
let hurried: TestService
let turn: () => MockTurn | Promise<MockTurn>
const providersOf = (baseUrl: string) => ({
  mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small', pro: 'small' },
})
const model = await opened(startMockModel({ script: () => turn() }))
const service = await opened(
  openTestService({
    file: {
      providers: providersOf(model.baseUrl),
      models: { 'mine/small': { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text'] } },
      limits: { model_attempts: 1, model_call_ms: 1_000, requests_per_minute: 100_000 },
    } as never,
  }),
)
beforeAll(async () => {
  reader = (await service.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })).json.key
  hurried = await openTestService({ file: { limits: { requests_per_minute: 1 } } })
  await hurried.call('GET', '/v1/models')
})
afterAll(async () => {
  await hurried?.[Symbol.asyncDispose]()
})

const pro = 'svc-agent-1:pro'
const messages = [{ role: 'user' as const, content: 'Say hello' }]

interface Dialect {
  readonly name: string
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
  readonly invalid: number
  /** Checks that a body has the form of the dialect, and returns its type and code. */
  form(answer: Answer): { readonly type: unknown; readonly code: unknown }
}

const dialects: readonly Dialect[] = [
  {
    name: 'the service',
    path: '/v1/agent/execute',
    body: { config: { prompt: 'Say hello' }, model: pro },
    invalid: 422,
    form({ status, json }) {
      expect(Object.keys(json)).toEqual(['detail'])
      if (status === 422) expect(json.detail[0]).toMatchObject({ loc: expect.any(Array), msg: expect.any(String) })
      else expect(json.detail).toEqual(expect.any(String))
      return { type: undefined, code: json.detail[0].type }
    },
  },
  ...(
    [
      ['OpenAI in chat', '/v1/openai/chat/completions', { model: pro, messages }],
      ['OpenAI in responses', '/v1/openai/responses', { model: pro, input: 'Say hello' }],
    ] as const
  ).map(
    ([name, path, body]): Dialect => ({
      name,
      path,
      body,
      invalid: 422,
      form({ json }) {
        expect(Object.keys(json)).toEqual(['error'])
        const { message, type, code, param } = json.error
        expect([typeof message, typeof type, typeof code]).toEqual(['string', 'string', 'string'])
        expect(param).toBeOneOf([null, expect.stringMatching(/^[a-z]/)])
        return { type, code }
      },
    }),
  ),
  {
    name: 'Anthropic',
    path: '/anthropic/v1/messages?beta=true',
    body: { model: pro, max_tokens: 50, messages },
    invalid: 400,
    form({ json, headers }) {
      expect(json).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } })
      expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
      return { type: json.error.type, code: json.error.details.error_code }
    },
  },
  {
    name: 'MCP',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream' },
    invalid: 400,
    form({ json }) {
      expect(json).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: expect.any(Number), message: expect.any(String), data: { code: expect.any(String) } },
      })
      return { type: json.error.code, code: json.error.data.code }
    },
  },
]

/** A refused request, and what the dialects call it. */
interface Case {
  readonly what: string
  readonly status: number | 'invalid'
  readonly types: { readonly openai: string; readonly anthropic: string; readonly mcp: number }
  readonly code: string
  readonly openaiCode?: string
  readonly retryAfter?: true
  send(dialect: Dialect): Promise<Answer>
}

const sent = (dialect: Dialect, more: { body?: unknown; key?: string | null; headers?: Record<string, string> }) =>
  service.call('POST', dialect.path, { ...more, headers: { ...dialect.headers, ...more.headers } })
const wrong = { openai: 'invalid_request_error', anthropic: 'invalid_request_error', mcp: -32_600 }

const cases: readonly Case[] = [
  {
    what: 'JSON that breaks off',
    status: 'invalid',
    types: { ...wrong, mcp: -32_700 },
    code: 'json_invalid',
    send: (dialect) => sent(dialect, { body: '{"model": ' }),
  },
  {
    what: 'another content type',
    status: 'invalid',
    types: wrong,
    code: 'content_type',
    send: (dialect) => sent(dialect, { body: 'hello', headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    what: 'a list in place of an object',
    status: 'invalid',
    types: wrong,
    code: 'object_type',
    send: (dialect) => sent(dialect, { body: [dialect.body] }),
  },
  {
    what: 'a body that is too large',
    status: 413,
    types: { openai: 'invalid_request_error', anthropic: 'request_too_large', mcp: -32_000 },
    code: 'body_too_large',
    send: (dialect) => sent(dialect, { body: `"${'a'.repeat(limits.jsonBodyBytesMax)}"` }),
  },
  {
    what: 'a compressed body',
    status: 415,
    types: { ...wrong, mcp: -32_000 },
    code: 'encoded_body',
    send: (dialect) => sent(dialect, { body: dialect.body, headers: { 'Content-Encoding': 'gzip' } }),
  },
  {
    what: 'no key',
    status: 401,
    types: { openai: 'authentication_error', anthropic: 'authentication_error', mcp: -32_000 },
    code: 'no_key',
    openaiCode: 'invalid_api_key',
    send: (dialect) => sent(dialect, { key: null, body: dialect.body }),
  },
  {
    what: 'a wrong key',
    status: 401,
    types: { openai: 'authentication_error', anthropic: 'authentication_error', mcp: -32_000 },
    code: 'bad_key',
    openaiCode: 'invalid_api_key',
    send: (dialect) => sent(dialect, { key: 'nobody', body: dialect.body }),
  },
  {
    what: 'a method that the route does not have',
    status: 405,
    types: { ...wrong, mcp: -32_000 },
    code: 'not_allowed',
    send: (dialect) => service.call('PUT', dialect.path, { body: dialect.body }),
  },
  {
    what: 'too many requests',
    status: 429,
    types: { openai: 'rate_limit_error', anthropic: 'rate_limit_error', mcp: -32_000 },
    code: 'rate_limited',
    openaiCode: 'rate_limit_exceeded',
    retryAfter: true,
    send: ({ path, body, headers = {} }) => hurried.call('POST', path, { body, headers }),
  },
]

describe.each(dialects)('in the dialect of $name,', (dialect) => {
  test.each(cases)('$what', async (one) => {
    const answer = await one.send(dialect)
    const { headers, status } = answer
    expect(status).toBe(one.status === 'invalid' ? dialect.invalid : one.status)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
    if (one.retryAfter) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const { type, code } = dialect.form(answer)
    const { openai, anthropic, mcp } = one.types
    if (dialect.name.startsWith('OpenAI')) expect([type, code]).toEqual([openai, one.openaiCode ?? one.code])
    if (dialect.name === 'Anthropic') expect([type, code]).toEqual([anthropic, one.code])
    if (dialect.name === 'MCP') expect([type, code]).toEqual([mcp, one.code])
  })

  test('a key without the scope', async () => {
    if (dialect.name === 'MCP') {
      const params = { name: 'run', arguments: { prompt: 'Say hello' } }
      const answer = await sent(dialect, {
        key: reader,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      })
      // The server answers each message on its own: the client's model reads why this call was refused.
      expect(answer).toMatchObject({ status: 200, json: expect.stringContaining('"isError":true') })
      return
    }
    const answer = await sent(dialect, { key: reader, body: dialect.body })
    expect(answer.status).toBe(403)
    if (dialect.name === 'the service') expect(answer.json.detail).toContain('scope execute')
    else expect(dialect.form(answer)).toEqual({ type: 'permission_error', code: 'scope_missing' })
  })
})

test('a path without a route is answered in the form of its dialect', async () => {
  for (const path of ['/anthropic', '/anthropic/v1/models', '/v1/anthropic/v1/x', '/v1/messages/x'])
    expect(await service.call('GET', path)).toMatchObject({ status: 404, json: { error: { type: 'not_found_error' } } })
  for (const path of ['/v1/openai', '/v1/openai/batches', '/v1/responses/x/y'])
    expect(await service.call('GET', path)).toMatchObject({ status: 404, json: { error: { param: null } } })
  expect((await service.call('GET', '/mcp/x')).json).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } })
})

const openai = (maxRetries = 2) => new OpenAI({ apiKey: service.key, baseURL: `${service.url}/v1/openai`, maxRetries })
const anthropic = (maxRetries = 2) =>
  new Anthropic({ apiKey: service.key, baseURL: `${service.url}/anthropic`, maxRetries })
async function read(stream: PromiseLike<AsyncIterable<unknown>>): Promise<unknown> {
  let last: unknown
  for await (const event of await stream) last = event
  return last
}

describe('a failure that is not the fault of the request', () => {
  const silent = () => new Promise<never>(() => undefined)
  const failing = (status: number) => () => ({ status, body: { error: { message: 'scripted', type: 'x' } } })
  test.each([
    ['a provider that fails', failing(500), 'provider_failed', 'server_error', 'api_error'],
    ['a provider that is overloaded', failing(503), 'provider_failed', 'server_error', 'api_error'],
    ['a provider that limits requests', failing(429), 'provider_limited', 'rate_limit_error', 'rate_limit_error'],
    ['a provider that does not answer', silent, 'provider_timeout', 'server_error', 'timeout_error'],
  ])('%s', async (_what, following, code, openaiType, anthropicType) => {
    turn = following
    const before = model.requests.length
    const chat = { model: pro, messages }
    const response = { model: pro, input: 'Say hello' }
    const message = { model: pro, max_tokens: 50, messages }
    // The status is one after which clients do not send the same work again, and the type says what happened.
    const ofOpenai = { status: 400, code, type: openaiType, requestID: expect.any(String) }
    expect(await failureOf(openai().chat.completions.create(chat))).toMatchObject(ofOpenai)
    expect(await failureOf(openai().responses.create(response))).toMatchObject(ofOpenai)
    const ofAnthropic = { type: anthropicType, errorCode: code, requestID: expect.any(String) }
    const failure = await failureOf(anthropic().messages.create(message))
    expect(failure).toMatchObject({ ...ofAnthropic, status: 400 })
    // In a stream that has begun, the error is an event.
    const last = await read(openai().responses.create({ ...response, stream: true }))
    expect(last).toMatchObject({ type: 'response.failed', response: { error: { code } } })
    expect(await failureOf(read(anthropic().messages.create({ ...message, stream: true })))).toMatchObject(ofAnthropic)
    expect(await failureOf(read(openai().chat.completions.create({ ...chat, stream: true })))).toMatchObject({
      code,
      type: openaiType,
    })
    expect(model.requests.length - before).toBe(6)
  })

  test('an execution that takes longer than its time', async () => {
    turn = silent
    const more = { model: pro, timeout_seconds: 1 } as { model: string }
    const chat = await failureOf(openai().chat.completions.create({ ...more, messages }))
    expect(chat).toMatchObject({ status: 400, type: 'server_error' })
    const message = await failureOf(anthropic().messages.create({ ...more, max_tokens: 50, messages }))
    expect(message).toMatchObject({ status: 400, type: 'timeout_error' })
  })
})

test('a budget that does not suffice is a 402 that clients do not repeat, and an incomplete response', async () => {
  turn = () => ({ text: 'Hello.' })
  const before = model.requests.length
  const more = { model: pro, max_cost_dollars: 0.000_01 } as { model: string }
  expect(await failureOf(openai().chat.completions.create({ ...more, messages }))).toMatchObject({
    status: 402,
    type: 'insufficient_quota',
    code: 'budget_spent',
  })
  const failure = await failureOf(anthropic().messages.create({ ...more, max_tokens: 50, messages }))
  expect(failure).toBeInstanceOf(Anthropic.PaymentRequiredError)
  expect(failure).toMatchObject({ type: 'billing_error', errorCode: 'budget_spent' })
  expect(await failureOf(openai().responses.create({ ...more, input: 'Say hello' }))).toMatchObject({ status: 402 })
  const last = await read(openai().responses.create({ ...more, input: 'Say hello', stream: true }))
  expect(last).toMatchObject({ type: 'response.incomplete', response: { incomplete_details: { reason: 'paused' } } })
  expect(model.requests.length).toBe(before)
})

test('somebody else cancels: each client learns it in its own form', async () => {
  const cancelAll = async () => {
    const running = await service.call('GET', '/v1/agent/executions?status=running')
    for (const { id } of running.json) await service.call('POST', `/v1/agent/executions/${id}/cancel`)
    return { text: 'Too late.' }
  }
  turn = cancelAll
  const code = 'cancelled'
  expect(await failureOf(openai(0).chat.completions.create({ model: pro, messages }))).toMatchObject({
    status: 409,
    code,
  })
  expect(await failureOf(openai(0).responses.create({ model: pro, input: 'Say hello' }))).toMatchObject({
    status: 409,
    code,
  })
  const message = { model: pro, max_tokens: 50, messages }
  expect(await failureOf(anthropic(0).messages.create(message))).toMatchObject({ status: 409, errorCode: code })
  expect(await failureOf(read(anthropic(0).messages.create({ ...message, stream: true })))).toMatchObject({
    errorCode: code,
  })
})
