import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tellFailures } from '../packages/server/src/adapters/telemetry/otel/export.ts'
import { openLogs } from '../packages/server/src/adapters/telemetry/otel/logs.ts'
import { readConfig } from '../packages/server/src/config.ts'
import type { Log } from '../packages/server/src/core/log.ts'
import { openLog } from '../packages/server/src/open-log.ts'
import { startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'

/** The server's own. */
const { OTLPTraceExporter } = createRequire(new URL('../packages/server/package.json', import.meta.url))(
  '@opentelemetry/exporter-trace-otlp-http',
)

/** Receives spans like an OpenTelemetry endpoint, and answers with the status that `answers` has at that moment. */
function collector(answers = { status: 200 }) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString())
      response.writeHead(answers.status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  return { bodies, server }
}

const { bodies, server } = collector()
let service: TestService
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  service = await openTestService({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, SKILLRUN_ALLOW_PRIVATE: '127.0.0.1:9' },
  })
})
afterAll(() => {
  server.close()
})

/** Names of attributes that OpenTelemetry knows. */
const conventions = new Set<unknown>(Object.values(incubating))

const body = { batch: false, inputs: { text: 'Total: 5.00 of Mustermann' }, config: { prompt: 'Extract the total' } }

test('metrics count executions, and are for admins of the first workspace only', async () => {
  const json = await service.execute(body)
  expect(json.status).toBe('completed')
  const { status, headers, json: text } = await service.call('GET', '/metrics')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(text).toContain('skillrun_runs_ended_total{status="completed",code="",tier="standard",engine="embedded"} 1')
  expect(text).toContain('skillrun_steps_total{kind="tool",name="document.read"} 1')
  expect(text).toMatch(/skillrun_http_request_seconds_count\{route="executeAgent",status="201"\} 1/)
  expect(text).toContain('skillrun_jobs_waiting{queue="priority"} 0')
  expect(text).toContain('skillrun_oldest_job_seconds{queue="priority"} 0')
  expect(text).not.toContain('Mustermann')
  // An attempt that fails to connect is counted.
  const { id } = (
    await service.call('POST', '/v1/agent/execute', { body: { ...body, callback_url: 'http://127.0.0.1:9/told' } })
  ).json
  for (;;) {
    const [callback] = (await service.call('GET', `/v1/agent/executions/${id}/callbacks`)).json
    if (callback.tries.length > 0) break
    await lookAgain()
  }
  await expect
    .poll(async () => (await service.call('GET', '/metrics')).json)
    .toMatch(/skillrun_callback_tries_total\{outcome="[a-z_]+"\} 1/)
  expect((await service.call('GET', '/metrics', { key: null })).status).toBe(401)
  expect((await service.call('GET', '/metrics', { key: await service.stranger() })).status).toBe(403)
})

test('executions beyond the queue limit are refused with Retry-After and leave nothing behind; accepted ones stay', async () => {
  // Nothing takes the waiting executions.
  await using api = await openTestService({
    env: { SKILLRUN_ROLE: 'api' },
    config: { file: { limits: { waiting_per_tier: 4, waiting_per_workspace: 3 } } },
  })
  const submit = async (key?: string, tier = 'standard') => {
    const config = { ...body.config, service_tier: tier }
    const answer = await api.call('POST', '/v1/agent/execute', {
      body: { ...body, batch: true, config },
      ...(key ? { key } : {}),
    })
    return [answer.status, answer.headers.get('retry-after') !== null]
  }
  const stranger = await api.stranger()
  expect([await submit(), await submit(), await submit()]).toEqual(Array(3).fill([201, false]))
  expect(await submit()).toEqual([429, true])
  expect(await submit(stranger)).toEqual([201, false])
  expect(await submit(stranger)).toEqual([503, true])
  expect(await submit(stranger, 'priority')).toEqual([201, false])
  expect((await api.call('GET', '/v1/agent/executions')).json).toHaveLength(3)
})

test('work that a key queued is done although the key was revoked before it began', async () => {
  await using api = await openTestService({ env: { SKILLRUN_ROLE: 'api' } })
  const { id: keyId, key } = (await api.call('POST', '/v1/keys', { body: { name: 'leaves' } })).json
  const { id } = (await api.call('POST', '/v1/agent/execute', { body: { ...body, batch: true }, key })).json
  expect((await api.call('DELETE', `/v1/keys/${keyId}`)).status).toBe(200)
  await using _worker = await openTestService({ database: api.database, env: { SKILLRUN_ROLE: 'worker' } })
  await expect
    .poll(async () => (await api.call('GET', `/v1/agent/executions/${id}`)).json.status, { timeout: 30_000 })
    .toBe('completed')
})

test('an execution has a trace with its id: the run, its model call and its tool call, without content', async () => {
  const { json } = await service.call('POST', '/v1/agent/execute', { body })
  await service[Symbol.asyncDispose]()
  const spans = bodies.flatMap((one) =>
    // biome-ignore lint/suspicious/noExplicitAny: the wire of OpenTelemetry.
    (JSON.parse(one) as any).resourceSpans.flatMap((resource: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: the wire of OpenTelemetry.
      resource.scopeSpans.flatMap((scope: any) => scope.spans),
    ),
  )
  const own = spans.filter((span) => span.traceId === json.id.replaceAll('-', ''))
  expect(own.map((span) => span.name).sort()).toEqual([
    'POST /v1/agent/execute',
    'chat embedded',
    'execute_tool document.read',
    `invoke_agent ${json.name}`,
  ])
  const run = own.find((span) => span.name.startsWith('invoke_agent'))
  for (const span of own) if (/^(chat|execute_tool) /.test(span.name)) expect(span.parentSpanId).toBe(run.spanId)
  // OpenTelemetry's numbers of server, client and internal.
  expect(Object.fromEntries(own.map(({ name, kind }) => [name, kind]))).toMatchObject({
    'POST /v1/agent/execute': 2,
    'chat embedded': 3,
    'execute_tool document.read': 1,
  })
  expect(bodies.join('')).not.toContain('Mustermann')
})

test('a model call is traced with provider, model and tokens, a request and a run are logged, and content appears nowhere', async () => {
  const { bodies: traced, server: endpoint } = collector()
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  await using model = await startMockModel({
    script: () => ({ text: 'Frau Musterfrau', usage: { inputTokens: 70, outputTokens: 4 } }),
  })
  const told: { fields: Record<string, unknown>; message: string }[] = []
  const tell = (fields: object, message: string) => void told.push({ fields: { ...fields }, message })
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell }
  const own = await openTestService({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}` },
    config: { providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl, fast: 'small' }] },
    log,
  })
  const { json, headers } = await own.call('POST', '/v1/agent/execute', { body })
  await own[Symbol.asyncDispose]()
  endpoint.close()
  expect(json).toMatchObject({ status: 'completed', model_selection: { resolved: 'mine/small' } })

  const call = traced
    .flatMap((one) => JSON.parse(one).resourceSpans)
    .flatMap((resource) => resource.scopeSpans)
    .flatMap((scope) => scope.spans)
    .find((span) => span.name === 'chat small')
  const attributes = Object.fromEntries(
    call.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
  )
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'mine',
    'gen_ai.request.model': 'small',
    'gen_ai.usage.input_tokens': 70,
    'gen_ai.usage.output_tokens': 4,
  })
  const used = traced.flatMap((one) => [...one.matchAll(/"(gen_ai\.[\w.]+)"/g)].map(([, name = '']) => name))
  expect(used).toEqual(expect.arrayContaining(['gen_ai.agent.name', 'gen_ai.response.model']))
  // What an older convention named otherwise is still in the package, with another name.
  expect(used.filter((name) => !conventions.has(name) || /^gen_ai\.(system$|prompt|completion)/.test(name))).toEqual([])
  expect(told).toContainEqual({
    fields: {
      requestId: headers.get('x-request-id'),
      operation: 'executeAgent',
      status: 201,
      ms: expect.any(Number),
      execution: json.id,
    },
    message: 'request answered',
  })
  expect(told).toContainEqual({
    fields: expect.objectContaining({ execution: json.id, status: 'completed' }),
    message: 'a run ended',
  })
  expect(traced.join('') + JSON.stringify(told)).not.toMatch(/Muster(mann|frau)/)
})

test('a worker with a port serves only its health and metrics there', async () => {
  await using api = await openTestService({ env: { SKILLRUN_ROLE: 'api' } })
  const worker = { SKILLRUN_ROLE: 'worker', SKILLRUN_WORKER_PORT: '0' }
  await using own = await openTestService({ database: api.database, env: worker })
  const { json } = await api.call('POST', '/v1/agent/execute', { body })
  expect(json.status).toBe('completed')
  expect((await own.call('GET', '/readyz', { key: null })).status).toBe(200)
  expect((await own.call('GET', '/metrics', { key: null })).status).toBe(401)
  await expect
    .poll(async () => (await own.call('GET', '/metrics')).json)
    .toContain('skillrun_runs_ended_total{status="completed",code="",tier="standard",engine="embedded"} 1')
  expect((await api.call('GET', '/metrics')).json).not.toContain('skillrun_runs_ended_total{status="completed"')
  expect((await own.call('GET', '/v1/agent/executions')).status).toBe(404)
  await expect(
    openTestService({ database: api.database, env: { ...worker, SKILLRUN_WORKER_PORT: 'any' } }),
  ).rejects.toThrow('SKILLRUN_WORKER_PORT is "any", but should be a whole number from 0 to 65535.')
})

test('logs are exported with the trace of their execution and the span of their request or run, down to the level of the log', async () => {
  const { bodies: sent, server: endpoint } = collector()
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  const { logsUrl } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: base }, tmpdir())
  const { log, close } = await openLog({ logLevel: 'info', logsUrl })
  const own = await openTestService({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${base}/v1/traces` }, log })
  const { json, headers } = await own.call('POST', '/v1/agent/execute', { body })
  log.debug({}, 'below the level')
  log.warn({ error: new TypeError('for the log'), code: undefined }, 'something failed')
  await own[Symbol.asyncDispose]()
  await close()
  endpoint.close()
  // biome-ignore lint/suspicious/noExplicitAny: the wire of OpenTelemetry.
  const all = sent.map((one) => JSON.parse(one)) as any[]
  const scopes = (kind: string, inner: string) =>
    all.flatMap((one) => one[`resource${kind}`] ?? []).flatMap((one) => one[inner])
  const records = scopes('Logs', 'scopeLogs').flatMap((scope) => scope.logRecords)
  const spans = scopes('Spans', 'scopeSpans').flatMap((scope) => scope.spans)
  const request = spans.find(({ name }) => name === 'POST /v1/agent/execute')
  const run = spans.find(({ name }) => name.startsWith('invoke_agent'))
  const saying = (text: string) => records.filter((record) => record.body.stringValue === text)
  const traceId = json.id.replaceAll('-', '')
  const [answered] = saying('request answered')
  expect(answered).toMatchObject({ severityText: 'info', traceId, spanId: request.spanId })
  expect(answered.attributes).toContainEqual({ key: 'requestId', value: { stringValue: headers.get('x-request-id') } })
  expect(saying('a run ended')).toMatchObject([{ traceId, spanId: run.spanId }])
  expect(saying('below the level')).toEqual([])
  expect(saying('something failed')[0].attributes).toContainEqual({
    key: 'exception.message',
    value: { stringValue: 'for the log' },
  })
  expect(sent.join('')).not.toContain('Mustermann')
})

test('exports that fail are told once, and once more when they fail after they have worked again', async () => {
  const answers = { status: 400 }
  const { server: endpoint } = collector(answers)
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const base = `http://user:hidden@127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  const told: [string, object, string][] = []
  const tell = (level: string) => (fields: object, message: string) => void told.push([level, fields, message])
  const log: Log = { debug: () => undefined, info: tell('info'), warn: tell('warn'), error: tell('error') }
  const ofExports = () => told.filter(([, , message]) => message.startsWith('OpenTelemetry'))

  const exporter = tellFailures(new OTLPTraceExporter({ url: `${base}/v1/traces` }), {
    ...{ what: 'traces', url: `${base}/v1/traces`, log },
  })
  for (const status of [200, 400, 400, 200, 200, 400]) {
    answers.status = status
    await new Promise((done) => exporter.export([], done))
  }
  expect(ofExports().map(([level, , message]) => `${level}: ${message}`)).toEqual([
    'warn: OpenTelemetry data cannot be exported, and is lost until this works again',
    'info: OpenTelemetry data is exported again',
    'warn: OpenTelemetry data cannot be exported, and is lost until this works again',
  ])
  expect(JSON.stringify(told)).not.toContain('hidden')

  // The traces of a server, and its logs.
  const logs = openLogs(`${base}/v1/logs`, log)
  const own = await openTestService({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${base}/v1/traces` }, log })
  told.length = 0
  await own.call('POST', '/v1/agent/execute', { body })
  await own[Symbol.asyncDispose]()
  logs.write('warn', {}, 'not accepted')
  await logs.close()
  endpoint.close()
  expect(ofExports().map(([level, fields]) => [level, fields])).toMatchObject([
    ['warn', { what: 'traces' }],
    ['warn', { what: 'logs' }],
  ])
})
