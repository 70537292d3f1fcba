import OpenAI from 'openai'
import OpenAI5 from 'openai5'
import OpenAI6 from 'openai6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { failureOf } from './support/failure-of.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let service: TestService
let script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
let before = 0
const follow = (following: typeof script) => {
  script = following
  before = model.requests.length
}
const requests = () => model.requests.slice(before)

const openService = () =>
  openTestService({
    database,
    file: {
      ...fileOfSmallModel(model.baseUrl, { takes: ['text', 'image', 'tools'] }),
      routes: { 'svc-agent-1:fast': 'embedded' },
      limits: { model_attempts: 2, model_call_ms: 20_000, requests_per_minute: 100_000 },
    },
  })

const model = await opened(startMockModel({ script: (request, number) => script(request, number - before) }))
const database = await opened(makeDatabase())
beforeAll(async () => {
  service = await openService()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
})

const pro = 'svc-agent-1:pro'
const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningTokens: 4 }
const executionOf = async (id: string) =>
  (await service.call('GET', `/v1/agent/executions/${id.replace('resp_', '')}`)).json
const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: true,
}

/** The three majors have the same methods; the newest types serve for all of them. */
const majors: readonly (readonly [string, typeof OpenAI])[] = [
  ['5', OpenAI5 as unknown as typeof OpenAI],
  ['6', OpenAI6 as unknown as typeof OpenAI],
  ['7', OpenAI],
]

describe.each(majors)('the official client, major %s,', (_major, Client) => {
  const clientOf = (options: { key?: string; base?: string } = {}) =>
    new Client({
      apiKey: options.key ?? service.key,
      baseURL: `${service.url}${options.base ?? '/v1/openai'}`,
      maxRetries: 0,
    })
  let client: OpenAI
  beforeAll(() => {
    client = clientOf()
  })

  test('creates a response, which is an execution', async () => {
    follow(() => ({ text: 'Hello there, friend.', usage }))
    const response = await client.responses.create({
      model: pro,
      instructions: 'Be kind',
      input: 'Say hello',
      metadata: { order: '17' },
      temperature: 0.5,
      max_output_tokens: 200,
    })
    expect(response.output_text).toBe('Hello there, friend.')
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f-]{36}$/),
      object: 'response',
      created_at: expect.any(Number),
      status: 'completed',
      model: pro,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello there, friend.', annotations: [] }],
        },
      ],
      error: null,
      incomplete_details: null,
      instructions: 'Be kind',
      metadata: { order: '17' },
      temperature: 0.5,
      max_output_tokens: 200,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      text: { format: { type: 'text' } },
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 110,
        cost_dollars: 0.000_248,
      },
    })
    expect(await executionOf(response.id)).toMatchObject({
      status: 'completed',
      name: 'chat',
      response: 'Hello there, friend.',
      usage: { cost_dollars: 0.000_248 },
    })
    expect(requests()[0]?.body).toMatchObject({ temperature: 0.5 })
    expect(requests()[0]?.text).toContain('Be kind')
    expect(await client.responses.retrieve(response.id)).toMatchObject({
      id: response.id,
      status: 'completed',
      output_text: 'Hello there, friend.',
      metadata: { order: '17' },
    })
  })

  test('gives texts, images and files, and fills a JSON Schema', async () => {
    const file = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const answer = { invoice_number: 'INV-2041' }
    follow(() => ({ text: JSON.stringify(answer), usage }))
    const schema = {
      type: 'object',
      properties: { invoice_number: { type: ['string', 'null'] } },
      required: ['invoice_number'],
      additionalProperties: false,
    }
    const response = await client.responses.parse({
      model: pro,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Read the invoice' },
            { type: 'input_file', file_id: file.id },
            { type: 'input_image', image_url: dot, detail: 'auto' },
          ],
        },
      ],
      text: { format: { type: 'json_schema', name: 'invoice', schema, strict: true } },
    })
    expect(JSON.parse(response.output_text)).toEqual(answer)
    expect(response.text).toMatchObject({ format: { type: 'json_schema', name: 'invoice', strict: true } })
    expect(requests()[0]?.text).toContain('Read the invoice')
    expect(requests()[0]?.text).toContain('INV-2041')
    expect(requests()[0]?.pictures).toHaveLength(1)
    const { evidence } = await executionOf(response.id)
    expect(evidence['/invoice_number']).toMatchObject({ status: 'verified', page: 0 })
    const items = []
    for await (const item of client.responses.inputItems.list(response.id, { order: 'asc' })) items.push(item)
    expect(items).toMatchObject([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text' },
          { type: 'input_file', file_id: file.id },
          { type: 'input_image', image_url: dot },
        ],
      },
    ])
  })

  test('is read by the embedded engine without a language model', async () => {
    follow(() => ({ text: 'unused' }))
    const data = (await makePdf([invoiceLines])).toString('base64')
    const response = await client.responses.create({
      model: 'svc-agent-1:fast',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Read the invoice' },
            { type: 'input_file', filename: 'invoice.pdf', file_data: `data:application/pdf;base64,${data}` },
          ],
        },
      ],
      text: { format: { type: 'json_schema', name: 'invoice', schema: { ...invoiceSchema } } },
    })
    expect(JSON.parse(response.output_text)).toMatchObject({ invoice_number: 'INV-2041' })
    expect(requests()).toEqual([])
  })

  test('answers function calls, by previous_response_id or by its own history', async () => {
    const called = () =>
      follow(({ results }) =>
        results.length === 0
          ? { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }
          : { text: `It is ${JSON.parse(results.at(-1) ?? '')}.` },
      )
    called()
    const first = await client.responses.create({ model: pro, input: 'Weather in Oslo?', tools: [weather] })
    expect(first.output).toMatchObject([
      { type: 'function_call', name: 'weather', arguments: '{"city":"Oslo"}', status: 'completed' },
    ])
    const call = first.output[0] as OpenAI.Responses.ResponseFunctionToolCall
    const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'sunny' }
    const second = await client.responses.create({
      model: pro,
      previous_response_id: first.id,
      input: [output],
      tools: [weather],
    })
    expect(second.output_text).toBe('It is sunny.')
    expect(second.previous_response_id).toBe(first.id)
    expect((second as unknown as { session_id: string }).session_id).toBe(
      (first as unknown as { session_id: string }).session_id,
    )
    called()
    const history = [{ role: 'user' as const, content: 'Weather in Oslo?' }, ...first.output, output]
    const again = await client.responses.create({ model: pro, input: history as never, tools: [weather] })
    expect(again.output_text).toBe('It is sunny.')
    follow(() => ({ text: 'One moment.' }))
    const moment = await client.responses.create({ model: pro, input: 'Weather in Oslo?' })
    called()
    const references = [
      { role: 'user' as const, content: 'Weather in Oslo?' },
      { type: 'item_reference' as const, id: String(moment.output[0]?.id) },
      { type: 'item_reference' as const, id: String(call.id) },
      output,
    ]
    expect(
      (await client.responses.create({ model: pro, input: references as never, tools: [weather] })).output_text,
    ).toBe('It is sunny.')
    expect(requests()[0]?.body).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ role: 'assistant', content: 'One moment.', tool_calls: [expect.anything()] }),
      ]),
    })
  })

  test('goes on after an earlier response with its files, and without its instructions; responses may branch', async () => {
    follow(() => ({ text: 'It is an invoice.' }))
    const file = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const first = await client.responses.create({
      model: pro,
      instructions: 'Answer in rhymes',
      input: [
        { role: 'developer', content: 'Amounts are in euros' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_file', file_id: file.id },
          ],
        },
      ],
    })
    for (const question of ['Who sent it?', 'What does it cost?']) {
      const next = await client.responses.create({ model: pro, previous_response_id: first.id, input: question })
      const asked = JSON.stringify(requests().at(-1)?.body)
      for (const part of ['in euros', 'What is it?', 'It is an invoice.', 'INV-2041', question])
        expect(asked).toContain(part)
      expect(asked).not.toContain('rhymes')
      const items = []
      for await (const item of client.responses.inputItems.list(next.id, { limit: 1, order: 'asc' })) items.push(item)
      expect(items.map((item) => (item as { role?: string }).role)).toEqual(['system', 'user', 'assistant', 'user'])
    }
    expect(JSON.stringify(requests().at(-1)?.body)).not.toContain('Who sent it?')
  })

  test('streams the events of a text in the official order', async () => {
    follow(() => ({ text: 'Hello there, my good friend.', usage }))
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await client.responses.create({ model: pro, input: 'Say hello', stream: true }))
      events.push(event)
    const types = events.map(({ type }) => type)
    const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []))
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      ...deltas.map(() => 'response.output_text.delta'),
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(deltas.join('')).toBe('Hello there, my good friend.')
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    const last = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent
    expect(last.response).toMatchObject({ status: 'completed', usage: { total_tokens: 110 } })
    expect((events[0] as OpenAI.Responses.ResponseCreatedEvent).response).toMatchObject({
      id: last.response.id,
      status: 'in_progress',
      output: [],
    })
  })

  test('streams pieces before the end, and cancels the execution of a client that leaves', async () => {
    follow(() => ({ text: 'Hello there, my good friend.', holdsAfter: 3 }))
    const stream = await client.responses.create({ model: pro, input: 'Say hello', stream: true })
    let id = ''
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    await expect.poll(async () => (await client.responses.retrieve(id)).status, { timeout: 20_000 }).toBe('cancelled')
  })

  test("is followed by the client's helper, function calls included", async () => {
    follow(() => ({ toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }))
    const seen: string[] = []
    const stream = client.responses
      .stream({ model: pro, input: 'Weather in Oslo?', tools: [weather] })
      .on('response.function_call_arguments.delta', (event) => seen.push(event.delta))
    const final = await stream.finalResponse()
    expect(seen.join('')).toBe('{"city":"Oslo"}')
    expect(final.output).toMatchObject([{ type: 'function_call', name: 'weather', arguments: '{"city":"Oslo"}' }])
  })

  test('reads refusals, cut replies and failures in its own form, in a stream too', async () => {
    follow(() => ({ text: 'I will not.', finish: 'refusal' }))
    const refused = await client.responses.create({ model: pro, input: 'Do harm' })
    expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I will not.' }] }])
    const streamed = await client.responses.stream({ model: pro, input: 'Do harm' }).finalResponse()
    const parts = (streamed.output[0] as OpenAI.Responses.ResponseOutputMessage).content
    expect(parts.at(-1)).toMatchObject({ type: 'refusal', refusal: 'I will not.' })
    follow(() => ({ text: 'and so', finish: 'length' }))
    const cut = await client.responses.create({ model: pro, input: 'Go on' })
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    follow(() => ({ status: 400, body: { error: { message: 'no such thing', type: 'bad', code: 'x' } } }))
    expect(await failureOf(client.responses.create({ model: pro, input: 'Go on' }))).toMatchObject({
      status: 400,
      code: expect.stringMatching(/^provider_/),
    })
    const types: string[] = []
    for await (const event of await client.responses.create({ model: pro, input: 'Go on', stream: true })) {
      types.push(event.type)
      if (event.type === 'response.failed')
        expect(event.response).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^provider_/) } })
    }
    expect(types.at(-1)).toBe('response.failed')
  })

  test('runs in the background, is followed, cancelled and deleted', async () => {
    const held = Promise.withResolvers<MockTurn>()
    follow(() => held.promise)
    const response = await client.responses.create({ model: pro, input: 'Think long', background: true })
    expect(['queued', 'in_progress']).toContain(response.status)
    expect(response).toMatchObject({ background: true, output: [], usage: null })
    const again = await client.responses.create(
      { model: pro, input: 'Think longer', background: true },
      { headers: { 'Idempotency-Key': `the-${_major}` } },
    )
    const same = await client.responses.create(
      { model: pro, input: 'Think longer', background: true },
      { headers: { 'Idempotency-Key': `the-${_major}` } },
    )
    expect(same.id).toBe(again.id)
    expect(await client.responses.cancel(again.id)).toMatchObject({ id: again.id, status: 'cancelled' })
    expect(await client.responses.cancel(again.id)).toMatchObject({ status: 'cancelled' })
    held.resolve({ text: 'Thought.' })
    await expect
      .poll(async () => (await client.responses.retrieve(response.id)).status, { timeout: 20_000 })
      .toBe('completed')
    const types: string[] = []
    let text = ''
    for await (const event of await client.responses.retrieve(response.id, { stream: true })) {
      types.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect([types[0], types.at(-1), text]).toEqual(['response.created', 'response.completed', 'Thought.'])
    await client.responses.delete(response.id)
    expect(await failureOf(client.responses.retrieve(response.id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    })
    expect(await executionOf(response.id)).toMatchObject({ status: 'completed', response: null })
    expect(
      await failureOf(client.responses.create({ model: pro, input: 'So?', previous_response_id: response.id })),
    ).toMatchObject({ status: 404, code: 'previous_response_not_found' })
  })

  test('deletes a failed response also when it is resumed at the same time', async () => {
    follow(() => ({ status: 400, body: { error: { message: 'no such thing', type: 'bad', code: 'x' } } }))
    const response = await client.responses.create({ model: pro, input: 'Go on', background: true })
    const status = async () => (await executionOf(response.id)).status
    await expect.poll(status, { timeout: 20_000 }).toBe('failed')
    const held = Promise.withResolvers<MockTurn>()
    follow(() => held.promise)
    const id = response.id.replace('resp_', '')
    const { db } = service.database
    const deletion = await db.transaction(async (tx) => {
      await tx.query('select from executions where id = $1 for update', [id])
      const resumption = service.call('POST', `/v1/agent/executions/${id}/resume`)
      const waiting = async () =>
        (await db.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
          .length
      await expect.poll(waiting).toBe(1)
      const deleting = client.responses.delete(response.id)
      await expect.poll(waiting).toBe(2)
      // Wrapped, because a returned promise would be awaited before the transaction ends.
      return { resumption, deleting }
    })
    expect((await deletion.resumption).status).toBe(200)
    await deletion.deleting
    held.resolve({ text: 'Too late.' })
    expect(await failureOf(client.responses.retrieve(response.id))).toMatchObject({ status: 404 })
    expect(await executionOf(response.id)).toMatchObject({ status: 'failed', response: null })
  })

  test('goes on with a background stream after the last event that the client saw', async () => {
    const held = Promise.withResolvers<MockTurn>()
    follow(() => held.promise)
    const text = 'The first half, and the second half.'
    type Events = AsyncIterable<OpenAI.Responses.ResponseStreamEvent>
    const seen = async (stream: Events, until?: string) => {
      const events: OpenAI.Responses.ResponseStreamEvent[] = []
      for await (const event of stream) {
        events.push(event)
        if (event.type === until) break
      }
      return events
    }
    const textOf = (events: readonly OpenAI.Responses.ResponseStreamEvent[]) =>
      events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('')
    const begun = await seen(
      await client.responses.create({ model: pro, input: 'Think long', background: true, stream: true }),
      'response.in_progress',
    )
    const { id } = (begun[0] as OpenAI.Responses.ResponseCreatedEvent).response
    // Leaving the stream does not cancel what runs in the background.
    held.resolve({ text })
    await expect.poll(async () => (await client.responses.retrieve(id)).status, { timeout: 20_000 }).toBe('completed')

    const whole = await seen(await client.responses.retrieve(id, { stream: true }))
    expect(textOf(whole)).toBe(text)
    const numbers = whole.map((event) => event.sequence_number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    const resume = async (starting_after: number) =>
      seen(await client.responses.retrieve(id, { stream: true, starting_after }))
    expect((await resume(begun.at(-1)?.sequence_number ?? 0)).map((event) => event.type)).toEqual(
      whole.slice(whole.findIndex((event) => event.type === 'response.in_progress') + 1).map((event) => event.type),
    )
    for (const [at, event] of whole.slice(0, -1).entries())
      expect(await resume(event.sequence_number)).toEqual(whole.slice(at + 1))
    // From the middle of the text, as a stream shows it that was cut there.
    const first = whole.find((event) => event.type === 'response.output_text.delta')?.sequence_number ?? 0
    const half = first - text.length + 'The first half'.length
    const rest = await resume(half)
    expect(textOf(rest)).toBe(', and the second half.')
    expect(rest.slice(1)).toEqual(whole.slice(whole.length - rest.length + 1))
    // The end comes in any case.
    expect((await resume(1_000_000)).map((event) => event.type)).toEqual(['response.completed'])

    const plain = await client.responses.create({ model: pro, input: 'At once' })
    for (const [one, query] of [
      [plain.id, { stream: true, starting_after: 1 }],
      [id, { starting_after: 1 }],
      [id, { stream: true, starting_after: -1 }],
    ] as const)
      expect(await failureOf(client.responses.retrieve(one, query as never))).toMatchObject({
        status: 422,
        param: 'starting_after',
      })
  })

  test('gives parallel calls, also as events, and passes each form of tool_choice on', async () => {
    const cities = ['Oslo', 'Rome']
    follow(() => ({ toolCalls: cities.map((city) => ({ name: 'weather', input: { city } })) }))
    const asked = { model: pro, input: 'Weather?', tools: [weather], parallel_tool_calls: true }
    const response = await client.responses.create(asked)
    const types = ['function_call', 'function_call']
    expect(response.output.map(({ type }) => type)).toEqual(types)
    const calls = response.output.filter((item) => item.type === 'function_call')
    expect(calls.map((call) => JSON.parse(call.arguments).city)).toEqual(cities)
    expect(new Set(calls.map((call) => call.call_id)).size).toBe(2)
    const streamed = await client.responses.stream(asked).finalResponse()
    expect(streamed.output.map(({ type }) => type)).toEqual(types)
    // Both are answered in one request.
    follow(({ results }) => ({ text: results.map((one) => JSON.parse(one)).join(', ') }))
    const outputs = calls.map(({ call_id }, index) => ({
      type: 'function_call_output' as const,
      call_id,
      output: ['snow', 'sun'][index] ?? '',
    }))
    const next = await client.responses.create({ ...asked, previous_response_id: response.id, input: outputs })
    expect(next.output_text).toBe('snow, sun')

    follow(() => ({ text: 'Well.', toolCalls: [] }))
    const forms = ['none', 'auto', 'required', { type: 'function', name: 'weather' }] as const
    for (const tool_choice of forms) await failureOf(client.responses.create({ ...asked, tool_choice }))
    const sent = requests().map(({ body, tools }) => [tools.includes('weather'), body['tool_choice'] ?? 'auto'])
    // A model that may not call gets no functions.
    const one = { type: 'function', function: { name: 'weather' } }
    expect(sent.slice(0, 4)).toEqual([
      [false, 'auto'],
      [true, 'auto'],
      [true, 'required'],
      [true, one],
    ])
    expect(
      await failureOf(client.responses.create({ ...asked, tool_choice: { type: 'function', name: 'x' } })),
    ).toMatchObject({ status: 422, param: 'tool_choice.name' })
  })

  test('keeps nothing of a response with store: false once it was read', async () => {
    follow(() => ({ text: 'A secret.' }))
    const response = await client.responses.create({ model: pro, input: 'Tell', store: false })
    expect(response.output_text).toBe('A secret.')
    expect(await failureOf(client.responses.retrieve(response.id))).toMatchObject({ status: 404 })
    expect(await executionOf(response.id)).toMatchObject({ response: null })
  })

  test.each([
    ['an unknown parameter', { no_such: 1 }, 'unknown_parameter', 'no_such'],
    ['log probabilities', { top_logprobs: 3 }, 'unsupported_parameter', 'top_logprobs'],
    ['a conversation', { conversation: 'conv_1' }, 'unsupported_parameter', 'conversation'],
    ['a prompt template', { prompt: { id: 'pmpt_1' } }, 'unsupported_parameter', 'prompt'],
    ['reasoning summaries', { reasoning: { summary: 'auto' } }, 'unsupported_parameter', 'reasoning.summary'],
    ['truncation', { truncation: 'auto' }, 'enum', 'truncation'],
    ['a built-in tool', { tools: [{ type: 'web_search' }] }, 'union_tag_invalid', 'tools[0].type'],
    ['an unknown item', { input: [{ type: 'reasoning', id: 'rs_1' }] }, 'union_tag_invalid', 'input[0].type'],
    ['an unstored background', { background: true, store: false }, 'value_error', 'store'],
    ['an unknown reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'item_not_found', 'input[0].id'],
    ['an unknown model', { model: 'gpt-17' }, 'enum', 'model'],
    [
      'two functions of one name',
      {
        tools: [
          {
            type: 'shell',
            environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: 'skill_any' }] },
          },
          weather,
          weather,
        ],
      },
      'value_error',
      'tools[2].name',
    ],
    [
      'a bad schema',
      { text: { format: { type: 'json_schema', name: 'x', schema: { type: 'strange' } } } },
      'json_schema',
      'text.format.schema.type',
    ],
    [
      'a result without a call',
      { input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] },
      'value_error',
      'input',
    ],
  ])('is refused %s', async (_what, body, code, param) => {
    const error = await failureOf(client.responses.create({ model: pro, input: 'x', ...body } as never))
    expect(error).toMatchObject({ status: 422, code, param, type: 'invalid_request_error' })
  })

  test('works at the alias, and sees nothing of another workspace', async () => {
    follow(() => ({ text: 'Ours.' }))
    const response = await clientOf({ base: '/v1' }).responses.create({ model: pro, input: 'Whose?' })
    expect(await clientOf({ base: '/v1' }).responses.retrieve(response.id)).toMatchObject({ output_text: 'Ours.' })
    const stranger = clientOf({ key: await service.stranger() })
    for (const attempt of [
      () => stranger.responses.retrieve(response.id),
      () => stranger.responses.cancel(response.id),
      () => stranger.responses.delete(response.id),
      () => stranger.responses.inputItems.list(response.id),
      () => stranger.responses.create({ model: pro, input: 'x', previous_response_id: response.id }),
    ])
      expect(await failureOf(attempt())).toMatchObject({ status: 404 })
    const file = await service.upload(Buffer.from('ours'), 'ours.txt')
    const given = [
      { role: 'user', content: 'What is in it?' },
      { type: 'function_call', call_id: 'c', name: 'open', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: file.id }] },
    ]
    expect(await failureOf(stranger.responses.create({ model: pro, input: given as never }))).toMatchObject({
      status: 404,
      code: 'unknown_file',
    })
    follow(({ text }) => ({ text: text.includes('ours') ? 'Ours.' : 'Nothing.' }))
    expect((await clientOf().responses.create({ model: pro, input: given as never })).output_text).toBe('Ours.')
    const reference = [{ type: 'item_reference', id: String(response.output[0]?.id) }]
    expect(await failureOf(stranger.responses.create({ model: pro, input: reference as never }))).toMatchObject({
      code: 'item_not_found',
    })
  })
})

test('a background response survives a restart of the server', async () => {
  const held = Promise.withResolvers<MockTurn>()
  follow(() => held.promise)
  const clientOf = () => new OpenAI({ apiKey: service.key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })
  const response = await clientOf().responses.create({ model: pro, input: 'Think long', background: true })
  await expect.poll(() => requests().length, { timeout: 20_000 }).toBeGreaterThan(0)
  await service[Symbol.asyncDispose]()
  follow(() => ({ text: 'Thought, in the end.' }))
  service = await openService()
  await expect
    .poll(async () => (await clientOf().responses.retrieve(response.id)).output_text, { timeout: 60_000 })
    .toBe('Thought, in the end.')
  held.resolve({ text: 'too late' })
})

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
