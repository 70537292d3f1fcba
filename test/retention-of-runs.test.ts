import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExecutions } from '../packages/server/src/features/retention/purge.ts'
import { listeningLog, placesOf } from './support/marks.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService, type TestService } from './support/service.ts'
import { zipOf } from './support/zips.ts'

// Each test puts its own marker into everything that a caller, a model, a tool and a web page say, and then searches
// for it.
const { log, lines } = listeningLog()
let service: TestService
let script: (request: MockRequest) => MockTurn
let pageOf: () => string
const site = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'max-age=3600', ETag: '"a"' }).end(pageOf())
})

const model = await opened(startMockModel({ script: (request) => script(request) }))
const receiver = await opened(openReceiver())
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  service = await openTestService({
    log,
    env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' },
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1': 'mine/one', 'svc-agent-2': 'mine/one' },
        web: true,
        limits: { model_attempts: 1 },
      },
    },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  site.close()
})

const siteUrl = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}/${path}`
const places = (mark: string) => placesOf(mark, { service, lines })

const feedback = (body: object) => service.call('POST', '/v1/feedback/submit', { body })

function skillOf(mark: string) {
  const skill = `---\nname: ${mark}\ndescription: Of ${mark}\n---\nSay ${mark} at every step.\n`
  const data = zipOf({ 'SKILL.md': skill, 'references/words.md': `${mark} is a word` }).toString('base64')
  return {
    type: 'inline',
    name: mark,
    description: mark,
    source: { type: 'base64', media_type: 'application/zip', data },
  }
}

/** Tools of the first generation: a web page, a chart that becomes an artifact, and a file of the skill. */
const calls = (mark: string) => [
  { name: 'web_fetch', input: { url: siteUrl(`page?${mark}`) } },
  { name: 'viz_chart', input: { type: 'bar', title: mark, labels: [mark], series: [{ name: mark, values: [5] }] } },
  { name: 'skills_read', input: { skill: mark, path: 'references/words.md' } },
  { name: 'no_such_tool', input: { mark } },
  { name: `no_such_tool_${mark}`, input: {} },
]

const bodyOf = (mark: string, more: object = {}) => {
  const { metadata, ...rest } = more as { metadata?: object }
  return {
    batch: false,
    model: 'svc-agent-1',
    id: `request ${mark}`,
    inputs: {
      page: { type: 'file_url', file_url: { url: siteUrl(`input?${mark}`) } },
      text: `Remark: ${mark} text`,
      value: { [mark]: mark },
    },
    toolsets: ['core', 'document', 'web', 'viz'],
    config: { prompt: `Say what ${mark} is`, skills: [skillOf(mark)] },
    callback_url: receiver.url(`/${mark}`),
    metadata: { session_id: `session ${mark}`, extra: { [mark]: mark }, ...metadata },
    ...rest,
  }
}

const saysAll =
  (mark: string) =>
  ({ results }: MockRequest): MockTurn =>
    results.length === 0
      ? { text: `I think of ${mark}`, toolCalls: calls(mark) }
      : { text: JSON.stringify({ heard: results, mark }) }

async function execute(mark: string, more: object = {}) {
  pageOf = () => `<html><body><p>The page says ${mark}</p></body></html>`
  const { status, json } = await service.call('POST', '/v1/agent/execute', { body: bodyOf(mark, more) })
  expect(status, JSON.stringify(json)).toBe(201)
  return json
}

const artifactsOf = (id: string) => service.database.db.query('select id from artifacts where execution_id = $1', [id])

const delivered = (id: string) =>
  expect
    .poll(async () => (await service.call('GET', `/v1/agent/executions/${id}/callbacks`)).json[0]?.state)
    .toBe('delivered')

test('a retained run is found in every place, so that the search for markers is meaningful', async () => {
  const mark = 'glasswillow'
  script = saysAll(mark)
  const record = await execute(mark)
  expect(record).toMatchObject({ status: 'completed', response: expect.stringContaining(`The page says ${mark}`) })
  expect(record.response).toContain(`${mark} is a word`)
  await feedback({ agent_execution_id: record.id, notes: `about ${mark}` })
  const found = await places(mark)
  for (const table of ['executions', 'steps', 'callbacks', 'readings', 'feedback', 'execution_skills'])
    expect(found).toContain(`public.${table}`)
  // Content is never logged, with or without retention; and the log is captured.
  expect(found).not.toContain('log')
  expect(lines.some((line) => line.includes(record.id))).toBe(true)
  log.debug({ mark: 'said to the log alone' }, 'a line')
  expect(await places('said to the log alone')).toEqual(['log'])
  // Images show their words but do not contain them as text.
  expect(await artifactsOf(record.id), record.response).toHaveLength(1)
})

describe('a run of a language model with allow_retention false', () => {
  test('leaves nothing of what it was asked, generated, fetched, drew and answered, nor of feedback on it', async () => {
    const mark = 'brackenmoor'
    script = saysAll(mark)
    // Sent before it was known that the run may not be retained.
    const early = await feedback({ request_id: `request ${mark}`, notes: `early ${mark}`, response: { mark } })
    expect(early.json.notes).toContain(mark)
    const record = await execute(mark, { metadata: { allow_retention: false } })
    expect(record).toMatchObject({ status: 'completed', response: expect.stringContaining(mark) })
    await delivered(record.id)
    for (const body of [{ agent_execution_id: record.id }, { request_id: `request ${mark}` }]) {
      const said = await feedback({ ...body, notes: `late ${mark}`, response: { mark } })
      expect(said).toMatchObject({ status: 201, json: { notes: null, response: null } })
    }
    expect(await places(mark)).toEqual([])
    const ofRequest = (await service.call('GET', `/v1/feedback/${encodeURIComponent(`request ${mark}`)}`)).json
    expect(ofRequest.items.map(({ response, notes }: Record<string, unknown>) => ({ response, notes }))).toEqual([
      { response: null, notes: null },
      { response: null, notes: null },
    ])
    const items = (await service.call('GET', `/v1/feedback/${record.id.toUpperCase()}`)).json.items
    expect(items).toEqual([expect.objectContaining({ notes: null, response: null })])
    const steps = (await service.call('GET', `/v1/agent/executions/${record.id}/steps`)).json
    expect(steps.length).toBeGreaterThan(3)
    expect(await artifactsOf(record.id)).toEqual([])
  })

  test('leaves nothing when the model fails with a message that contains the content', async () => {
    const mark = 'sorrelgate'
    script = () => ({ status: 400, body: { error: { message: `cannot read ${mark}`, type: 'invalid' } } })
    const record = await execute(mark, { metadata: { allow_retention: false } })
    expect(record).toMatchObject({ status: 'failed', error: { code: expect.any(String) } })
    // The provider's own message is passed to nobody.
    expect(JSON.stringify([record.error, record.usage])).not.toContain(mark)
    expect((await service.call('GET', `/v1/agent/executions/${record.id}`)).json.error.message).not.toContain(mark)
    await delivered(record.id)
    expect(await places(mark)).toEqual([])
  })

  test('leaves nothing of a program that a model wrote, nor of what it printed and called', async () => {
    const mark = 'linnetfold'
    const source = `export default async function run(tools: Tools, inputs: Inputs) {
  console.log('${mark}')
  const page = await tools.document.read({ input: 'page', pages: [1] })
  return { mark: '${mark}', page }
}`
    script = () => ({ text: `Of ${mark}:\n\`\`\`ts\n${source}\n\`\`\`` })
    const record = await execute(mark, { model: 'svc-agent-2', metadata: { allow_retention: false } })
    expect([record.status, JSON.stringify(record.response)]).toEqual(['completed', expect.stringContaining(mark)])
    await delivered(record.id)
    expect(await places(mark)).toEqual([])
  })

  test('leaves nothing of a chat, streamed or not, and of a reply whose client disconnected', async () => {
    const mark = 'thornbeck'
    script = () => ({ text: `Of ${mark} I know little` })
    const body = {
      model: 'svc-agent-1',
      messages: [{ role: 'user', content: `What is ${mark}?` }],
      metadata: { allow_retention: false, session_id: `session ${mark}` },
    }
    const reply = await service.call('POST', '/v1/openai/chat/completions', { body })
    expect(JSON.stringify(reply.json)).toContain(`Of ${mark}`)
    const said = await feedback({ chat_id: reply.json.id, notes: `I like ${mark}` })
    expect(said.json.notes).toBeNull()
    const streamed = await service.call('POST', '/v1/openai/chat/completions', { body: { ...body, stream: true } })
    expect(streamed.json).toContain('little')
    await expect.poll(() => places(mark)).toEqual([])
  })
})

test('feedback on an execution is deleted with its content when that is old', async () => {
  const mark = 'fennelshaw'
  script = saysAll(mark)
  const record = await execute(mark)
  await delivered(record.id)
  await feedback({ request_id: `request ${mark}`, notes: `about ${mark}` })
  await feedback({ agent_execution_id: record.id, response: { mark } })
  const { db } = service.database
  const parts = { db, forgetMore: async () => undefined }
  await purgeExecutions(parts, { now: new Date(), olderThan: new Date(Date.parse(record.completed_at) + 1_000) })
  const rows = await db.query('select response, notes from feedback where execution_id = $1', [record.id])
  expect(rows).toEqual([
    { response: null, notes: null },
    { response: null, notes: null },
  ])
  expect((await feedback({ agent_execution_id: record.id, notes: mark })).json.notes).toBeNull()
})
