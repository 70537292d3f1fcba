import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

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
const anthropicTypes = (file: string) => [`@anthropic-ai/sdk/resources/${file}`]
const anthropic = anthropicTypes('messages/messages.d.ts')
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

const chatSaid = (part: object) => ({ ...chat, messages: [{ role: 'user', content: [part] }] })
const schemaFormat = { name: 'a', schema: { type: 'object', properties: { total: { type: 'number' } } } }
const chatCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
const shell = (environment: object) => ({
  ...response,
  tools: [{ type: 'shell', environment: { type: 'container_auto', ...environment } }],
})
const aSkill = { type: 'skill_reference', skill_id: 'none' }
const anInline = {
  type: 'inline',
  name: 'a',
  description: 'A',
  source: { type: 'base64', media_type: 'application/zip', data: 'UEs=' },
}
const aFunction = { type: 'function', name: 'f', parameters }
const aTool = { name: 'f', input_schema: parameters }
const afterCalling = (more: object, last: object = {}) => ({
  ...message,
  messages: [
    question,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {}, ...more }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '1', ...last }] },
  ],
})
const imageOf = (source: object) => saidToClaude({ type: 'image', source })
const documentOf = (source: object) => saidToClaude({ type: 'document', source })
const containing = (container: object) => ({ ...message, container })

const places: readonly Place[] = [
  toChat(chats, 'ChatCompletionUserMessageParam', (more) => ({ ...chat, messages: [{ ...question, ...more }] })),
  toChat(chats, 'ChatCompletionSystemMessageParam', (more) => ({
    ...chat,
    messages: [{ role: 'system', content: 'Be brief', ...more }, question],
  })),
  toChat(chats, 'ChatCompletionAssistantMessageParam', (more) => ({
    ...chat,
    messages: [question, { role: 'assistant', content: 'Hello', ...more }, question],
  })),
  toChat(chats, 'ChatCompletionToolMessageParam', (more) => ({
    ...chat,
    messages: [
      question,
      { role: 'assistant', tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'c1', content: '1', ...more },
    ],
  })),
  toChat(chats, 'ChatCompletionMessageFunctionToolCall', (more) => ({
    ...chat,
    messages: [question, { role: 'assistant', tool_calls: [{ ...chatCall, ...more }] }, question],
  })),
  toChat(chats, 'ChatCompletionContentPartText', (more) => chatSaid({ type: 'text', text: 'Say hello', ...more })),
  toChat(chats, 'ChatCompletionContentPartImage', (more) =>
    chatSaid({ type: 'image_url', image_url: { url: pixelUrl }, ...more }),
  ),
  toChat(chats, 'ImageURL', (more) => chatSaid({ type: 'image_url', image_url: { url: pixelUrl, ...more } })),
  toChat(chats, 'ChatCompletionContentPartInputAudio', (more) =>
    chatSaid({ type: 'input_audio', input_audio: { data: pixel, format: 'wav' }, ...more }),
  ),
  toChat(chats, 'InputAudio', (more) =>
    chatSaid({ type: 'input_audio', input_audio: { data: pixel, format: 'wav', ...more } }),
  ),
  toChat(chats, 'File', (more) => chatSaid({ type: 'file', file: { file_data: pixelUrl, ...more } })),
  toChat(chats, 'ChatCompletionFunctionTool', (more) => ({
    ...chat,
    tools: [{ type: 'function', function: { name: 'f', parameters }, ...more }],
  })),
  toChat(shared, 'FunctionDefinition', (more) => ({
    ...chat,
    tools: [{ type: 'function', function: { name: 'f', parameters, ...more } }],
  })),
  toChat(chats, 'ChatCompletionNamedToolChoice', (more) => ({
    ...chat,
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
    tool_choice: { type: 'function', function: { name: 'f' }, ...more },
  })),
  toChat(shared, 'ResponseFormatJSONSchema', (more) => ({
    ...chat,
    response_format: { type: 'json_schema', json_schema: schemaFormat, ...more },
  })),
  toChat(shared, 'JSONSchema', (more) => ({
    ...chat,
    response_format: { type: 'json_schema', json_schema: { ...schemaFormat, ...more } },
  })),
  toResponses(responses, 'EasyInputMessage', (more) => ({ ...response, input: [{ ...question, ...more }] })),
  toResponses(responses, 'ResponseFunctionToolCall', (more) => ({
    ...response,
    input: [question, { ...calling, ...more }, { type: 'function_call_output', call_id: 'c1', output: '1' }],
  })),
  toResponses(responses, 'ResponseOutputMessage', (more) => ({
    ...response,
    input: [question, { type: 'message', role: 'assistant', content: 'Hello', ...more }, question],
  })),
  toResponses(responses, 'ResponseOutputText', (more) => ({
    ...response,
    input: [question, { role: 'assistant', content: [{ type: 'output_text', text: 'Hello', ...more }] }, question],
  })),
  toResponses(responses, 'ResponseOutputRefusal', (more) => ({
    ...response,
    input: [question, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No', ...more }] }, question],
  })),
  toResponses(responses, 'ItemReference', (more) => ({
    ...response,
    input: [question, { type: 'item_reference', id: 'msg_1', ...more }],
  })),
  toResponses(responses, 'ToolChoiceFunction', (more) => ({
    ...response,
    tools: [aFunction],
    tool_choice: { type: 'function', name: 'f', ...more },
  })),
  toResponses(responses, 'FunctionShellTool', (more) => ({
    ...response,
    tools: [{ type: 'shell', environment: { type: 'container_auto', skills: [aSkill] }, ...more }],
  })),
  toResponses(responses, 'ContainerAuto', (more) => shell({ skills: [aSkill], ...more })),
  toResponses(responses, 'SkillReference', (more) => shell({ skills: [{ ...aSkill, ...more }] })),
  toResponses(responses, 'InlineSkill', (more) => shell({ skills: [{ ...anInline, ...more }] })),
  toResponses(responses, 'InlineSkillSource', (more) =>
    shell({ skills: [{ ...anInline, source: { ...anInline.source, ...more } }] }),
  ),
  toMessages('ToolUseBlockParam', (more) => afterCalling(more)),
  toMessages('ToolChoiceAny', (more) => ({ ...message, tools: [aTool], tool_choice: { type: 'any', ...more } })),
  toMessages('ToolChoiceTool', (more) => ({
    ...message,
    tools: [aTool],
    tool_choice: { type: 'tool', name: 'f', ...more },
  })),
  toMessages('ToolChoiceNone', (more) => ({ ...message, tools: [aTool], tool_choice: { type: 'none', ...more } })),
  toMessages('ContainerParams', (more) => containing({ ...more })),
  toMessages('SkillParams', (more) => containing({ skills: [{ type: 'custom', skill_id: 'none', ...more }] })),
  toMessages('JSONOutputFormat', (more) => ({
    ...message,
    output_config: { format: { type: 'json_schema', schema: parameters, ...more } },
  })),
  toMessages('CitationsConfigParam', (more) =>
    saidToClaude({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Total: 5' },
      citations: more,
    }),
  ),
  toMessages('Base64ImageSource', (more) => imageOf({ type: 'base64', media_type: 'image/png', data: pixel, ...more })),
  toMessages('URLImageSource', (more) => imageOf({ type: 'url', url: pixelUrl, ...more })),
  toMessages('FileImageSource', (more) => imageOf({ type: 'file', file_id: 'none', ...more })),
  toMessages('Base64PDFSource', (more) =>
    documentOf({ type: 'base64', media_type: 'application/pdf', data: pixel, ...more }),
  ),
  toMessages('PlainTextSource', (more) => documentOf({ type: 'text', media_type: 'text/plain', data: 'a', ...more })),
  toMessages('ContentBlockSource', (more) => documentOf({ type: 'content', content: 'a', ...more })),
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

const service = await opened(openTestService({ file: { limits: { requests_per_minute: 100_000 } } }))

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
        const { status, json, headers } = await service.call('POST', place.path, {
          body: place.body({ [name]: value }),
        })
        if (headers.get('X-Ignored-Fields')?.includes(name)) refusals += 1
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

/** A route with a query: the types of the client that describe it. */
const queries: readonly (readonly [path: string, files: readonly string[], name: string])[] = [
  ['/v1/openai/responses/resp_1', responses, 'ResponseRetrieveParamsBase'],
  ['/v1/openai/responses/resp_1/input_items', openAi('responses/input-items.d.ts'), 'InputItemListParams'],
  ['/v1/openai/files', openAi('files.d.ts'), 'FileListParams'],
  ['/v1/openai/skills', openAi('skills/skills.d.ts').slice(1), 'SkillListParams'],
  ['/v1/openai/skills/none/versions', openAi('skills/versions/versions.d.ts').slice(1), 'VersionListParams'],
  ['/anthropic/v1/files', anthropicTypes('beta/files.d.ts'), 'FileListParams'],
  ['/anthropic/v1/skills', anthropicTypes('skills/skills.d.ts'), 'SkillListParams'],
  ['/anthropic/v1/skills/none/versions', anthropicTypes('skills/versions.d.ts'), 'VersionListParams'],
]
/** Routes without a query of their own. */
const posted: readonly (readonly [path: string, body: object])[] = [
  ['/v1/openai/responses', response],
  ['/v1/openai/embeddings', { model: 'none', input: 'a' }],
  ['/anthropic/v1/messages', message],
  ['/anthropic/v1/messages/count_tokens', { model: message.model, messages: message.messages }],
]

describe('a query', () => {
  test.each(queries)('of %s has no parameter that is accepted and ignored', async (path, files, name) => {
    const inTypes = (await Promise.all(files.map((file) => propertiesOf(file, name)))).flat()
    const names = new Set([...inTypes, 'limit', 'colour_'])
    // The client sends `betas` as a header; a source is any text.
    for (const known of ['betas', 'source']) names.delete(known)
    if (name === 'ResponseRetrieveParamsBase') names.delete('limit')
    for (const one of names) {
      const { status, json } = await service.call('GET', `${path}?${one}=nonsense`)
      expect([one, status, JSON.stringify(json)]).toEqual([
        one,
        expect.toBeOneOf([400, 422]),
        expect.stringContaining(one),
      ])
    }
  })

  test.each(posted)('of %s is refused by the name of the parameter', async (path, body) => {
    const { status, json } = await service.call('POST', `${path}?colour_=red`, { body })
    expect([status, json.error?.code]).toEqual([expect.toBeOneOf([400, 422]), 'unknown_parameter'])
    expect(json.error.message).toContain('colour_')
  })

  test('may say beta=true, as clients of Anthropic do, and api-version, as those of Azure do', async () => {
    const body = { model: message.model, messages: message.messages }
    for (const query of ['beta=true', 'api-version=2025-03-01-preview']) {
      const path = `/anthropic/v1/messages/count_tokens?${query}`
      expect((await service.call('POST', path, { body })).status).toBe(200)
    }
    expect((await service.call('GET', '/v1/openai/files?api-version=2025-03-01-preview')).status).toBe(200)
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

test('strict of a tool reaches the provider, and an empty text is a message like any other', async () => {
  await using model = await startMockModel({ script: () => ({ text: 'Hello.' }) })
  await using served = await openTestService({
    file: { providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } } } as never,
  })
  const sent = async (path: string, body: object) => {
    expect((await served.call('POST', path, { body: { ...body, model: 'svc-agent-1:fast' } })).status).toBe(200)
    return model.requests.at(-1)?.body as { messages: { role: string; content: unknown }[]; tools?: unknown[] }
  }
  for (const strict of [true, false, undefined])
    for (const [path, body, tool] of [
      ['/v1/openai/chat/completions', chat, { type: 'function', function: { name: 'f', parameters, strict } }],
      ['/v1/openai/responses', response, { ...aFunction, strict }],
      ['/anthropic/v1/messages', message, { ...aTool, strict }],
    ] as const) {
      const { tools } = await sent(path, { ...body, tools: [tool] })
      const told = { name: 'f', description: '', parameters, ...(strict === undefined ? {} : { strict }) }
      expect([path, tools]).toEqual([path, [{ type: 'function', function: told }]])
    }
  const { messages } = await sent('/v1/openai/responses', { input: '', instructions: 'Say hello' })
  expect(messages.at(-1)).toEqual({ role: 'user', content: '' })
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
