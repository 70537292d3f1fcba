import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { ToolMessage } from '@langchain/core/messages'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { skillrunTools } from '../packages/integrations/ai-sdk/index.js'
import { skillrunTool } from '../packages/integrations/langchain/index.js'
import { invoiceLines, makePdf } from './support/documents.ts'
import { openHeldSource } from './support/held-source.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'

const source = await opened(openHeldSource('Total: EUR 12.50'))
const service = await opened(openTestService({ env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' } }))

/** The end of the newest execution. */
async function newest() {
  const [{ id }] = (await service.call('GET', '/v1/agent/executions?limit=1')).json
  return (await service.call('GET', `/v1/agent/executions/${id}`)).json
}

const schema = { type: 'object', properties: { invoice_number: { type: ['string', 'null'] } } }
const input = async () => {
  const { id } = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
  return { documents: [{ file_id: id }], json_schema: schema }
}
const output = {
  execution_id: expect.any(String),
  status: 'completed',
  response: { invoice_number: 'INV-2041' },
  error: null,
  evidence: { '/invoice_number': { page: 0, quote: expect.stringContaining('INV-2041') } },
}
const place = () => ({ url: service.url, key: service.key })

test('a model of the AI SDK calls the tool, and gets values with their places', async () => {
  const call = {
    type: 'tool-call' as const,
    toolCallId: 'c1',
    toolName: 'read_documents',
    input: JSON.stringify(await input()),
  }
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const replies = [
    { content: [call], finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage, warnings: [] },
    {
      content: [{ type: 'text' as const, text: 'It is INV-2041.' }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    },
  ]
  const model = new MockLanguageModelV4({ doGenerate: replies })
  const result = await generateText({
    model,
    tools: skillrunTools(place()),
    stopWhen: stepCountIs(3),
    prompt: 'Which number?',
  })
  expect(result.text).toBe('It is INV-2041.')
  expect(result.steps[0]?.toolResults[0]?.output).toMatchObject(output)
  // The model was offered the tool with its schema, and then got its result.
  expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
    name: 'read_documents',
    inputSchema: { required: ['documents'] },
  })
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('INV-2041')
})

test("LangChain's tool answers a call of a model with JSON", async () => {
  const readDocuments = skillrunTool(place())
  const message = await readDocuments.invoke({
    type: 'tool_call',
    id: 'c1',
    name: 'read_documents',
    args: await input(),
  })
  if (!(message instanceof ToolMessage)) throw new Error('expected a ToolMessage')
  expect(JSON.parse(String(message.content))).toMatchObject(output)
  await expect(readDocuments.invoke({ task: 'Read' } as never)).rejects.toThrow(/documents|schema/)
})

test('a tool that is bound to a skill offers no other, and reports what fails', async () => {
  const bound = skillrunTool({ ...place(), skill: 'no-such-skill' })
  expect(JSON.stringify(bound.schema)).not.toContain('Name of a skill')
  await expect(bound.invoke({ documents: [{ text: 'Total: 5.00' }] } as never)).rejects.toThrow('no-such-skill')
  await expect(skillrunTool(place()).invoke({ documents: [{}] } as never)).rejects.toThrow('exactly one of')
})

test('a tool refuses what its schema does not have, whether or not the framework checks that', async () => {
  const { read_documents: tool } = skillrunTools({ ...place(), skill: 'totals' })
  const execute = (input: unknown) => Promise.resolve(tool.execute?.(input as never, {} as never))
  const documents = [{ text: 'Total: 5.00' }]
  await expect(execute({ documents, colour: 'red' })).rejects.toThrow('There is no parameter colour')
  await expect(execute({ documents, skill: 'another' })).rejects.toThrow('There is no parameter skill')
  await expect(execute({ documents: [] })).rejects.toThrow('at least one document')
  await expect(execute({})).rejects.toThrow('at least one document')
  for (const document of [{ text: 'a', url: 'b' }, { path: '/etc/passwd' }, null, { text: 5 }])
    await expect(execute({ documents: [document] })).rejects.toThrow('exactly one of')
})

test('the execution of a call that is given up is cancelled', async () => {
  const { read_documents: ofAi } = skillrunTools(place())
  const ofLangchain = skillrunTool(place())
  const calls = {
    ai: (input: object, signal: AbortSignal) => ofAi.execute?.(input as never, { abortSignal: signal } as never),
    langchain: (input: object, signal: AbortSignal) => ofLangchain.invoke(input as never, { signal }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const given = new AbortController()
    const answer = Promise.resolve(call({ documents: [{ url: source.url(name) }], json_schema: schema }, given.signal))
    const failed = expect(answer).rejects.toThrow()
    await source.asked(name)
    given.abort()
    await failed
    await source.left(name)
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
  }
})

describe('the n8n node', () => {
  const load = createRequire(import.meta.url)
  const manifest = load('../packages/integrations/n8n/package.json')
  const from = (path: string) => load(`../packages/integrations/n8n/${path}`)
  const { Skillrun } = from(manifest.n8n.nodes[0])
  const { SkillrunApi } = from(manifest.n8n.credentials[0])

  /** Runs the node on one item, as n8n does: with parameters, credentials that authenticate requests, and binary data. */
  async function run(
    parameters: Record<string, unknown>,
    more: { binary?: Buffer; continueOnFail?: boolean; at?: Pick<TestService, 'url' | 'key'>; stop?: AbortSignal } = {},
  ) {
    const node = new Skillrun()
    const { at = service } = more
    const { authenticate } = new SkillrunApi()
    const defaults = Object.fromEntries(
      node.description.properties.map((one: { name: string; default: unknown }) => [one.name, one.default]),
    )
    const context = {
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name: string) => ({ ...defaults, ...parameters })[name],
      getCredentials: async () => ({ url: at.url, key: at.key }),
      continueOnFail: () => more.continueOnFail ?? false,
      getExecutionCancelSignal: (): AbortSignal | undefined => more.stop,
      helpers: {
        assertBinaryData: () => ({ fileName: 'invoice.pdf', mimeType: 'application/pdf' }),
        getBinaryDataBuffer: async () => more.binary,
        async httpRequestWithAuthentication(
          this: { getExecutionCancelSignal: () => AbortSignal | undefined },
          _name: string,
          asked: { url: string; method: string; body?: unknown } & Record<string, unknown>,
        ) {
          const { url, method, body } = asked
          expect(asked).toMatchObject({ ignoreHttpStatusErrors: true, returnFullResponse: true })
          const signal = this.getExecutionCancelSignal()
          const isForm = body instanceof FormData
          const authorization = authenticate.properties.headers.Authorization.replace('={', '{').replace(
            '=Bearer',
            'Bearer',
          )
          const response = await fetch(url, {
            method,
            headers: {
              Authorization: authorization.replace('{{$credentials.key}}', at.key),
              ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
            },
            ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
            ...(signal ? { signal } : {}),
          })
          return { statusCode: response.status, body: await response.json() }
        },
      },
    }
    const [items] = await node.execute.call(context)
    return items[0].json
  }

  test('reads a binary property, a text and an uploaded file', async () => {
    const binary = await makePdf([invoiceLines])
    const read = await run({ schema: JSON.stringify(schema) }, { binary })
    expect(read).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041' } })
    expect(await run({ operation: 'get', executionId: read.id })).toMatchObject({
      id: read.id,
      response: read.response,
    })
    const file = await run({ operation: 'upload' }, { binary })
    expect(file).toMatchObject({ filename: 'invoice.pdf', bytes: binary.length })
    const again = { documentFrom: 'file', fileId: file.id, schema }
    expect(await run(again)).toMatchObject({ response: { invoice_number: 'INV-2041' } })
    const text = { documentFrom: 'text', text: 'Invoice number: INV-77', schema }
    expect(await run(text)).toMatchObject({ response: { invoice_number: 'INV-77' } })
  })

  test('has the end sent to a callback where it does not wait', async () => {
    const called = Promise.withResolvers<string>()
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk
      })
      request.on('end', () => {
        response.end()
        called.resolve(body)
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const begun = await run({ documentFrom: 'text', text: 'Invoice number: INV-78', schema, wait: false, callbackUrl })
    expect(JSON.parse(await called.promise)).toMatchObject({ id: begun.id, response: { invoice_number: 'INV-78' } })
    receiver.close()
  })

  test('waits for an execution that takes longer than the server waits', async () => {
    await using slow = await openTestService({ file: { limits: { sync_wait_ms: 1 } } })
    const text = { documentFrom: 'text', text: 'Invoice number: INV-79', schema }
    expect(await run(text, { at: slow })).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-79' } })
  })

  test('fails where the execution fails, or hands the failure on as an item', async () => {
    const failing = { documentFrom: 'text', text: 'Nothing here', prompt: 'Write a poem' }
    await expect(run(failing)).rejects.toThrow('failed')
    expect(await run(failing, { continueOnFail: true })).toMatchObject({ error: expect.stringContaining('failed') })
    await expect(run({ operation: 'get', executionId: 'none' })).rejects.toThrow('404')
  })

  test('says what is wrong with a request, in the words of the server or by the name of the parameter', async () => {
    const text = { documentFrom: 'text', text: 'Invoice number: INV-80' }
    await expect(run({ ...text, schema: '{"type": "strange"}' })).rejects.toThrow(
      /answered 422: config\.json_schema\.type: Type should be one of/,
    )
    await expect(run({ ...text, schema: '{"type": ' })).rejects.toThrow('JSON Schema is not valid JSON')
    const at = { url: `${service.url}/v1/`, key: 'nobody' }
    await expect(run({ ...text, schema }, { at })).rejects.toThrow('answered 401: The key is not valid')
    for (const [parameters, name] of [
      [{ operation: 'get', executionId: ' ' }, 'Execution ID'],
      [{ documentFrom: 'text', text: '', schema }, 'Text'],
      [{ documentFrom: 'url', documentUrl: undefined, schema }, 'URL'],
      [{ documentFrom: 'file', fileId: '', schema }, 'File ID'],
    ] as const)
      await expect(run(parameters)).rejects.toThrow(`${name} is empty`)
    expect(await run({ ...text, schema }, { at: { ...at, key: service.key } })).toMatchObject({ status: 'completed' })
  })

  test('cancels its execution when somebody stops the workflow', async () => {
    const stop = new AbortController()
    const parameters = { documentFrom: 'url', documentUrl: source.url('stopped'), schema }
    const failed = expect(run(parameters, { stop: stop.signal })).rejects.toThrow()
    await source.asked('stopped')
    stop.abort()
    await failed
    await source.left('stopped')
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
  })
})
