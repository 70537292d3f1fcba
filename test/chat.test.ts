import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { failureOf } from './support/failure-of.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

let script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
let before = 0

const model = await opened(startMockModel({ script: (request, number) => script(request, number - before) }))
const service = await opened(
  openTestService({
    file: {
      ...fileOfSmallModel(model.baseUrl, { takes: ['text', 'image', 'tools'] }),
      routes: { 'svc-agent-1:fast': 'embedded' },
      limits: { model_attempts: 2, model_call_ms: 20_000 },
    },
  }),
)
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
const client = new OpenAI({ apiKey: service.key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'messages' | 'model'> & {
  messages?: unknown
  model?: string
  [ours: string]: unknown
}
const asked = (body: Params = {}) =>
  ({
    model: 'svc-agent-1:pro',
    messages: [{ role: 'user', content: 'Say hello' }],
    ...body,
  }) as OpenAI.ChatCompletionCreateParamsNonStreaming

function follow(following: typeof script) {
  script = following
  before = model.requests.length
}
const requests = () => model.requests.slice(before)
const embedded = 'svc-agent-1:fast'

async function chat(following: typeof script, body: Params = {}) {
  follow(following)
  return (await client.chat.completions.create(asked(body))) as OpenAI.ChatCompletion & { session_id: string }
}

async function stream(following: typeof script, body: Params = {}) {
  follow(following)
  const chunks: (OpenAI.ChatCompletionChunk & { session_id: string })[] = []
  const params = { ...asked(body), stream: true as const }
  for await (const chunk of await client.chat.completions.create(params)) chunks.push(chunk as never)
  return chunks
}

const textOf = (chunks: readonly OpenAI.ChatCompletionChunk[]) =>
  chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
const executionOf = async ({ id }: { id: string }) =>
  (await service.call('GET', `/v1/agent/executions/${id.replace('chatcmpl-', '')}`)).json
const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningTokens: 4 }
const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const wholeOf = (text: string) => [
  { type: 'text', text },
  { type: 'input_file', file_id: invoice.id },
]

describe('a chat', () => {
  test("is answered in OpenAI's format, with its session, and is an execution", async () => {
    const reply = await chat(() => ({ text: 'Hello there, friend.', usage }))
    expect(reply).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f-]{36}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'svc-agent-1:pro',
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there, friend.', refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 4 },
        credits_used: 1,
        cost_dollars: 0.000_248,
      },
    })
    expect(await executionOf(reply)).toMatchObject({
      status: 'completed',
      name: 'chat',
      response: 'Hello there, friend.',
      session_id: reply.session_id,
      model_selection: { resolved: 'mine/small' },
      usage: { cost_dollars: 0.000_248 },
    })
    expect(requests()[0]?.tools).toEqual([])
  })

  test('is streamed word by word, with the session in each chunk, the usage in the last, and [DONE] at the end', async () => {
    const chunks = await stream(() => ({ text: 'Hello there, my good friend.', usage }))
    expect(textOf(chunks)).toBe('Hello there, my good friend.')
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 110 } })
    expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.session_id}`)).size).toBe(1)
    const body = JSON.stringify({ ...asked(), stream: true })
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
    const raw = await fetch(`${service.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(raw.headers.get('content-type')).toBe('text/event-stream')
    expect((await raw.text()).endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('is streamed while it is generated', async () => {
    follow(() => ({ text: 'One two three four five six.', holdsAfter: 4 }))
    const leaving = new AbortController()
    const body = { ...asked(), stream: true as const }
    const chunks = await client.chat.completions.create(body, { signal: leaving.signal })
    let heard = ''
    let id = ''
    for await (const chunk of chunks) {
      id = chunk.id
      heard += chunk.choices[0]?.delta.content ?? ''
      if (heard !== '') break
    }
    expect('One two three four five six.'.startsWith(heard)).toBe(true)
    leaving.abort()
    await expect.poll(async () => (await executionOf({ id })).status).toBe('failed')
    expect((await executionOf({ id })).error.code).toBe('cancelled')
  })

  test('is stopped when its client disconnects before the reply', async () => {
    follow(() => ({ text: 'never', holdsAfter: 0 }))
    const leaving = new AbortController()
    const session_id = 'left alone'
    const body = { ...asked({ session_id }), stream: true as const }
    const waiting = failureOf(client.chat.completions.create(body, { signal: leaving.signal }))
    const list = async () => (await service.call('GET', `/v1/agent/executions?session_id=${session_id}`)).json
    await expect.poll(async () => (await list())[0]?.status).toBe('running')
    leaving.abort()
    expect(await waiting).toBeInstanceOf(OpenAI.APIUserAbortError)
    await expect.poll(async () => (await list())[0]?.error?.code).toBe('cancelled')
  })

  test('with the second generation is a conversation too', async () => {
    const reply = await chat(() => ({ text: 'Hello.' }), { model: 'svc-agent-2:pro' })
    expect(reply).toMatchObject({ model: 'svc-agent-2:pro', choices: [{ message: { content: 'Hello.' } }] })
  })

  test('passes settings on to the model', async () => {
    await chat(() => ({ text: 'x' }), {
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ['END'],
      max_completion_tokens: 50,
      presence_penalty: 0.1,
      n: 1,
      user: 'someone',
      store: true,
    })
    expect(requests()[0]?.body).toMatchObject({ temperature: 0.5, top_p: 0.9, seed: 7, stop: ['END'], max_tokens: 50 })
  })

  test('reports when it was cut off by its length', async () => {
    const reply = await chat(() => ({ text: 'It goes on and', finish: 'length' }), { max_tokens: 5 })
    expect(reply.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'It goes on and' } })
    const chunks = await stream(() => ({ text: 'It goes on and', finish: 'length' }), { max_tokens: 5 })
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('length')
  })

  test('reports a refusal of the model', async () => {
    const reply = await chat(() => ({ text: 'I will not.', finish: 'refusal' }))
    expect(reply.choices[0]).toMatchObject({
      finish_reason: 'content_filter',
      message: { content: null, refusal: 'I will not.' },
    })
  })

  test("works on documents with the server's tools, streamed or not", async () => {
    const messages = [{ role: 'user', content: wholeOf('What is the total?') }]
    const said: typeof script = ({ results, text }) =>
      results.length === 0
        ? { text: 'I look it up.', toolCalls: [{ name: 'document_search', input: { query: 'total' } }] }
        : { text: text.includes('INV-2041') && results[0]?.includes('144.00') ? 'It is 144.00 euros.' : 'lost' }
    const reply = await chat(said, { messages })
    expect(reply.choices[0]?.message.content).toBe('It is 144.00 euros.')
    expect(textOf(await stream(said, { messages }))).toBe('It is 144.00 euros.')
    const openAi = [
      { type: 'text', text: 'Total?' },
      { type: 'file', file: { file_id: invoice.id } },
    ]
    expect((await chat(said, { messages: [{ role: 'user', content: openAi }] })).choices[0]?.message.content).toBe(
      'It is 144.00 euros.',
    )
  })

  test('uses a skill', async () => {
    const prompt = 'Always answer like a pirate, whatever is asked'
    const { json } = await service.call('POST', '/v1/skills/create', {
      body: { prompt, name: 'pirate', description: 'Talks like a pirate' },
    })
    const reply = await chat(() => ({ text: 'Arr' }), { skills: [{ skill_id: 'pirate' }] })
    expect(requests()[0]?.text).toContain('Talks like a pirate')
    expect((await executionOf(reply)).skills).toMatchObject([{ name: 'pirate', skill_version: json.skill_version }])
  })

  test('shows images at their position', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const content = [
      { type: 'image_url', image_url: { url: pixel, detail: 'low' } },
      { type: 'text', text: 'What is it?' },
    ]
    const reply = await chat(() => ({ text: 'A dot.' }), { messages: [{ role: 'user', content }] })
    expect(reply.choices[0]?.message.content).toBe('A dot.')
    expect(requests()[0]?.pictures).toHaveLength(1)
  })
})

describe('the format of a reply', () => {
  const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
  const messages = () => [{ role: 'user', content: wholeOf('Extract') }]

  test.each([
    ['OpenAI’s', { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema: invoiceSchema } }],
    ['the plain', { type: 'json_schema', schema: invoiceSchema }],
  ])('with %s spelling of json_schema is enforced', async (_name, response_format) => {
    const said: typeof script = ({ corrections }) => ({
      text: corrections === 0 ? 'Sorry?' : `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``,
    })
    const reply = await chat(said, { messages: messages(), response_format: response_format as never })
    expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toEqual(answer)
    const chunks = await stream(said, { messages: messages(), response_format: response_format as never })
    expect(JSON.parse(textOf(chunks))).toEqual(answer)
  })

  test('with json_object is one object', async () => {
    const said: typeof script = (_request, number) => ({ text: number === 1 ? '[1]' : '{"a": 1}' })
    const reply = await chat(said, { response_format: { type: 'json_object' } })
    expect(reply.choices[0]?.message.content).toBe('{"a":1}')
    expect(requests()).toHaveLength(2)
  })

  test('that never matches is a failure', async () => {
    const error = await failureOf(
      chat(() => ({ text: '{}' }), {
        messages: messages(),
        response_format: { type: 'json_schema', schema: { ...invoiceSchema, required: ['total'] } } as never,
      }),
    )
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ code: 'schema_violation', message: expect.stringContaining('total') })
  })
})

describe('tools of the caller', () => {
  const calls = [
    { name: 'weather', input: { city: 'Berlin' } },
    { name: 'weather', input: { city: 'Paris' } },
  ]

  test('are called by the caller, and their results continue the conversation', async () => {
    const first = await chat(() => ({ toolCalls: calls }), { tools: [weather] })
    const [choice] = first.choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    const made = choice?.message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[]
    expect(made.map((call) => [call.type, call.function.name, JSON.parse(call.function.arguments)])).toEqual([
      ['function', 'weather', { city: 'Berlin' }],
      ['function', 'weather', { city: 'Paris' }],
    ])
    expect(requests()[0]?.tools).toEqual(['weather'])
    const results = made.map((call, index) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: `${20 + index} degrees`,
    }))
    const messages = [{ role: 'user', content: 'Weather?' }, choice?.message, ...results]
    const second = await chat(() => ({ text: '20 and 21.' }), { tools: [weather], messages })
    expect(second.choices[0]?.message.content).toBe('20 and 21.')
    expect(requests()[0]?.results).toEqual(['"20 degrees"', '"21 degrees"'])
    expect((await executionOf(first)).status).toBe('completed')
  })

  test('with missing results continue all the same; a result without its call is refused', async () => {
    const session_id = 'left calls'
    await chat(() => ({ toolCalls: calls }), { tools: [weather], session_id })
    const user = { role: 'user', content: 'Never mind' }
    await chat(() => ({ text: 'Well.' }), { tools: [weather], session_id, messages: [user] })
    expect(requests()[0]?.results).toEqual(['"No result was given."', '"No result was given."'])
    const stray = { role: 'tool', tool_call_id: 'call_nowhere', content: '1' }
    const error = await failureOf(chat(() => ({ text: 'x' }), { messages: [user, stray] }))
    expect(error).toMatchObject({ status: 422, message: expect.stringContaining('call_nowhere') })
  })

  test('work with the helpers of the client, streamed too', async () => {
    follow(({ results }) => (results.length === 0 ? { toolCalls: calls } : { text: `It is ${results.join(' and ')}.` }))
    const tool = {
      ...weather,
      function: { ...weather.function, parse: JSON.parse, function: ({ city }: { city: string }) => `cold in ${city}` },
    }
    const body = { model: 'svc-agent-1:pro', messages: [{ role: 'user' as const, content: 'Weather?' }] }
    const runner = client.chat.completions.runTools({ ...body, tools: [tool as never] })
    expect(await runner.finalContent()).toBe('It is "cold in Berlin" and "cold in Paris".')
    const streamed = client.chat.completions.stream({ ...body, tools: [weather] })
    const whole = await streamed.finalChatCompletion()
    expect(whole.choices[0]?.message.tool_calls).toHaveLength(2)
    expect(whole.choices[0]?.finish_reason).toBe('tool_calls')
    follow(() => ({ text: '{"city": "Rome"}', usage }))
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    const format = { type: 'json_schema' as const, json_schema: { name: 'city', strict: true, schema } }
    const parsed = await client.chat.completions.stream({ ...body, response_format: format }).finalChatCompletion()
    expect(JSON.parse(parsed.choices[0]?.message.content ?? '')).toEqual({ city: 'Rome' })
    expect(parsed.usage?.total_tokens).toBe(110)
  })

  test('are streamed as calls', async () => {
    const chunks = await stream(() => ({ toolCalls: calls }), { tools: [weather] })
    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
    expect(deltas.map((call) => [call.index, call.function?.name, call.function?.arguments])).toEqual([
      [0, 'weather', '{"city":"Berlin"}'],
      [1, 'weather', '{"city":"Paris"}'],
    ])
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
  })

  test('can be required, named, limited to one at a time, or disabled', async () => {
    await chat(() => ({ toolCalls: calls }), { tools: [weather], tool_choice: 'required' })
    expect(requests()[0]?.body['tool_choice']).toBe('required')
    const named = { type: 'function' as const, function: { name: 'weather' } }
    const one = await chat(() => ({ toolCalls: calls }), {
      tools: [weather],
      tool_choice: named,
      parallel_tool_calls: false,
    })
    expect(requests()[0]?.body['tool_choice']).toEqual(named)
    expect(one.choices[0]?.message.tool_calls).toHaveLength(1)
    await chat(() => ({ text: 'x' }), { tools: [weather], tool_choice: 'none' })
    expect(requests()[0]?.tools).toEqual([])
  })

  test("work together with the server's tools, which the server calls itself", async () => {
    const said: typeof script = ({ results }) =>
      results.length === 0
        ? { toolCalls: [{ name: 'document_search', input: { query: 'total' } }] }
        : { toolCalls: calls }
    const messages = [{ role: 'user', content: wholeOf('Total, and the weather?') }]
    const reply = await chat(said, { tools: [weather], messages })
    expect(reply.choices[0]?.finish_reason).toBe('tool_calls')
    expect(requests()).toHaveLength(2)
    expect(requests()[0]?.tools).toEqual(expect.arrayContaining(['weather', 'document_search']))
  })
})

describe('a session', () => {
  const talk = async (session_id: string, messages: unknown) =>
    chat(
      ({ text }) => ({
        text: `heard: ${text
          .split('\n')
          .filter((line) => line.startsWith('say '))
          .join(', ')}`,
      }),
      { session_id, messages },
    )
  const user = (content: unknown) => ({ role: 'user', content })

  test('continues when a client does not resend it', async () => {
    const system = { role: 'system', content: 'Be brief' }
    const first = await talk('s-1', [system, user('say one')])
    expect(first.session_id).toBe('s-1')
    const second = await talk('s-1', [system, user('say two')])
    expect(second.choices[0]?.message.content).toBe('heard: say one, say two')
    const sent = requests()[0]?.body['messages'] as { role: string; content: unknown }[]
    expect(sent.map((one) => one.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(sent[0]?.content).toMatch(/^\[scope [0-9a-f]+\]\n\nBe brief$/)
    expect((await talk('s-2', [user('say three')])).choices[0]?.message.content).toBe('heard: say three')
  })

  test('is taken from the client when it sends a reply along, and nothing is stored twice', async () => {
    const first = await talk('s-3', [user('say one')])
    const reply = first.choices[0]?.message
    const second = await talk('s-3', [user('say other'), reply, user('say two')])
    expect(second.choices[0]?.message.content).toBe('heard: say other, say two')
    const third = await talk('s-3', [user('say three')])
    expect(third.choices[0]?.message.content).toBe('heard: say one, say two, say three')
  })

  test('continues after a reply that is not text', async () => {
    const called = { toolCalls: [{ name: 'weather', input: { city: 'a\0b' } }] }
    const odd = [() => ({ text: 'say \0 and \ud800.' }), () => called] as const
    const first = await chat(odd[0], { session_id: 's-8', messages: [user('say one')] })
    expect(first.choices[0]?.message.content).toBe('say \ufffd and \ufffd.')
    const streamed = await stream(odd[0], { session_id: 's-9', messages: [user('say one')] })
    expect(textOf(streamed)).toBe('say \ufffd and \ufffd.')
    const second = await chat(odd[1], { session_id: 's-8', messages: [user('say two')], tools: [weather] })
    expect(second.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"a\ufffdb"}' } })
    const third = await talk('s-8', [user('say three')])
    expect(third.choices[0]?.message.content).toBe('heard: say one, say two, say three')
  })

  test('keeps its documents', async () => {
    await talk('s-4', [user(wholeOf('say one'))])
    await talk('s-4', [user([...wholeOf('say two')])])
    await talk('s-4', [user('say three')])
    expect(requests()[0]?.text.match(/INV-2041/g)).toHaveLength(2)
    expect(requests()[0]?.text).toMatch(/name="file-1"[\s\S]*say two[\s\S]*name="file-2"/)
  })

  test('contains neither failures nor what may not be retained', async () => {
    await failureOf(chat(() => ({ status: 400 }), { session_id: 's-6', messages: [user('say one')] }))
    await chat(() => ({ text: 'x' }), {
      session_id: 's-6',
      messages: [user('say two')],
      metadata: { allow_retention: false as never },
    })
    const reply = await talk('s-6', [user('say three')])
    expect(reply.choices[0]?.message.content).toBe('heard: say three')
  })

  test('can become a skill', async () => {
    const response_format = { type: 'json_schema', schema: invoiceSchema } as never
    const said = () => ({
      text: JSON.stringify({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }),
    })
    await chat(said, {
      session_id: 's-7',
      response_format,
      messages: [user(wholeOf('Extract the fields of invoices'))],
    })
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 's-7' } })
    expect(made).toMatchObject({ status: 201, json: { name: expect.any(String) } })
    const status = async () => (await service.call('GET', `/v1/skills/${made.json.id}`)).json.status
    await expect.poll(status, { timeout: 20_000 }).toBe('completed')
  })

  test('of another workspace is empty', async () => {
    await talk('s-5', [user('say one')])
    const key = await service.stranger()
    const body = asked({ session_id: 's-5', messages: [user('say two')] })
    follow(({ text }) => ({ text: text.includes('say one') ? 'leak' : 'alone' }))
    const { json } = await service.call('POST', '/v1/openai/chat/completions', { body, key })
    expect(json.choices[0].message.content).toBe('alone')
  })

  test('a request with an idempotency key is answered once', async () => {
    follow((_request, number) => ({ text: `reply ${number}` }))
    const options = { headers: { 'Idempotency-Key': 'chat-1' } }
    const first = await client.chat.completions.create(asked(), options)
    expect(await client.chat.completions.create(asked(), options)).toEqual(first)
    expect(requests()).toHaveLength(1)
  })

  test('a request with an idempotency key goes on without its client, who gets the reply by repeating it', async () => {
    const held = Promise.withResolvers<MockTurn>()
    follow(() => held.promise)
    const leaving = new AbortController()
    const headers = { 'Idempotency-Key': 'chat-2' }
    const gone = failureOf(client.chat.completions.create(asked(), { headers, signal: leaving.signal }))
    await expect.poll(() => requests().length).toBe(1)
    const ended = async () =>
      (await (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.key}` } })).text())
        .split('\n')
        .filter(
          (line) => line.startsWith('skillrun_http_request_seconds_count') && line.includes('createChatCompletion'),
        )
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    const before = await ended()
    leaving.abort()
    await gone
    await expect.poll(ended).toBe(before + 1)
    const again = client.chat.completions.create(asked(), { headers })
    held.resolve({ text: 'Here it is.' })
    expect((await again).choices[0]?.message.content).toBe('Here it is.')
    expect(requests()).toHaveLength(1)
  })
})

describe('without a language model', () => {
  test('documents and a schema are answered', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'invoice', schema: invoiceSchema } } as never
    const body = {
      model: embedded,
      messages: [{ role: 'user', content: wholeOf('Extract the fields') }],
      response_format,
    }
    const reply = await chat(() => ({ text: 'not asked' }), body)
    expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toMatchObject({ total: 144 })
    expect(JSON.parse(textOf(await stream(() => ({ text: 'not asked' }), body)))).toMatchObject({ total: 144 })
    const words = { ...body, messages: [{ role: 'user', content: 'Invoice number: INV-7\nTotal: EUR 5.00' }] }
    expect(JSON.parse((await chat(() => ({}), words)).choices[0]?.message.content ?? '')).toMatchObject({ total: 5 })
    const held = await chat(() => ({}), { ...body, max_wrong_rate: 0.1 })
    expect(await executionOf(held)).toMatchObject({ completeness: { max_wrong_rate: 0.1 } })
    expect(await failureOf(chat(() => ({}), { ...body, max_wrong_rate: 0.5 }))).toMatchObject({ status: 422 })
    expect(requests()).toHaveLength(0)
  })

  test('text of the user fills the schema of a skill', async () => {
    await service.call('POST', '/v1/skills/create', {
      body: { prompt: 'Read the invoice', json_schema: invoiceSchema, name: 'in-words', description: 'Reads' },
    })
    const messages = [{ role: 'user' as const, content: 'Invoice number: INV-7\nTotal: EUR 5.00' }]
    const reply = await chat(() => ({}), { model: embedded, messages, skills: [{ skill_id: 'in-words' }] })
    expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toMatchObject({ total: 5 })
  })

  test('a question that needs one is refused with a message, streamed or not', async () => {
    for (const go of [chat, stream]) {
      const error = await failureOf(
        go(() => ({}), { model: embedded, messages: [{ role: 'user', content: 'Why is the sky blue?' }] }),
      )
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).toMatchObject({ code: 'needs_model', message: expect.stringContaining('OPENAI_API_KEY') })
    }
  })
})

describe('a failure', () => {
  test.each([
    ['no key', OpenAI.AuthenticationError, { key: 'wrong-key-wrong-key' }, {}],
    ['an unknown model', OpenAI.UnprocessableEntityError, {}, { model: 'gpt-17' }],
    ['no messages', OpenAI.UnprocessableEntityError, {}, { messages: [] }],
    ['two replies', OpenAI.UnprocessableEntityError, {}, { n: 2 }],
    [
      'an unknown file',
      OpenAI.NotFoundError,
      {},
      {
        messages: [
          { role: 'user', content: [{ type: 'input_file', file_id: '11111111-1111-4111-8111-111111111111' }] },
        ],
      },
    ],
    ['an unknown skill', OpenAI.UnprocessableEntityError, {}, { skills: [{ skill_id: 'never-made' }] }],
    ['an unknown role', OpenAI.UnprocessableEntityError, {}, { messages: [{ role: 'wizard', content: 'x' }] }],
  ])('by %s is one that the client knows', async (_name, kind, { key = service.key }: { key?: string }, body) => {
    const own = new OpenAI({ apiKey: key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })
    const error = await failureOf(own.chat.completions.create(asked(body as never)))
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String), code: expect.any(String) },
    })
    expect(Object.keys((error as { error: object }).error).sort()).toEqual(['code', 'message', 'param', 'type'])
  })

  test('names the location of a mistake', async () => {
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] }]
    const error = await failureOf(client.chat.completions.create(asked({ messages })))
    expect(error).toMatchObject({ status: 422, param: 'messages[0].content[0].image_url.url' })
  })

  test.each([
    ['skills[0].skill_id', { skills: [{ skill_id: 'never-made' }] }],
    ['skills[0].source.data', { skills: [{ type: 'inline', source: { data: 'AAAA' } }] }],
    ['response_format.schema.type', { response_format: { type: 'json_schema', schema: { type: 'nope' } } }],
    [
      'response_format.json_schema.schema.type',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nope' } } } },
    ],
    ['toolsets[0]', { toolsets: ['never-made'] }],
  ])('names the location as the client wrote it: %s', async (param, body) => {
    const error = await failureOf(client.chat.completions.create(asked(body as never)))
    expect(error).toMatchObject({ status: 422, param })
  })

  test.each([
    ['n must be 1', { n: 2 }],
    ['1 to 64 letters, digits', { tools: [{ type: 'function', function: { name: 'a b' } }] }],
    [
      'should match ',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: '.' } }] }] },
    ],
  ])('says what is allowed: %s', async (words, body) => {
    const error = await failureOf(client.chat.completions.create(asked(body as never)))
    expect(error).toMatchObject({ status: 422, message: expect.stringContaining(words) })
  })

  test('of an unknown route or method has the same format', async () => {
    for (const [method, path, status] of [
      ['GET', '/v1/openai/nothing', 404],
      ['GET', '/v1/openai/chat/completions', 405],
    ] as const) {
      const answer = await service.call(method, path)
      expect([answer.status, typeof answer.json.error.message]).toEqual([status, 'string'])
    }
  })

  test('of the provider comes once with advice, and does not make clients retry by themselves', async () => {
    follow(() => ({ status: 500 }))
    const retrying = new OpenAI({ apiKey: service.key, baseURL: `${service.url}/v1/openai`, maxRetries: 3 })
    const error = await failureOf(retrying.chat.completions.create(asked()))
    expect(error).toMatchObject({ status: 400, code: 'provider_failed' })
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false')
    expect(requests()).toHaveLength(2)
  })

  test('after the first words comes in the stream', async () => {
    follow(() => ({ text: 'One two three four five six.', holdsAfter: 4 }))
    const body = { ...asked({ timeout_seconds: 1 }), stream: true as const }
    let heard = ''
    const error = await failureOf(
      (async () => {
        for await (const chunk of await client.chat.completions.create(body))
          heard += chunk.choices[0]?.delta.content ?? ''
      })(),
    )
    expect(heard).not.toBe('')
    expect(error).toMatchObject({ code: 'timeout' })
  })

  test('by a conversation that is too long says so', async () => {
    const error = await failureOf(
      chat(() => ({ text: 'x' }), { messages: [{ role: 'user', content: 'word '.repeat(120_000) }] }),
    )
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    expect(requests()).toHaveLength(0)
  })

  test('of the budget pauses the turn', async () => {
    const error = await failureOf(chat(() => ({ text: 'dear' }), { max_cost_dollars: 0.000_001 }))
    expect(error).toMatchObject({ status: 402, code: 'budget_spent' })
    expect(requests()).toHaveLength(0)
  })
})

test('models are listed and found in OpenAI’s format', async () => {
  const listed = (await client.models.list()).data
  expect(listed.map((one) => one.id)).toContain('svc-agent-1:auto')
  const pro = { id: 'svc-agent-2:pro', object: 'model', engine: 'mine/small' }
  expect(await client.models.retrieve('svc-agent-2:pro')).toMatchObject(pro)
  expect(await client.models.retrieve('vlmrun-orion-2:pro')).toMatchObject({ engine: 'mine/small' })
  expect(await failureOf(client.models.retrieve('gpt-17'))).toBeInstanceOf(OpenAI.NotFoundError)
})
