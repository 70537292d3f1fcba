import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { beforeAll, describe, expect, test } from 'vitest'
import { invoiceLines, makePdf } from './support/documents.ts'
import { failureOf } from './support/failure-of.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let client: Anthropic
let script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
let before = 0
const follow = (following: typeof script) => {
  script = following
  before = model.requests.length
}
const requests = () => model.requests.slice(before)

const model = await opened(startMockModel({ script: (request, number) => script(request, number - before) }))
const service = await opened(
  openTestService({
    file: {
      ...fileOfSmallModel(model.baseUrl, { takes: ['text', 'image', 'tools'] }),
      routes: { 'svc-agent-1:fast': 'embedded' },
      limits: { model_attempts: 2, model_call_ms: 20_000, requests_per_minute: 100_000 },
    },
  }),
)
beforeAll(async () => {
  client = clientOf()
})

const clientOf = ({ key = service.key, base = '/anthropic' } = {}) =>
  new Anthropic({ apiKey: key, baseURL: service.url + base, maxRetries: 0 })
const pro = 'svc-agent-1:pro'
const hello = [{ role: 'user' as const, content: 'Say hello' }]
const asked = { model: pro, max_tokens: 200, messages: hello }
const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningTokens: 4 }
const executionOf = async ({ id }: { id: string }) =>
  (await service.call('GET', `/v1/agent/executions/${id.replace('msg_', '')}`)).json
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}

describe('a message', () => {
  test("is answered in Anthropic's format, and is an execution", async () => {
    follow(() => ({ text: 'Hello there, friend.', usage }))
    const message = await client.messages.create({
      ...asked,
      system: [{ type: 'text', text: 'Be kind' }],
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
    })
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      type: 'message',
      role: 'assistant',
      model: pro,
      content: [{ type: 'text', text: 'Hello there, friend.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      container: null,
      usage: {
        input_tokens: 60,
        cache_read_input_tokens: 40,
        cache_creation_input_tokens: 0,
        output_tokens: 10,
        cost_dollars: 0.000_248,
      },
    })
    expect(await executionOf(message)).toMatchObject({ status: 'completed', response: 'Hello there, friend.' })
    expect(requests()[0]?.body).toMatchObject({ stop: ['END'], max_tokens: 200 })
    expect(requests()[0]?.text).toContain('Be kind')
  })

  test('takes images and documents in every kind of source', async () => {
    follow(() => ({ text: 'Read.' }))
    const pdf = await makePdf([invoiceLines])
    const file = await service.upload(pdf, 'invoice.pdf')
    await client.messages.create({
      ...asked,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: pdf.toString('base64') },
            },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'Plain äöü' },
              title: 'A note',
            },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'In blocks' }] } },
            { type: 'document', source: { type: 'file', file_id: file.id }, context: 'From the archive' },
            { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    })
    const { text = '', pictures = [] } = requests()[0] ?? {}
    for (const part of ['Plain äöü', 'A note', 'In blocks', 'From the archive', 'What is this?'])
      expect(text).toContain(part)
    expect(text.split('INV-2041').length).toBeGreaterThan(2)
    expect(pictures).toHaveLength(1)
  })

  test('fills a JSON Schema, also without a language model, with evidence in its execution', async () => {
    follow(() => ({ text: 'unused' }))
    const data = (await makePdf([invoiceLines])).toString('base64')
    const schema = { type: 'object', properties: { invoice_number: { type: ['string', 'null'] } } }
    const message = await client.messages.create({
      ...asked,
      model: 'svc-agent-1:fast',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
            { type: 'text', text: 'Read the invoice' },
          ],
        },
      ],
      output_config: { format: { type: 'json_schema', schema } },
    })
    const [block] = message.content as Anthropic.TextBlock[]
    expect(JSON.parse(block?.text ?? '')).toEqual({ invoice_number: 'INV-2041' })
    expect((await executionOf(message)).evidence['/invoice_number']).toMatchObject({ page: 0 })
    expect(requests()).toEqual([])
  })

  test("calls the caller's tools, and goes on with their results", async () => {
    follow(({ results }) =>
      results.length === 0
        ? { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }
        : { text: `It is ${JSON.parse(results.at(-1) ?? '')}.` },
    )
    const first = await client.messages.create({ ...asked, tools: [weather], tool_choice: { type: 'any' } })
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: expect.any(String), name: 'weather', input: { city: 'Oslo' } }],
    })
    const [call] = first.content as Anthropic.ToolUseBlock[]
    const second = await client.messages.create({
      ...asked,
      tools: [weather],
      messages: [
        ...hello,
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: call?.id ?? '', content: [{ type: 'text', text: 'sunny' }] },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    })
    expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'It is sunny.' }] })
    const failed = [{ type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: 'no city', is_error: true }]
    const third = await client.messages.create({
      ...asked,
      tools: [weather],
      messages: [...hello, { role: 'assistant', content: first.content }, { role: 'user', content: failed }],
    })
    expect(third.content).toMatchObject([{ text: 'It is Error: no city.' }])
  })

  test('is streamed in the events of the official order', async () => {
    follow(() => ({ text: 'Hello there, my good friend.', usage }))
    const types: string[] = []
    let text = ''
    for await (const event of await client.messages.create({ ...asked, stream: true })) {
      types.push(event.type)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
      if (event.type === 'message_delta')
        expect(event).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } })
    }
    expect(text).toBe('Hello there, my good friend.')
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test("is followed by the client's helper, tools included", async () => {
    follow(() => ({ toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }))
    const message = await client.messages.stream({ ...asked, tools: [weather] }).finalMessage()
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'Oslo' } }],
    })
    follow(() => ({ text: 'Hello.' }))
    expect(await client.messages.stream(asked).finalText()).toBe('Hello.')
  })

  test('is streamed to the AI SDK, which calls its tools and goes on', async () => {
    const answers: MockTurn[] = [{ toolCalls: [{ name: 'weather', input: { city: 'Bonn' } }] }, { text: 'Rain.' }]
    follow(() => answers.shift() ?? {})
    const called: unknown[] = []
    const execute = (input: unknown): string => {
      called.push(input)
      return 'rain'
    }
    const { text, steps } = streamText({
      model: createAnthropic({ baseURL: `${service.url}/anthropic/v1`, apiKey: service.key })(pro),
      maxOutputTokens: 200,
      maxRetries: 0,
      prompt: 'How is the weather in Bonn?',
      tools: { weather: tool({ inputSchema: jsonSchema(weather.input_schema), execute }) },
      stopWhen: stepCountIs(3),
      onError: () => undefined,
    })
    expect(await text).toBe('Rain.')
    expect((await steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(called).toEqual([{ city: 'Bonn' }])
  })

  test('reports refusals, cut replies and failures in its own form, in a stream too', async () => {
    follow(() => ({ text: 'I will not.', finish: 'refusal' }))
    expect(await client.messages.create(asked)).toMatchObject({
      stop_reason: 'refusal',
      content: [{ text: 'I will not.' }],
    })
    expect(await client.messages.stream(asked).finalMessage()).toMatchObject({ stop_reason: 'refusal' })
    follow(() => ({ text: 'and so', finish: 'length' }))
    expect(await client.messages.create(asked)).toMatchObject({ stop_reason: 'max_tokens' })
    follow(() => ({ status: 400, body: { error: { message: 'no such thing', type: 'bad', code: 'x' } } }))
    const form = { type: 'error', error: { type: 'invalid_request_error', code: expect.stringMatching(/^provider_/) } }
    expect(await failureOf(client.messages.create(asked))).toMatchObject({ status: 400, error: form })
    expect(await failureOf(client.messages.stream(asked).finalMessage())).toMatchObject({ error: form })
  })

  test('is cancelled when its client leaves', async () => {
    follow(() => ({ text: 'Hello there, my good friend.', holdsAfter: 3 }))
    let id = ''
    for await (const event of await client.messages.create({ ...asked, stream: true })) {
      if (event.type === 'message_start') id = event.message.id
      if (event.type === 'content_block_delta') break
    }
    await expect.poll(async () => (await executionOf({ id })).error?.code, { timeout: 20_000 }).toBe('cancelled')
  })

  test.each([
    ['an unknown parameter', { no_such: 1 }, 'no_such'],
    ['top_k', { top_k: 3 }, 'top_k is not supported'],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'thinking'],
    ['a server tool', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0]'],
    [
      'code execution without skills',
      { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
      'container.skills',
    ],
    [
      'two tools of one name',
      {
        tools: [
          { type: 'code_execution_20250825', name: 'code_execution' },
          { name: 'a', input_schema: { type: 'object' } },
          { name: 'a', input_schema: { type: 'object' } },
        ],
        container: { skills: [{ type: 'custom', skill_id: 'any' }] },
      },
      '(tools[2].name)',
    ],
    [
      'a choice of no tool',
      { tools: [{ name: 'a', input_schema: { type: 'object' } }], tool_choice: { type: 'tool', name: 'b' } },
      '(tool_choice.name)',
    ],
    ['a container', { container: { id: 'container_1' } }, 'containers are not kept'],
    ['an MCP server', { mcp_servers: [{ type: 'url', url: 'http://x', name: 'x' }] }, 'mcp_servers'],
    ['a prefilled reply', { messages: [...hello, { role: 'assistant', content: 'Well' }] }, 'last message'],
    [
      'a result without a call',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] }] },
      'messages',
    ],
    ['an unknown model', { model: 'claude-17' }, 'model'],
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens'],
  ])('is refused with %s', async (_what, body, words) => {
    const error = await failureOf(client.messages.create({ ...asked, ...body } as never))
    expect(error).toMatchObject({ status: 400, error: { type: 'error', error: { type: 'invalid_request_error' } } })
    expect(String(error)).toContain(words)
  })

  test('works at both aliases; the key may come as x-api-key there, and nowhere else', async () => {
    follow(() => ({ text: 'Hello.' }))
    expect(await clientOf({ base: '/v1/anthropic' }).messages.create(asked)).toMatchObject({ type: 'message' })
    const ask = (path: string, headers: Record<string, string>, body: object = asked) =>
      service.call('POST', path, { key: null, headers, body })
    for (const path of ['/anthropic/v1/messages', '/v1/anthropic/v1/messages', '/v1/messages'])
      expect((await ask(path, { 'x-api-key': service.key })).json).toMatchObject({ content: [{ text: 'Hello.' }] })
    const chat = { model: pro, messages: hello }
    expect((await ask('/v1/openai/chat/completions', { 'x-api-key': service.key }, chat)).status).toBe(401)
    expect(await ask('/anthropic/v1/messages', {})).toMatchObject({
      status: 401,
      json: { type: 'error', error: { type: 'authentication_error', code: 'no_key' } },
    })
    expect(await failureOf(clientOf({ key: 'sk-wrong' }).messages.create(asked))).toBeInstanceOf(
      Anthropic.AuthenticationError,
    )
    expect((await ask('/anthropic/v1/nowhere', { 'x-api-key': service.key })).json).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
    })
  })

  test('answers the same key with the first message', async () => {
    follow((_request, number) => ({ text: `Number ${number}.` }))
    const headers = { 'Idempotency-Key': 'the-same' }
    const first = await client.messages.create(asked, { headers })
    expect(await client.messages.create(asked, { headers })).toMatchObject({
      id: first.id,
      content: [{ text: 'Number 1.' }],
    })
    expect(await failureOf(client.messages.create({ ...asked, max_tokens: 7 }, { headers }))).toMatchObject({
      status: 409,
    })
  })
})

test('input tokens are estimated from texts, tools and documents, without a call of a model', async () => {
  follow(() => ({ text: 'unused' }))
  const count = async (more: object) =>
    (await client.messages.countTokens({ model: pro, messages: hello, ...more })).input_tokens
  const small = await count({})
  expect(small).toBeGreaterThan(2)
  expect(await count({ system: 'Be kind and brief' })).toBeGreaterThan(small)
  expect(await count({ tools: [weather] })).toBeGreaterThan(small)
  const data = (await makePdf([invoiceLines])).toString('base64')
  const source = { type: 'base64', media_type: 'application/pdf', data }
  const content = [...hello, { role: 'user', content: [{ type: 'document', source }] }]
  expect(await count({ messages: content })).toBeGreaterThan(small + invoiceLines.join(' ').split(/\s+/).length)
  expect(requests()).toEqual([])
  const wrong = failureOf(
    client.messages.countTokens({ model: pro, messages: hello, container: { skills: [] } } as never),
  )
  expect(await wrong).toMatchObject({ status: 400, error: { error: { type: 'invalid_request_error' } } })
  const unknown = { type: 'document' as const, source: { type: 'file' as const, file_id: 'none' } }
  const lost = failureOf(client.messages.countTokens({ model: pro, messages: [{ role: 'user', content: [unknown] }] }))
  expect(await lost).toMatchObject({ error: { type: 'error' } })
})

describe('citations', () => {
  const note = 'Order PO-7731 of 3 May.\nThe goods were delivered on 14 March 2026 to Lund.\nTotal due: EUR 1,250.00\n'
  const pdfOf = async () =>
    (await makePdf([['A cover page without facts'], ['Contract number: KX-5520', 'Term: 24 months']])).toString(
      'base64',
    )
  const messagesOf = async (): Promise<Anthropic.MessageParam[]> => [
    {
      role: 'user',
      content: [
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Nothing is cited: ZZ-9999' } },
        {
          type: 'document',
          title: 'The note',
          source: { type: 'text', media_type: 'text/plain', data: note },
          citations: { enabled: true },
        },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: await pdfOf() },
          citations: { enabled: true },
        },
        { type: 'text', text: 'What is known?' },
      ],
    },
  ]
  const sentences = [
    'I looked into both documents. ',
    'The goods were delivered on 14 March 2026 to Lund. ',
    'The contract is KX-5520 with a total of 1,250.00. ',
    'Somebody mentions ZZ-9999. ',
    'It will rain tomorrow.',
  ]
  const said = sentences.join('')

  test('name the place of each passage that the documents contain, and only of those', async () => {
    follow(() => ({ text: said, usage }))
    const message = await client.messages.create({ ...asked, messages: await messagesOf() })
    const blocks = message.content as Anthropic.TextBlock[]
    expect(blocks.map(({ text }) => text).join('')).toBe(said)
    expect(blocks.map(({ text, citations }) => [text, citations?.length ?? 0])).toEqual([
      [sentences[0], 0],
      [sentences[1], 1],
      [sentences[2], 2],
      [`${sentences[3]}${sentences[4]}`, 0],
    ])
    const [delivered] = blocks[1]?.citations ?? []
    expect(delivered).toMatchObject({
      type: 'char_location',
      document_index: 1,
      document_title: 'The note',
      file_id: null,
    })
    if (delivered?.type !== 'char_location') throw new Error('expected a char_location')
    const cited = note.slice(delivered.start_char_index, delivered.end_char_index)
    expect([cited, delivered.cited_text]).toEqual([
      'The goods were delivered on 14 March 2026 to Lund.',
      'The goods were delivered on 14 March 2026 to Lund.',
    ])
    expect(blocks[2]?.citations).toMatchObject([
      {
        type: 'page_location',
        document_index: 2,
        document_title: null,
        start_page_number: 2,
        end_page_number: 3,
        cited_text: expect.stringContaining('KX-5520'),
      },
      { type: 'char_location', document_index: 1, cited_text: expect.stringContaining('1,250.00') },
    ])
  })

  test('are streamed behind the text of their block', async () => {
    follow(() => ({ text: said, usage }))
    const messages = await messagesOf()
    const whole = await client.messages.create({ ...asked, messages })
    const streamed = await client.messages.stream({ ...asked, messages }).finalMessage()
    expect(streamed.content).toEqual(whole.content)
    expect(JSON.stringify(streamed.content)).toContain('char_location')
  })

  test('of an answer in JSON are those of its values, without a language model', async () => {
    const schema = { type: 'object', properties: { contract_number: { type: ['string', 'null'] } } }
    const [message] = await messagesOf()
    const [, , contract] = (message?.content ?? []) as Anthropic.ContentBlockParam[]
    if (!contract) throw new Error('expected the contract')
    const content = [contract, { type: 'text' as const, text: 'Read the contract' }]
    const reply = await client.messages.create({
      ...asked,
      model: 'svc-agent-1:fast',
      messages: [{ role: 'user', content }],
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(reply.content).toMatchObject([
      {
        text: '{"contract_number":"KX-5520"}',
        citations: [{ type: 'page_location', document_index: 0, start_page_number: 2, end_page_number: 3 }],
      },
    ])
  })

  test('are null where none were asked for', async () => {
    follow(() => ({ text: said, usage }))
    const [message] = await messagesOf()
    const content = ((message?.content ?? []) as Anthropic.DocumentBlockParam[]).map((block) =>
      block.type === 'document' ? { ...block, citations: { enabled: false } } : block,
    )
    const reply = await client.messages.create({ ...asked, messages: [{ role: 'user', content }] })
    expect(reply.content).toEqual([{ type: 'text', text: said, citations: null }])
  })
})

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
