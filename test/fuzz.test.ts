import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openApiOf } from '../packages/server/src/adapters/http/openapi.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { judgeBy, type MadeUpRequest, nastyTexts, requestsOf } from './support/fuzz.ts'
import { oddities } from './support/oddities.ts'
import { opened } from './support/opened.ts'
import { send } from './support/send.ts'
import { openTestService } from './support/service.ts'
import { bodySchemaOf, operationsOf } from './support/slots.ts'

/** FUZZ_RUNS=20000 FUZZ_SEED=… runs it longer, or repeats a run. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 1_500)
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const document = openApiOf(apiRoutes())
const judge = judgeBy(document)
let known: string[]

const service = await opened(
  openTestService({
    env: { SKILLRUN_SLOTS: 'priority=1,standard=1,flex=1' },
    config: {
      file: {
        limits: {
          requests_per_minute: 1_000_000,
          sync_wait_ms: 50,
          waiting_per_tier: 1_000_000,
          waiting_per_workspace: 1_000_000,
        },
      },
    },
  }),
)
beforeAll(async () => {
  const file = await service.upload(Buffer.from('Total: 5.00'), 'note.txt')
  const body = { batch: true, inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' } }
  const execution = (await service.call('POST', '/v1/agent/execute', { body })).json
  const key = (await service.call('POST', '/v1/keys', { body: { name: 'known' } })).json
  const skill = (
    await service.call('POST', '/v1/skills/create', { body: { name: 'known', prompt: 'Extract the total' } })
  ).json
  known = [file.id, file.sha256, execution.id, execution.name, key.id, skill.id, 'known', 'known:latest'].filter(
    (id) => typeof id === 'string',
  )
})

async function ask({ operation, path, headers, body }: Pick<MadeUpRequest, 'operation' | 'path' | 'headers' | 'body'>) {
  const reply = await send(service.url + path, {
    method: operation.method,
    // As JSON, because a stream of events lasts as long as its execution.
    headers: { Authorization: `Bearer ${service.key}`, Accept: 'application/json', ...headers },
    body,
  })
  const contentType = reply.headers['content-type'] ?? ''
  const json: unknown = contentType.startsWith('application/json') ? JSON.parse(reply.text) : reply.text
  return { status: reply.status, contentType, json }
}

test(`no random request is answered 5xx, and every reply matches the API description (seed ${seed})`, async () => {
  const statuses = new Map<number, number>()
  const answered = new Map<string, number>()
  const mistakes = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(requestsOf(document, known), async (made) => {
      const reply = await ask(made)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      const name = String(made.operation.operation['operationId'])
      if (reply.status < 300) answered.set(name, (answered.get(name) ?? 0) + 1)
      const wrong = judge(made.operation, reply)
      // Collects all kinds of mistakes of a run, each with its first request.
      const kind = `${name} ${reply.status}`
      if (wrong && !mistakes.has(kind))
        mistakes.set(kind, `${made.path} ${JSON.stringify(made.headers)} ${made.body ?? ''} ${wrong}`)
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
  expect(Object.fromEntries(mistakes)).toEqual({})
  // If no request gets through, the test shows nothing.
  expect(answered.size).toBeGreaterThan(10)
  console.log(`fuzz: ${runs} requests, seed ${seed}, ${JSON.stringify(Object.fromEntries(statuses))}`)
}, 3_600_000)

test('the judge detects an undescribed status or field', () => {
  const [health] = operationsOf(document).filter(
    ({ operation }) => operation['operationId'] === 'getHealth' || operation['operationId'] === 'health',
  )
  const operation = health ?? operationsOf(document).find(({ path }) => path === '/v1/health')
  if (!operation) throw new Error('there is no health route')
  const json = 'application/json'
  expect(judge(operation, { status: 200, contentType: json, json: { status: 'ok' } })).toBeUndefined()
  expect(judge(operation, { status: 200, contentType: json, json: { status: 5 } })).toMatch(/not as described/)
  expect(judge(operation, { status: 418, contentType: json, json: {} })).toMatch(/not described/)
  expect(judge(operation, { status: 500, contentType: json, json: { detail: 'x' } })).toMatch(/answered 500/)
})

test('JSON oddities are refused by every route that takes JSON, or read as what they say, without a 5xx', async () => {
  const taking = operationsOf(document).filter(({ operation }) => bodySchemaOf(operation) !== undefined)
  expect(taking.length).toBeGreaterThan(5)
  const wrong: string[] = []
  for (const operation of taking)
    for (const [name, body] of oddities) {
      const path = operation.path.replaceAll(/\{\w+\}/g, known[0] ?? '')
      const headers = { 'Content-Type': 'application/json' }
      const reply = await ask({ operation, path, headers, body })
      const said = judge(operation, reply)
      if (said) wrong.push(`${operation.method} ${path}: ${name}: ${said}`)
    }
  expect(wrong).toEqual([])
})

test('texts that have broken other programs are returned unchanged, or refused', async () => {
  for (const text of nastyTexts) {
    const body = {
      inputs: { [`slot ${text}`.slice(0, 250)]: text || 'x', value: [text] },
      config: { prompt: `Extract ${text}` },
      metadata: { session_id: `s${text}`.slice(0, 250), extra: { [text || 'x']: text } },
    }
    const made = await service.call('POST', '/v1/agent/execute', { body })
    expect([201, 422], text).toContain(made.status)
    if (made.status === 201) {
      const asked = (await service.call('GET', `/v1/agent/executions/${made.json.id}/request`)).json
      expect(asked).toMatchObject({ inputs: body.inputs, metadata: body.metadata })
      expect(asked.config.prompt).toContain(`Extract ${text}`)
      const listed = await service.call(
        'GET',
        `/v1/agent/executions?session_id=${encodeURIComponent(body.metadata.session_id)}`,
      )
      expect(listed.json.map((one: { id: string }) => one.id)).toContain(made.json.id)
    }
    const key = await service.call('POST', '/v1/keys', { body: { name: text, scopes: ['read'] } })
    expect([201, 422], text).toContain(key.status)
    if (key.status === 201) expect(key.json.name).toBe(text)
  }
})
