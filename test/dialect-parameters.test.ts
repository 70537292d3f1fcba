import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestService, type TestService } from './support/service.ts'

/** The properties of an interface in the types of a client; of all interfaces with that name. */
async function propertiesOf(file: string, name: string): Promise<readonly string[]> {
  const types = await readFile(new URL(`../node_modules/${file}`, import.meta.url), 'utf8')
  const found = [
    ...types.matchAll(
      new RegExp(`^( *)(?:export )?interface ${name}(?:<[^{]*>)?(?: extends [^{]+)? \\{\\n(.*?)^\\1\\}`, 'gms'),
    ),
  ]
  return [
    ...new Set(
      found.flatMap(([, indent, body]) =>
        [...(body ?? '').matchAll(new RegExp(`^${indent}    '?(\\w+)'?\\??:`, 'gm'))].map(
          ([, property]) => property ?? '',
        ),
      ),
    ),
  ]
}

const openAi = (file: string) => ['openai5', 'openai6', 'openai'].map((client) => `${client}/resources/${file}`)
const anthropic = ['@anthropic-ai/sdk/resources/messages/messages.d.ts']
const chats = openAi('chat/completions/completions.d.ts')
const responses = openAi('responses/responses.d.ts')
const shared = openAi('shared.d.ts')

const question = { role: 'user', content: 'Say hello' }
const chat = { model: 'svc-agent-1:fast', messages: [question] }
const response = { model: 'svc-agent-1:fast', input: 'Say hello' }
const message = { model: 'svc-agent-1:fast', max_tokens: 100, messages: [question] }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pixelUrl = `data:image/png;base64,${pixel}`

/** An object of a request: the types that describe it, and a valid request with more fields in that object. */
interface Place {
  readonly files: readonly string[]
  readonly name: string
  readonly path: string
  readonly body: (more: object) => object
}

const toChat = (files: readonly string[], name: string, body: Place['body']): Place => ({
  files,
  name,
  body,
  path: '/v1/openai/chat/completions',
})
const toResponses = (files: readonly string[], name: string, body: Place['body']): Place => ({
  files,
  name,
  body,
  path: '/v1/openai/responses',
})
const toMessages = (name: string, body: Place['body']): Place => ({
  files: anthropic,
  name,
  body,
  path: '/anthropic/v1/messages',
})
const said = (part: object) => ({ ...response, input: [{ role: 'user', content: [part] }] })
const saidToClaude = (block: object) => ({ ...message, messages: [{ role: 'user', content: [block] }] })
const parameters = { type: 'object', properties: {} }
const calling = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }

const places: readonly Place[] = [
  toChat(chats, 'ChatCompletionCreateParamsBase', (more) => ({ ...chat, ...more })),
  toChat(chats, 'ChatCompletionStreamOptions', (more) => ({ ...chat, stream_options: more })),
  toResponses(responses, 'ResponseCreateParamsBase', (more) => ({ ...response, ...more })),
  toResponses(responses, 'StreamOptions', (more) => ({ ...response, stream_options: more })),
  toResponses(responses, 'ResponseTextConfig', (more) => ({ ...response, text: more })),
  toResponses(shared, 'Reasoning', (more) => ({ ...response, reasoning: more })),
  toResponses(responses, 'ResponseFormatTextJSONSchemaConfig', (more) => ({
    ...response,
    text: { format: { type: 'json_schema', name: 'a', schema: parameters, ...more } },
  })),
  toResponses(responses, 'ResponseInputText', (more) => said({ type: 'input_text', text: 'Say hello', ...more })),
  toResponses(responses, 'ResponseInputImage', (more) => said({ type: 'input_image', image_url: pixelUrl, ...more })),
  toResponses(responses, 'ResponseInputFile', (more) => said({ type: 'input_file', file_data: pixelUrl, ...more })),
  toResponses(responses, 'FunctionCallOutput', (more) => ({
    ...response,
    input: [question, calling, { type: 'function_call_output', call_id: 'c1', output: '1', ...more }],
  })),
  toResponses(responses, 'FunctionTool', (more) => ({
    ...response,
    tools: [{ type: 'function', name: 'f', parameters, strict: true, ...more }],
  })),
  toMessages('MessageCreateParamsBase', (more) => ({ ...message, ...more })),
  {
    ...toMessages('MessageCountTokensParams', (more) => ({
      model: message.model,
      messages: message.messages,
      ...more,
    })),
    path: '/anthropic/v1/messages/count_tokens',
  },
  toMessages('OutputConfig', (more) => ({ ...message, output_config: more })),
  toMessages('Metadata', (more) => ({ ...message, metadata: more })),
  toMessages('Tool', (more) => ({ ...message, tools: [{ name: 'f', input_schema: parameters, ...more }] })),
  toMessages('ToolChoiceAuto', (more) => ({ ...message, tool_choice: { type: 'auto', ...more } })),
  toMessages('TextBlockParam', (more) => saidToClaude({ type: 'text', text: 'Say hello', ...more })),
  toMessages('ImageBlockParam', (more) =>
    saidToClaude({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel }, ...more }),
  ),
  toMessages('DocumentBlockParam', (more) =>
    saidToClaude({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Total: 5' }, ...more }),
  ),
  toMessages('ToolResultBlockParam', (more) => ({
    ...message,
    messages: [
      question,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '1', ...more }] },
    ],
  })),
  {
    files: openAi('embeddings.d.ts'),
    name: 'EmbeddingCreateParams',
    path: '/v1/openai/embeddings',
    body: (more) => ({ model: 'none', input: 'a', ...more }),
  },
]

/** Values that no parameter takes all of: one that is read refuses at least one of them. */
const nonsense = ['nonsense', { nonsense: ['x'] }, -1.5, [[[]]]]

let service: TestService
beforeAll(async () => {
  service = await openTestService({ file: { limits: { requests_per_minute: 100_000 } } })
})
afterAll(() => service?.[Symbol.asyncDispose]())

describe.each(places.map((place) => [place.path, place.name, place] as const))('%s, %s', (_path, _name, place) => {
  test('no parameter in the types of the official clients is accepted and ignored', async () => {
    const names = new Set((await Promise.all(place.files.map((file) => propertiesOf(file, place.name)))).flat())
    expect(names.size).toBeGreaterThan(0)
    const ignored: string[] = []
    for (const name of names) {
      // Its own object could not be told apart from another type.
      if (name === 'type') continue
      let refusals = 0
      for (const value of nonsense) {
        const { status, json } = await service.call('POST', place.path, { body: place.body({ [name]: value }) })
        const { error } = json as { error?: { message: string; param?: string | null; type: string } }
        const isRefused = (status === 400 || status === 422) && error?.type === 'invalid_request_error'
        if (isRefused && `${error.param} ${error.message}`.includes(name)) refusals += 1
        if (refusals > 0) break
      }
      if (refusals === 0) ignored.push(name)
    }
    expect(ignored).toEqual([])
  })

  test('an unknown parameter is refused by its name, or named in a header', async () => {
    const { status, headers, json } = await service.call('POST', place.path, { body: place.body({ colour_: 'red' }) })
    const isNamed = headers.get('X-Ignored-Fields')?.includes('colour_')
    if (!isNamed)
      expect([status, JSON.stringify(json)]).toEqual([expect.toBeOneOf([400, 422]), expect.stringContaining('colour_')])
  })
})

test('the guides name each parameter of a request', async () => {
  const guide = async (name: string) => readFile(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8')
  const texts = { openai: await guide('openai'), anthropic: await guide('anthropic'), chat: await guide('chat') }
  const listed = [
    [chats, 'ChatCompletionCreateParamsBase', texts.chat],
    [responses, 'ResponseCreateParamsBase', texts.openai],
    [openAi('embeddings.d.ts'), 'EmbeddingCreateParams', texts.openai],
    [openAi('audio/transcriptions.d.ts'), 'TranscriptionCreateParamsBase', texts.openai],
    [openAi('files.d.ts'), 'FileCreateParams', texts.openai],
    [anthropic, 'MessageCreateParamsBase', texts.anthropic],
    [anthropic, 'MessageCountTokensParams', texts.anthropic],
  ] as const
  for (const [files, name, text] of listed) {
    const names = (await Promise.all(files.map((file) => propertiesOf(file, name)))).flat()
    expect([name, names.filter((one) => !new RegExp(`\`[^\`]*\\b${one}\\b`).test(text))]).toEqual([name, []])
  }
})

test('labels are kept in the metadata of the execution, and store: false keeps nothing of a chat', async () => {
  const labels = { user: 'ann', safety_identifier: 's1', prompt_cache_key: 'k1' }
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const read = {
    model: 'svc-agent-1:fast',
    messages: [{ role: 'user', content: 'Total: EUR 12.50' }],
    response_format: { type: 'json_schema', schema },
  }
  const create = async (more: object): Promise<string> => {
    const { json } = await service.call('POST', '/v1/openai/chat/completions', { body: { ...read, ...more } })
    expect(json.choices?.[0]?.message.content).toBe('{"total":12.5}')
    return json.id.replace('chatcmpl-', '')
  }
  const kept = await create({ ...labels, store: true })
  expect((await service.call('GET', `/v1/agent/executions/${kept}/request`)).json).toMatchObject({
    metadata: { extra: labels },
  })
  const dropped = await create({ ...labels, store: false })
  expect((await service.call('GET', `/v1/agent/executions/${dropped}`)).json.response).toBeNull()
})
