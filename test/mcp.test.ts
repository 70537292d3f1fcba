import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoiceLines, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { zipOf } from './support/zips.ts'

const program = fileURLToPath(new URL('../packages/cli/skillrun.mjs', import.meta.url))
const usage = { inputTokens: 1, outputTokens: 1 }
const slow = 'svc-agent-1:fast'

let service: TestService
const folder = await temporaryFolder('mcp', afterAll)
let script: (request: MockRequest) => MockTurn | Promise<MockTurn>
let strangerKey: string
let skillId: string

const model = await opened(startMockModel({ script: (request) => script(request) }))
beforeAll(async () => {
  script = () => ({ text: 'hello', usage })
  await writeFile(join(folder, 'invoice.txt'), 'Invoice No: 17\nTotal: EUR 12.50\n')
  service = await openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:auto': 'embedded', 'svc-agent-1:fast': 'mine/one', 'svc-agent-1:pro': 'embedded' },
        limits: { requests_per_minute: 100_000, requests_per_minute_by_route: { evaluateSkill: 1 } },
      },
    },
  })
  strangerKey = await service.stranger()
  const bundle = {
    'SKILL.md':
      '---\nname: totals\ndescription: Reads totals.\nmetadata: { task: extract }\n---\n\nRead the total. See [terms](references/terms.md).\n',
    'schema.json': JSON.stringify(totalSchema),
    'references/terms.md': 'The total is with tax.\n',
    'assets/seal.bin': Buffer.from([0xff, 0xfe, 0]),
  }
  const { id } = await service.upload(zipOf(bundle), 'totals.zip')
  const body = { name: 'totals', description: 'Reads totals.', file_id: id }
  skillId = (await service.call('POST', '/v1/skills/create', { body })).json.id
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const totalSchema = { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] }
const invoice = {
  inputs: { mail: 'Invoice No: 17\nTotal: EUR 12.50' },
  prompt: 'Extract the total',
  json_schema: totalSchema,
}

type Connect = (key?: string) => Promise<Client>
const newClient = () => new Client({ name: 'test', version: '1.0.0' })

const overHttp: Connect = async (key = service.key) => {
  const client = newClient()
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  // Its types differ under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit })
  await client.connect(transport as Parameters<Client['connect']>[0])
  return client
}
const overStdio: Connect = async (key = service.key) => {
  const client = newClient()
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, SKILLRUN_URL: service.url, SKILLRUN_API_KEY: key }
  const args = [program, 'mcp', '--folder', folder]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'ignore' }),
  )
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
type Result = any
const call = async (client: Client, name: string, args: object = {}, options = {}): Promise<Result> =>
  client.callTool({ name, arguments: { ...args } }, undefined, options)

/** Holds the model until the returned function is called. */
function holdModel(): () => void {
  const held = Promise.withResolvers<void>()
  script = async () => {
    await held.promise
    return { text: 'done', usage }
  }
  return held.resolve
}

describe.each([
  ['streamable HTTP', overHttp],
  ['skillrun mcp', overStdio],
] as const)('the MCP server, with the official client over %s', (_name, connect) => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  test('declares its tools with schemas of their input and output', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'skillrun' })
    expect(client.getServerCapabilities()?.tasks).toMatchObject({ requests: { tools: { call: {} } } })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      ...['evidence', 'get_execution', 'list_skills', 'run', 'run_skill', 'search_document', 'wait'],
    ])
    for (const one of tools) {
      expect(one.inputSchema, one.name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(one.outputSchema, one.name).toMatchObject({ type: 'object', properties: expect.any(Object) })
    }
  })

  test('runs an agent, shows where its values stand, and searches what it read', async () => {
    const ran = await call(client, 'run', invoice)
    expect(ran.structuredContent).toMatchObject({ status: 'completed', response: { total: 12.5 }, error: null })
    expect(JSON.parse(ran.content[0].text)).toEqual(ran.structuredContent)
    const { id } = ran.structuredContent
    const { structuredContent: evidence } = await call(client, 'evidence', { id, path: '/total' })
    expect(evidence.values).toMatchObject([{ path: '/total', value: 12.5, status: 'normalised', input: 'mail' }])
    expect((await call(client, 'evidence', { id, below: 0 })).structuredContent.values).toEqual([])
    expect((await call(client, 'get_execution', { id })).structuredContent).toMatchObject({ response: { total: 12.5 } })
    const inText = await call(client, 'search_document', { execution_id: id, query: 'total' })
    expect(inText.structuredContent, JSON.stringify(inText)).toMatchObject({
      count: 1,
      hits: [{ page: 1, line: 'Total: EUR 12.50', before: 'Invoice No: 17' }],
    })
    const pdf = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
    const word = invoiceLines.find((line) => /[a-z]{4}/i.test(line)) ?? ''
    for (let times = 0; times < 2; times++) {
      const found = await call(client, 'search_document', { file_id: pdf.id, query: word.slice(0, 12) })
      expect(found.structuredContent, JSON.stringify(found)).toMatchObject({ hits: [{ page: 1 }] })
    }
    const read = await call(client, 'run', {
      inputs: { paper: { file_id: pdf.id } },
      prompt: 'Extract the total',
      json_schema: totalSchema,
    })
    const execution_id = read.structuredContent.id
    const again = await call(client, 'search_document', { execution_id, query: word.slice(0, 12) })
    expect(again.structuredContent.count).toBeGreaterThan(0)
    const nowhere = await call(client, 'search_document', { execution_id, input: 'letter', query: 'x' })
    expect([nowhere.isError, nowhere.content[0].text]).toEqual([true, expect.stringContaining('it read: paper')])
  })

  test('searches the pages that an execution read, not those that another read later', async () => {
    const pdf = await service.upload(
      await makePdf([
        ['Total: 1.00', 'apple'],
        ['Total: 2.00', 'pear'],
      ]),
      'two.pdf',
    )
    const readPages = async (page_indices: number[]) => {
      const inputs = { paper: { file_id: pdf.id } }
      const asked = { inputs, prompt: 'Extract the total', json_schema: totalSchema, config: { page_indices } }
      return (await call(client, 'run', asked)).structuredContent.id as string
    }
    const execution_id = await readPages([0])
    await readPages([0, 1])
    const found = await call(client, 'search_document', { execution_id, query: 'pear' })
    expect(found.structuredContent).toEqual({ count: 0, hits: [] })
  })

  test('lists skills, offers them as prompts and resources, and runs one', async () => {
    const { structuredContent } = await call(client, 'list_skills')
    expect(structuredContent.skills).toMatchObject([{ name: 'totals', description: 'Reads totals.', id: skillId }])
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([{ name: 'totals', description: 'Reads totals.' }])
    const { messages } = await client.getPrompt({ name: 'totals', arguments: { task: 'Read this mail' } })
    const { text } = (messages[0] ?? { content: {} }).content as { text: string }
    for (const part of ['Read the total.', 'skill://totals/references/terms.md', 'Task: Read this mail'])
      expect(text).toContain(part)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://totals/SKILL.md'])
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect(await read('skill://totals/references/terms.md')).toMatchObject({ text: 'The total is with tax.\n' })
    expect(await read('skill://totals:1/assets/seal.bin')).toMatchObject({ blob: '//4A' })
    for (const uri of [
      'skill://totals/../etc/passwd',
      'skill://totals/none.md',
      'skill://none/SKILL.md',
      'file:///etc/passwd',
    ])
      await expect(read(uri), uri).rejects.toThrow(/no resource|no skill|exists/i)
    const ran = await call(client, 'run_skill', { skill: 'totals', inputs: { mail: 'Total: EUR 7.00' } })
    expect(ran.structuredContent).toMatchObject({ status: 'completed', response: { total: 7 } })
  })

  test('returns the id of what takes longer than the wait, and repeats no call with the same request_id', async () => {
    const release = holdModel()
    const args = { prompt: 'Say done', model: slow, wait_seconds: 0, request_id: `slow over ${_name}` }
    const first = (await call(client, 'run', args)).structuredContent
    expect(first).toMatchObject({ status: expect.stringMatching(/enqueued|running/), response: null })
    expect(first.hint).toContain(first.id)
    expect((await call(client, 'run', args)).structuredContent.id).toBe(first.id)
    expect((await call(client, 'wait', { id: first.id, wait_seconds: 0 })).structuredContent.response).toBe(null)
    release()
    expect((await call(client, 'wait', { id: first.id })).structuredContent).toMatchObject({ response: 'done' })
  })

  test('notifies of progress while a call waits', async () => {
    const release = holdModel()
    const told: { progress: number; message?: string }[] = []
    const onprogress = (one: { progress: number; message?: string }) => {
      told.push(one)
      if (one.message === 'Status: running') release()
    }
    const ran = await call(client, 'run', { prompt: 'Say done', model: slow }, { onprogress })
    expect(ran.structuredContent.response).toBe('done')
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, at) => at + 1))
    expect(told.map(({ message }) => message)).toContain('Status: running')
  })

  test('runs as a task, which is an execution', async () => {
    script = () => ({ text: 'done', usage })
    const stages: string[] = []
    const stream = client.experimental.tasks.callToolStream(
      { name: 'run', arguments: { prompt: 'Say done', model: slow } },
      CallToolResultSchema,
      { task: { ttl: 60_000 } },
    )
    let taskId = ''
    let result: Result
    for await (const one of stream) {
      stages.push(one.type)
      if (one.type === 'taskCreated') taskId = one.task.taskId
      if (one.type === 'result') result = one.result
    }
    expect(stages.filter((stage) => stage !== 'taskStatus')).toEqual(['taskCreated', 'result'])
    expect(result).toMatchObject({ structuredContent: { id: taskId, response: 'done' } })
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'completed' })
    expect((await service.call('GET', `/v1/agent/executions/${taskId}`)).json.response).toBe('done')
    expect((await client.experimental.tasks.listTasks()).tasks.map((one) => one.taskId)).toContain(taskId)
  })

  test('cancels a task, and fails one whose execution fails', async () => {
    const release = holdModel()
    const { tasks } = client.experimental
    const begin = async (args: object) => {
      const params = { name: 'run', arguments: { ...args }, task: {} }
      for await (const one of tasks.requestStream({ method: 'tools/call', params }, CallToolResultSchema, { task: {} }))
        if (one.type === 'taskCreated') return one.task.taskId
        else if (one.type === 'error') throw one.error
      throw new Error('no task was created')
    }
    const cancelled = await begin({ prompt: 'Say done', model: slow })
    expect(await tasks.getTask(cancelled)).toMatchObject({ status: 'working' })
    await tasks.cancelTask(cancelled)
    release()
    expect(await tasks.getTask(cancelled)).toMatchObject({ status: 'cancelled' })
    expect((await service.call('GET', `/v1/agent/executions/${cancelled}`)).json.error.code).toBe('cancelled')
    await expect(tasks.cancelTask(cancelled)).rejects.toThrow()
    script = () => ({ status: 400, body: { error: { message: 'It may not be' } } })
    const failed = await begin({ prompt: 'Say done', model: slow })
    const result: Result = await tasks.getTaskResult(failed, CallToolResultSchema)
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 'failed' } })
    expect(await tasks.getTask(failed)).toMatchObject({ status: 'failed' })
    await expect(begin({ schema: 'x' })).rejects.toThrow(/schema/)
    await expect(tasks.getTask('nothing')).rejects.toThrow('no execution')
    await expect(client.callTool({ name: 'wait', arguments: { id: failed }, task: {} } as never)).rejects.toThrow(
      'cannot run as a task',
    )
  })

  test('explains to the model what is wrong with a call', async () => {
    const refusals: [string, object, RegExp][] = [
      ['run', {}, /config|inputs/],
      ['run', { ...invoice, json_schema: { type: 'nothing' } }, /config\.json_schema/],
      ['run', { promt: 'Read it' }, /promt/],
      ['run', { ...invoice, inputs: { mail: { file_id: 'f-1' } } }, /no file|exist/i],
      ['run_skill', { skill: 'nowhere' }, /no skill "nowhere"/],
      ['wait', { id: 'nothing' }, /no execution/],
      ['evidence', { id: '00000000-0000-4000-8000-000000000000' }, /no execution/],
      ['search_document', { query: 'x' }, /file_id or execution_id/],
    ]
    for (const [name, args, words] of refusals) {
      const refused = await call(client, name, args)
      expect([refused.isError, refused.content[0].text], name).toEqual([true, expect.stringMatching(words)])
    }
    await expect(call(client, 'nothing')).rejects.toThrow('There is no tool "nothing"; the tools are: run,')
  })

  test('respects the scopes of the key, and shows nothing of another workspace', async () => {
    const keyOf = async (scope: string) =>
      (await service.call('POST', '/v1/keys', { body: { scopes: [scope] } })).json.key as string
    const { id } = (await call(client, 'run', invoice)).structuredContent
    await using reading = closing(await connect(await keyOf('read')))
    const refused = await call(reading.client, 'run', invoice)
    expect([refused.isError, refused.content[0].text]).toEqual([true, expect.stringContaining('scope execute')])
    expect((await call(reading.client, 'get_execution', { id })).structuredContent.response).toEqual({ total: 12.5 })
    await using executing = closing(await connect(await keyOf('execute')))
    expect((await call(executing.client, 'run', invoice)).structuredContent.response).toEqual({ total: 12.5 })
    for (const [name, args] of [
      ['get_execution', { id }],
      ['wait', { id }],
      ['evidence', { id }],
      ['search_document', { execution_id: id, query: 'Total' }],
      ['list_skills', {}],
    ] as const)
      expect((await call(executing.client, name, args)).content[0].text, name).toContain('scope read')
    for (const work of [
      () => executing.client.listPrompts(),
      () => executing.client.getPrompt({ name: 'totals' }),
      () => executing.client.listResources(),
      () => executing.client.readResource({ uri: 'skill://totals/SKILL.md' }),
      () => executing.client.experimental.tasks.getTask(id),
      () => executing.client.experimental.tasks.listTasks(),
      () => reading.client.experimental.tasks.cancelTask(id),
    ])
      await expect(work()).rejects.toThrow(/scope (read|execute)/)
    const file = await service.upload(Buffer.from('Total: 1.00'), 'own.txt')
    await using stranger = closing(await connect(strangerKey))
    for (const [name, args] of [
      ['get_execution', { id }],
      ['wait', { id }],
      ['evidence', { id }],
      ['search_document', { execution_id: id, query: 'Total' }],
      ['search_document', { file_id: file.id, query: 'Total' }],
      ['run_skill', { skill: 'totals', inputs: { mail: 'Total: 1' } }],
      ['run', { ...invoice, inputs: { mail: { file_id: file.id } } }],
    ] as const) {
      const answer = await call(stranger.client, name, args)
      expect([answer.isError, answer.content[0].text], name).toEqual([
        true,
        expect.stringMatching(/no (execution|file|skill)/),
      ])
    }
    expect((await call(stranger.client, 'list_skills')).structuredContent.skills).toEqual([])
    expect((await stranger.client.listPrompts()).prompts).toEqual([])
    expect((await stranger.client.experimental.tasks.listTasks()).tasks).toEqual([])
    await expect(stranger.client.experimental.tasks.getTask(id)).rejects.toThrow('no execution')
    await expect(stranger.client.readResource({ uri: 'skill://totals/SKILL.md' })).rejects.toThrow(/skill/)
  })
})

const closing = (client: Client) => ({ client, [Symbol.asyncDispose]: () => client.close() })

describe('files of the computer', () => {
  test('are uploaded by skillrun mcp from its folders alone', async () => {
    await using stdio = closing(await overStdio())
    const from = (path: string) => call(stdio.client, 'run', { ...invoice, inputs: { mail: { path } } })
    expect((await from(join(folder, 'invoice.txt'))).structuredContent.response).toEqual({ total: 12.5 })
    // The model reads why, as the result of its call, and can name another file.
    for (const [path, words] of [
      ['/etc/passwd', 'not in a folder that may be read'],
      [join(folder, '..', 'other', 'invoice.txt'), 'not in a folder'],
      [join(folder, 'nothing.txt'), 'no such file'],
      [folder, 'not in a folder'],
    ] as const) {
      const refused = await from(path)
      expect([refused.isError, refused.content]).toEqual([
        true,
        [{ type: 'text', text: expect.stringContaining(words) }],
      ])
    }
    // A call that is to become a task has no result that could say so.
    const asTask = { name: 'run', arguments: { ...invoice, inputs: { mail: { path: '/etc/passwd' } } }, task: {} }
    const request = stdio.client.request({ method: 'tools/call', params: asTask }, CreateTaskResultSchema)
    await expect(request).rejects.toThrow('not in a folder that may be read')
  })

  test('are refused over HTTP, where the path would be one of the server', async () => {
    await using http = closing(await overHttp())
    const refused = await call(http.client, 'run', { ...invoice, inputs: { mail: { path: '/etc/passwd' } } })
    expect([refused.isError, refused.content[0].text]).toEqual([true, expect.stringContaining('skillrun mcp')])
  })
})

describe('the next major of the official client', () => {
  const connect = async (key: string, options: ConstructorParameters<typeof NewClient>[1]) => {
    const client = new NewClient({ name: 'test', version: '1.0.0' }, options)
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new NewTransport(new URL(`${service.url}/mcp`), { requestInit }))
    return client
  }

  test.each([
    ['by default', {}],
    ['when it asks for the newest revision of the protocol first', { versionNegotiation: { mode: 'auto' as const } }],
  ])('works %s', async (_when, options) => {
    const client = await connect(service.key, options)
    expect(client.getServerVersion()).toMatchObject({ name: 'skillrun' })
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run')
    const notes: string[] = []
    const onprogress = ({ message }: { message?: string | undefined }) => notes.push(String(message))
    const ran = await client.callTool({ name: 'run', arguments: invoice }, { onprogress })
    expect(ran.structuredContent).toMatchObject({ status: 'completed', response: { total: 12.5 } })
    expect(notes[0]).toContain('Status: ')
    const refused = await client.callTool({ name: 'run', arguments: { json_schema: { type: 'strange' } } })
    expect(refused).toMatchObject({ isError: true })
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'totals' }])
    const { contents } = await client.readResource({ uri: 'skill://totals/references/terms.md' })
    expect(contents).toMatchObject([{ text: 'The total is with tax.\n' }])
    await client.close()
  })

  test('says why it cannot connect', async () => {
    await expect(connect('nothing', {})).rejects.toThrow('The key is not valid')
  })
})

describe('/mcp', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const accept = { Accept: 'application/json, text/event-stream' }
  const post = (options: object = {}) => service.call('POST', '/mcp', { body: initialize, headers: accept, ...options })

  test('refuses requests with the Origin of another site, and those without a key', async () => {
    const from = async (origin: string) => (await post({ headers: { ...accept, Origin: origin } })).status
    expect(await from('https://evil.example')).toBe(403)
    expect(await from('http://localhost:1')).toBe(403)
    expect(await from('null')).toBe(403)
    expect(await from(service.url)).toBe(200)
    expect((await post({ key: null })).status).toBe(401)
    expect((await post({ key: 'nothing' })).status).toBe(401)
  })

  test('keeps no session and takes neither GET nor batches', async () => {
    const { status, headers, json } = await post()
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null])
    expect(json).toContain('"protocolVersion":"2025-06-18"')
    expect((await service.call('GET', '/mcp', { headers: { Accept: 'text/event-stream' } })).status).toBe(405)
    expect((await post({ body: [initialize] })).status).toBe(400)
    const notified = await post({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    expect(notified.status).toBe(202)
  })

  test('ends the wait of a client that disconnects, and the execution goes on', async () => {
    const release = holdModel()
    const stop = new AbortController()
    await using http = closing(await overHttp())
    const request_id = 'left alone'
    const args = { prompt: 'Say done', model: slow, request_id }
    const left = call(http.client, 'run', args, { signal: stop.signal, onprogress: () => stop.abort('enough') })
    await expect(left).rejects.toThrow()
    release()
    const ran = await call(http.client, 'run', args)
    expect(ran.structuredContent.response).toBe('done')
    const { json } = await service.call('GET', `/v1/agent/executions?client_id=${encodeURIComponent(request_id)}`)
    expect(json).toHaveLength(1)
  })
})
