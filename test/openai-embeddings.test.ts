import OpenAI from 'openai'
import OpenAI5 from 'openai5'
import OpenAI6 from 'openai6'
import { describe, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { startEmbedding, startGoogleEmbedding } from './support/embedding.ts'
import { failureOf } from './support/failure-of.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const majors: readonly (readonly [string, typeof OpenAI])[] = [
  ['5', OpenAI5 as unknown as typeof OpenAI],
  ['6', OpenAI6 as unknown as typeof OpenAI],
  ['7', OpenAI],
]

const place = await opened(startEmbedding())
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: place.baseUrl }],
      file: {
        embeddings: { small: 'mine/vectors', free: 'mine/free' },
        // Ten dollars per million tokens.
        models: { 'mine/vectors': { input: 10_000_000 } },
        limits: { requests_per_minute: 100_000 },
      },
    },
  }),
)
const clientOf = (Client: typeof OpenAI, key = service.key) =>
  new Client({ apiKey: key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })

test.each(majors)(
  "OpenAI's client, major %s, gets vectors as base64, as numbers and of a length",
  async (_major, Client) => {
    const client = clientOf(Client)
    // The client asks for base64 and decodes it.
    const reply = await client.embeddings.create({ model: 'small', input: ['pear', 'a plum'] })
    expect(reply).toMatchObject({ object: 'list', model: 'small', usage: { prompt_tokens: 10, total_tokens: 10 } })
    expect(reply.data.map((one) => [one.index, [...one.embedding]])).toEqual([
      [0, [4, 0.125, 0.25]],
      [1, [6, 0.125, 0.25]],
    ])
    const numbers = await client.embeddings.create({
      model: 'mine/vectors',
      input: 'pear',
      encoding_format: 'float',
      dimensions: 5,
    })
    expect(numbers.data).toEqual([{ object: 'embedding', index: 0, embedding: [4, 0.125, 0.25, 0.375, 0.5] }])
    const raw = await client.embeddings.create({
      model: 'small',
      input: 'pear',
      encoding_format: 'base64',
      user: 'ann',
    })
    expect(Buffer.from(raw.data[0]?.embedding as unknown as string, 'base64').readFloatLE(0)).toBe(4)
  },
)

test('are an execution with its cost and its steps, in calls of a bounded size', async () => {
  const calls = place.asked.length
  const input = Array.from({ length: 200 }, (_, index) => `text ${index}`)
  const reply = await clientOf(OpenAI).embeddings.create({ model: 'small', input, encoding_format: 'float' })
  expect(reply.data.map(({ index, embedding }) => [index, embedding[0]])).toEqual(
    input.map((text, index) => [index, text.length]),
  )
  const asked = place.asked.slice(calls)
  expect(asked.flatMap((one) => one.input)).toEqual(input)
  expect(Math.max(...asked.map((one) => one.input.length))).toBeLessThan(100)
  const { execution_id: id } = reply as unknown as { execution_id: string }
  const tokens = input.join('').length
  const record = (await service.call('GET', `/v1/agent/executions/${id}`)).json
  expect(record).toMatchObject({
    status: 'completed',
    response: { model: 'small', texts: 200 },
    model_selection: { resolved: 'mine/vectors' },
    usage: { steps: 3, cost_dollars: tokens / 100_000 },
  })
  const steps = (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json
  expect(steps.map(({ name, detail }: { name: string; detail: object }) => ({ name, ...detail }))).toMatchObject([
    { name: 'text.embed', from: 0, to: 96 },
    { name: 'text.embed', from: 96, to: 192 },
    { name: 'text.embed', from: 192, to: 200 },
  ])
  const usage = (await service.call('GET', '/v1/usage?group_by=model')).json
  expect(JSON.stringify(usage)).toContain('input_tokens')
  const again = (await service.call('POST', `/v1/agent/executions/${id}/rerun?wait=true`, { body: { batch: false } }))
    .json
  expect(again).toMatchObject({ status: 'completed', response: { model: 'small', texts: 200 } })
})

test('are refused by a budget before anything is paid', async () => {
  const calls = place.asked.length
  const key = (await service.call('POST', '/v1/keys', { body: { budget_dollars_per_day: 0.001 } })).json.key as string
  const input = 'word '.repeat(200)
  expect(await failureOf(clientOf(OpenAI, key).embeddings.create({ model: 'small', input }))).toMatchObject({
    status: 402,
    code: 'budget_spent',
    error: { message: expect.stringContaining('daily budget') },
  })
  const own = { model: 'small', input, max_cost_dollars: 0.001 }
  expect(await failureOf(clientOf(OpenAI).embeddings.create(own))).toMatchObject({ status: 402, code: 'budget_spent' })
  expect(place.asked.length).toBe(calls)
  // What costs nothing needs no budget.
  expect(await clientOf(OpenAI, key).embeddings.create({ model: 'free', input })).toMatchObject({ object: 'list' })
})

test('are asked for again after a failure of the provider, and the same key gives the same vectors, of the same request only', async () => {
  const calls = place.asked.length
  place.fail(500)
  const create = (more = {}) =>
    clientOf(OpenAI).embeddings.create(
      { model: 'small', input: 'fig', ...more },
      { headers: { 'Idempotency-Key': 'figs' } },
    )
  const first = await create()
  expect(place.asked.length - calls).toBe(2)
  expect(await create()).toEqual(first)
  expect(await failureOf(create({ dimensions: 3 }))).toMatchObject({ status: 409 })
  expect(await failureOf(create({ model: 'free' }))).toMatchObject({ status: 409 })
  expect(place.asked.length - calls).toBe(2)
})

describe('what is not supported is refused in the form of OpenAI', () => {
  test.each([
    ['tokens', { input: [1, 2, 3] }, 422, 'input'],
    ['lists of tokens', { input: [[1, 2], [3]] }, 422, 'input'],
    ['an image', { input: [[{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]] }, 422, 'input'],
    ['nothing', { input: [] }, 422, 'input'],
    ['an empty text', { input: ['a', ''] }, 422, 'input'],
    ['too many texts', { input: Array.from({ length: 2_049 }, () => 'a') }, 422, 'input'],
    ['no dimensions', { input: 'a', dimensions: 0 }, 422, 'dimensions'],
    ['another format', { input: 'a', encoding_format: 'int8' }, 422, 'encoding_format'],
    ['an unknown parameter', { input: 'a', truncate: true }, 422, 'truncate'],
    ['an unknown model', { input: 'a', model: 'text-embedding-3-small' }, 404, null],
  ])('%s', async (_what, more, status, param) => {
    const calls = place.asked.length
    expect(await failureOf(clientOf(OpenAI).embeddings.create({ model: 'small', ...more } as never))).toMatchObject({
      status,
      ...(param === null ? { code: 'model_not_found' } : { param: expect.stringContaining(param) }),
      error: { message: expect.any(String), type: status === 404 ? 'not_found_error' : 'invalid_request_error' },
    })
    expect(place.asked.length).toBe(calls)
  })

  test('without a provider every model is', async () => {
    await using bare = await openTestService()
    const client = new OpenAI({ apiKey: bare.key, baseURL: `${bare.url}/v1/openai`, maxRetries: 0 })
    expect(await failureOf(client.embeddings.create({ model: 'text-embedding-3-small', input: 'a' }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
      error: { message: expect.stringContaining('no embedding models') },
    })
  })
})

test('a configuration that names no such provider, or one without embedding models, is refused', async () => {
  const start = (file: object) => openTestService({ file: file as never, env: { ANTHROPIC_API_KEY: 'none' } })
  await expect(start({ embeddings: { a: 'other/one' } })).rejects.toThrow('there is no provider "other"')
  await expect(start({ embeddings: { a: 'anthropic/one' } })).rejects.toThrow('kind anthropic')
})

test("are those of the built-in providers without a configuration, with Google's wire format too", async () => {
  await using both = await openTestService({ env: { OPENAI_API_KEY: 'none', GOOGLE_GENERATIVE_AI_API_KEY: 'none' } })
  const { error } = (await both.call('POST', '/v1/openai/embeddings', { body: { model: 'none', input: 'a' } })).json
  expect(error.message).toContain('use text-embedding-3-small or text-embedding-3-large or gemini-embedding-001')
})

test("are those of a Google model over Google's wire, at the estimated cost", async () => {
  await using google = await startGoogleEmbedding()
  await using own = await openTestService({
    config: { providers: [{ name: 'goo', kind: 'google', baseUrl: google.url, apiKey: 'a-key' }] },
    file: {
      embeddings: { vectors: 'goo/gemini-embedding-001' },
      models: { 'goo/gemini-embedding-001': { input: 10_000_000 } },
    } as never,
  })
  const client = new OpenAI({ apiKey: own.key, baseURL: `${own.url}/v1/openai`, maxRetries: 0 })
  const several = await client.embeddings.create({ model: 'vectors', input: ['pear', 'a plum'] })
  expect(several.data.map(({ embedding }) => [...embedding])).toEqual([
    [4, 0.125, 0.25],
    [6, 0.125, 0.25],
  ])
  expect(several.usage.prompt_tokens).toBeGreaterThan(0)
  const one = await client.embeddings.create({ model: 'vectors', input: 'pear', dimensions: 2 })
  expect(one.data.map(({ embedding }) => [...embedding])).toEqual([[4, 0.125]])
  const path = '/v1beta/models/gemini-embedding-001'
  expect(google.asked).toMatchObject([
    {
      path: `${path}:batchEmbedContents`,
      key: 'a-key',
      requests: [
        { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'pear' }] } },
        { content: { parts: [{ text: 'a plum' }] } },
      ],
    },
    { path: `${path}:embedContent`, requests: [{ outputDimensionality: 2 }] },
  ])
  const { execution_id: id } = several as unknown as { execution_id: string }
  const record = (await own.call('GET', `/v1/agent/executions/${id}`)).json
  expect(record.usage.cost_dollars).toBeCloseTo(several.usage.prompt_tokens / 100_000, 9)

  google.fail(503)
  const many = Array.from({ length: 100 }, (_, index) => `text ${index}`)
  const again = await client.embeddings.create({ model: 'vectors', input: many })
  expect(again.data.map(({ embedding }) => embedding[0])).toEqual(many.map((text) => text.length))
  google.fail(400)
  expect(await failureOf(client.embeddings.create({ model: 'vectors', input: 'pear' }))).toMatchObject({
    status: 400,
    code: 'provider_refused',
  })
})

test('the command line prints them', async () => {
  const run = (...args: string[]) =>
    skillrun(args, {
      folder: service.dataFolder,
      environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key },
    })
  const { code, stdout } = await run('embed', 'pear', 'a plum', '--model', 'small', '--dimensions', '2', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    data: [
      { index: 0, embedding: [4, 0.125] },
      { index: 1, embedding: [6, 0.125] },
    ],
  })
  expect((await run('embed', 'pear', '--model', 'small')).stdout).toBe('[4,0.125,0.25]\n')
  expect(await run('embed', 'pear', '--model', 'none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('small'),
  })
})
