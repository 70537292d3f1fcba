import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { startMcp } from './support/mcp-server.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

let calls: { name: string; input: Json }[] = []
const script = ({ results }: MockRequest): MockTurn =>
  results.length < calls.length && results.length === 0
    ? { toolCalls: calls }
    : { text: JSON.stringify({ heard: results }) }

const model = await startMockModel({ script })
const mcp = await startMcp()
const site = createServer((_request, response) => {
  response
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end('<html><body><h1>Opening hours</h1><p>Nine to five</p></body></html>')
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`
afterAll(async () => {
  await model[Symbol.asyncDispose]()
  mcp.close()
  site.close()
})

const mine = {
  providers: [{ name: 'mine', kind: 'openai-compatible' as const, baseUrl: model.baseUrl }],
  file: { routes: { 'svc-agent-1': 'mine/one' } },
}
const program = fileURLToPath(new URL('./support/mcp-server.ts', import.meta.url))

async function run(service: TestService, wanted: typeof calls, more: object = {}) {
  calls = wanted
  const json = await service.execute({
    batch: false,
    model: 'svc-agent-1',
    config: { prompt: 'Say what you hear' },
    ...more,
  })
  expect(json.error).toBeNull()
  return (JSON.parse(json.response) as { heard: string[] }).heard
}

describe('tool servers of the configuration', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService({
      env: { SKILLRUN_ALLOW_PRIVATE: mcp.host },
      config: {
        ...mine,
        file: {
          ...mine.file,
          mcp: {
            shop: { url: mcp.url, headers: { 'X-Token': 'of the operator' } },
            shelf: { command: process.execPath, args: [program], env: { ROOT: '/srv/files' } },
            gone: { url: 'http://127.0.0.1:9/mcp' },
          },
        },
      },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each(['shop', 'shelf'])(
    '%s: its tools are offered, called with what the model gives, and answer it',
    async (name) => {
      const heard = await run(service, [{ name: `${name}_stock`, input: { article: 'teapots' } }])
      expect(heard.join('')).toContain('There are 7 of teapots')
      const { tools } = model.requests.at(-1) as MockRequest
      expect(tools).toEqual(expect.arrayContaining(['shop_stock', 'shelf_stock', 'core_date']))
      expect(tools.filter((tool) => /sound|gone/.test(tool))).toEqual([])
      expect(mcp.seen.headers['x-token']).toBe('of the operator')
    },
  )

  test('a local program has the variables of its configuration and those that a program needs, and no other of the server', async () => {
    const heard = await run(service, [{ name: 'shelf_stock', input: { article: 'variables' } }])
    const names: readonly string[] = heard.join('').match(/\w+/g) ?? []
    expect(names).toEqual(expect.arrayContaining(['PATH', 'ROOT']))
    const usual = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']
    const others = Object.keys(process.env).filter((name) => !usual.includes(name))
    expect(others).not.toEqual([])
    expect(others.filter((name) => names.includes(name))).toEqual([])
  })

  test('the model gets the error of a server, and the run continues', async () => {
    expect((await run(service, [{ name: 'shop_broken', input: {} }])).join('')).toContain('The shelf fell down')
  })

  test('an answer of 50 MB is not read to its end: the model gets an error, and the server continues', async () => {
    const heard = await run(service, [{ name: 'shop_stock', input: { article: 'everything' } }])
    expect(heard.join('')).toContain('The tool server shop failed')
    expect((await run(service, [{ name: 'shop_stock', input: { article: 'cups' } }])).join('')).toContain('7 of cups')
  })

  test('a request can select them by toolset and name; an unknown name lists the known ones', async () => {
    await run(service, [], { toolsets: ['shop'] })
    expect(model.requests.at(-1)?.tools.toSorted()).toEqual(['core_recall', 'shop_broken', 'shop_stock'])
    const { status, json } = await service.call('POST', '/v1/agent/execute', {
      body: { config: { prompt: 'x', tool_names: ['shop.nothing'] } },
    })
    expect([status, json.detail[0].msg]).toEqual([422, expect.stringContaining("'shop.stock'")])
  })

  test('a skill can select them by toolset', async () => {
    const files = {
      'SKILL.md': '---\nname: counting\ndescription: Counts.\n---\n\nCount.\n',
      'skill.yaml': 'toolsets: [shop]\n',
    }
    const source = { type: 'base64', media_type: 'application/zip', data: zipOf(files).toString('base64') }
    calls = [{ name: 'shop_stock', input: { article: 'teapots' } }]
    const config = { prompt: 'Say what you hear', skills: [{ type: 'inline', source }] }
    const json = await service.execute({ model: 'svc-agent-1', config })
    expect(json).toMatchObject({
      error: null,
      usage: { message: null },
      response: expect.stringContaining('There are 7'),
    })
    expect(model.requests.at(-1)?.tools).not.toContain('shelf_stock')
  })
})

describe('web access', () => {
  const read = [{ name: 'web_fetch', input: { url: `http://${siteHost}/hours` } }]

  test('reads allowed hosts as text', async () => {
    await using service = await openTestService({
      env: { SKILLRUN_ALLOW_PRIVATE: siteHost },
      config: { ...mine, file: { ...mine.file, web: true } },
    })
    const heard = (await run(service, read)).join('')
    expect(heard).toContain('Nine to five')
    expect(heard).not.toContain('<p>')
  })

  test('refuses other hosts and private addresses with a message to the model', async () => {
    await using listed = await openTestService({
      env: { SKILLRUN_ALLOW_PRIVATE: siteHost },
      config: { ...mine, file: { ...mine.file, web: ['example.com'] } },
    })
    expect((await run(listed, read)).join('')).toContain('is not in the list')
    await using open = await openTestService({ config: { ...mine, file: { ...mine.file, web: true } } })
    expect((await run(open, read)).join('')).toMatch(/private|not allowed|public/i)
  })

  test('is off by default: the tool does not exist', async () => {
    await using service = await openTestService({ config: mine })
    const { status, json } = await service.call('POST', '/v1/agent/execute', {
      body: { config: { prompt: 'x' }, toolsets: ['web'] },
    })
    expect([status, json.detail[0].msg]).toEqual([
      422,
      expect.stringContaining('Input should be a toolset of this server'),
    ])
    await run(service, [])
    expect(model.requests.at(-1)?.tools).not.toContain('web_fetch')
  })
})
