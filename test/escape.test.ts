import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escapes, programOf } from '../packages/server/src/adapters/sandbox/testing/hostile-programs.ts'
import { type MockModel, startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

// A model under the control of a document: its programs are untrusted.
let model: MockModel
let service: TestService
const folder = await temporaryFolder('escape', afterAll)
let canary: string
const secret = 'canary-9f2c'

const usage = { inputTokens: 1, outputTokens: 1 }

beforeAll(async () => {
  // The program to write is in the request, between markers.
  model = await startMockModel({
    script: ({ text }) => {
      const source = /BEGIN PROGRAM\n([\s\S]*?)\nEND PROGRAM/.exec(text)?.[1] ?? ''
      return { text: `\`\`\`ts\n${source}\n\`\`\``, usage }
    },
  })
  canary = join(folder, 'canary')
  await writeFile(canary, secret)
  process.env['CANARY_KEY'] = secret
  service = await openTestService({ file: fileOfSmallModel(model.baseUrl), ownParts: true })
})
afterAll(async () => {
  delete process.env['CANARY_KEY']
  await service[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

const begin = async (body: string, more: object = {}) =>
  (
    await service.call('POST', '/v1/agent/execute', {
      body: {
        model: 'svc-agent-2:fast',
        inputs: { about: { path: canary } },
        config: { prompt: `BEGIN PROGRAM\n${programOf(body)}\nEND PROGRAM`, max_steps: 12 },
        ...more,
      },
    })
  ).json

const run = (body: string) => begin(body, { batch: false })

describe('untrusted programs', () => {
  test.each(escapes)('cannot escape by $what', async ({ body }) => {
    const record = await run(body.replaceAll('tools.trial.echo', 'tools.core.date'))
    if (record.status === 'completed') expect(record.response).toBe(false)
    else expect(['max_steps', 'max_turns']).toContain(record.error.code)
  })

  test.each([
    ['files', 'return import(inputs.about.path).then(String, (error) => error.message)'],
    [
      'what a tool is asked for',
      'return tools.document.read({ input: inputs.about.path, pages: [1] }).catch((e) => e.message)',
    ],
    ['a name of a tool', 'return tools.document["../" + inputs.about.path]?.().catch(String)'],
  ])('cannot read secrets of the machine by %s', async (_what, body) => {
    const record = await run(body)
    expect(JSON.stringify(record)).not.toContain(secret)
    const steps = await service.call('GET', `/v1/agent/executions/${record.id}/steps`)
    expect(JSON.stringify(steps.json)).not.toContain(secret)
    expect(await readFile(canary, 'utf8')).toBe(secret)
  })

  test.each([
    ['fills its memory', 'const a = []; for (;;) a.push(new Array(100_000).fill(7))'],
    ['calls itself without end', 'const f = () => f() + 1; return f()'],
    ['floods the console', 'for (;;) console.log("x".repeat(1000))'],
    ['floods the tools', 'for (;;) tools.core.date({ operation: "today" })'],
    ['returns 100 MB', 'return "x".repeat(100_000_000)'],
    ['cannot be read', `return ${'('.repeat(5_000)}`],
  ])('fail alone when one %s', async (_what, body) => {
    expect((await run(body)).status).toBe('failed')
    expect((await run('return 7')).response).toBe(7)
    expect((await service.call('GET', '/v1/health')).status).toBe(200)
  })

  test('do not delay others while one runs forever, and end when their caller ends them', async () => {
    const hostile = await begin('while (true) {}')
    for (let n = 0; n < 5; n += 1) expect((await run(`return ${n}`)).response).toBe(n)
    const path = `/v1/agent/executions/${hostile.id}`
    expect((await service.call('GET', path)).json.status).not.toBe('completed')
    await service.call('POST', `${path}/cancel`)
    await expect.poll(async () => (await service.call('GET', path)).json.status, { timeout: 10_000 }).toBe('failed')
  })
})
