import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import fc from 'fast-check'
import type { JsonObject } from '../packages/core/src/json.ts'
import { disguisesOf } from '../test/support/disguises.ts'
import { judgeBy, type MadeUpRequest, nastyTexts, requestsOf } from '../test/support/fuzz.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { oddities } from '../test/support/oddities.ts'
import { send } from '../test/support/send.ts'
import { bodySchemaOf, operationsOf } from '../test/support/slots.ts'
import { hidden, lines, smuggled } from '../test/support/smuggled.ts'
import { writeEntries } from '../test/support/zips.ts'
import { startMain } from './child.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'

/**
 * The longest delay of the API's event loop under hostile requests: random ones, texts and JSON that have broken other
 * parsers, the costliest accepted JSON, malicious files, archives and schemas, URLs into the private network, ambiguous
 * keys and lengths, clients that never finish, and a model that answers with tens of thousands of small objects. For
 * comparison, each has the same loop idle for the same time, at most ten seconds: the noise of the machine. Takes about
 * a minute on an idle machine.
 *
 *     node bench/hostile.ts [--requests 2000] [--seed 1]
 *
 * The server is a separate process and measures itself: `/metrics` has the largest delay since the previous request,
 * and `loop-cpu.mjs` the CPU time of one turn, which other load hardly affects.
 */
const options = optionsOf({ requests: 2000, seed: 1 })
const key = 'the-key-of-the-benchmark'
const idleMsMax = 10_000
const largeAnswers = 5
await using folder = await openFolder('hostile')
const generous = { requests_per_minute: 10_000_000, sync_wait_ms: 50, waiting_per_tier: 1_000_000 }
const manyItems = { items: Array.from({ length: 50_000 }, (_, n) => ({ id: n, name: `item ${n}` })) }
await using model = await startMockModel({ script: () => ({ text: JSON.stringify(manyItems) }) })
const config = await folder.write('config.json', {
  limits: { ...generous, waiting_per_workspace: 1_000_000 },
  providers: { mock: { kind: 'openai-compatible', base_url: model.baseUrl } },
  routes: { 'svc-agent-1:pro': 'mock/one' },
  models: { 'mock/one': { takes: ['text'] } },
})
const { url, process: child } = await startMain(
  folder.pathOf('data'),
  {
    SKILLRUN_BENCH_LOOP: 'cpu',
    SKILLRUN_CONFIG: config,
    SKILLRUN_API_KEY: key,
    SKILLRUN_SLOTS: 'priority=1,standard=1,flex=1',
  },
  ['--import', new URL('loop-cpu.mjs', import.meta.url).href],
)
try {
  const document = JSON.parse((await ask('GET', '/openapi.json')).text) as JsonObject
  const judge = judgeBy(document)
  const rows: { battery: string; requests: number; worst: number; cpu: number; idle: number; failed: number }[] = []
  const [load = 0] = loadavg()
  const measured = async (battery: string, requests: number, run: () => Promise<number>): Promise<void> => {
    await largestDelayMs()
    await mostCpuMs()
    const from = performance.now()
    const failed = await run()
    const worst = await largestDelayMs()
    const cpu = await mostCpuMs()
    await new Promise((resolve) => setTimeout(resolve, Math.min(idleMsMax, performance.now() - from)))
    rows.push({ battery, requests, worst, cpu, idle: await largestDelayMs(), failed })
  }
  const asked = async (requests: readonly Shot[]): Promise<number> => {
    let failed = 0
    for (const one of requests) {
      const { status, headers, text } = await ask(one.method, one.path, one.body, one.headers)
      const contentType = headers['content-type'] ?? ''
      const json = contentType.startsWith('application/json') ? JSON.parse(text) : text
      if (status >= 500 || (one.operation && judge(one.operation, { status, contentType, json }))) failed++
    }
    return failed
  }
  for (const [battery, requests] of Object.entries(batteriesOf(document)))
    await measured(battery, requests.length, () => asked(requests))
  await answerLarge()
  await measured('large answers', largeAnswers, async () => {
    let failed = 0
    for (let n = 0; n < largeAnswers; n++) if (!(await answerLarge())) failed++
    return failed
  })
  const conversations = rawConversations()
  await measured('keys, lengths, slow ones', conversations.length, () => spoken(conversations))
  for (const { battery, requests, worst, cpu, idle, failed } of rows)
    process.stdout.write(
      `${battery.padEnd(24)} ${String(requests).padStart(6)} requests  ${String(failed).padStart(3)} wrong   ` +
        `stood still ${worst.toFixed(0).padStart(4)} ms at most, ${cpu.toFixed(0).padStart(4)} ms of its own CPU, idle ${idle.toFixed(0).padStart(4)} ms\n`,
    )
  const cores = availableParallelism()
  if (load > cores / 2)
    process.stdout.write(`The machine was busy (load ${load.toFixed(1)} on ${cores} cores): run it again in quiet.\n`)
} finally {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
}

/** Has the model answer with tens of thousands of small objects, and reads the record. Returns whether it was answered. */
async function answerLarge(): Promise<boolean> {
  const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const json_schema = { type: 'object', properties: { items: { type: 'array', items: item } } }
  const body = {
    model: 'svc-agent-1:pro',
    inputs: { text: 'item 1' },
    config: { prompt: 'List the items', json_schema },
  }
  const made = await ask('POST', '/v1/agent/execute', JSON.stringify(body))
  const { id } = JSON.parse(made.text) as { id: string }
  for (;;) {
    const { text } = await ask('GET', `/v1/agent/executions/${id}`)
    const status = /"status":"(completed|failed)"/.exec(text)?.[1]
    if (status) return status === 'completed'
    await new Promise((again) => setTimeout(again, 100))
  }
}

interface Shot {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly operation?: MadeUpRequest['operation']
}

function batteriesOf(document: JsonObject): Readonly<Record<string, readonly Shot[]>> {
  const execute = (body: unknown): Shot => ({
    method: 'POST',
    path: '/v1/agent/execute',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const madeUp = fc.sample(requestsOf(document, [crypto.randomUUID()]), {
    numRuns: options.requests,
    seed: options.seed,
  })
  const names = Object.fromEntries(Array.from({ length: 49_000 }, (_, n) => [`name ${n}`, n]))
  const data = (type: string, bytes: Buffer) => ({
    inputs: { slot: `data:${type};base64,${bytes.toString('base64')}` },
    config: { prompt: 'Extract the total' },
  })
  const huge = Buffer.from('89504e470d0a1a0a0000000d49484452ffffff00ffffff000806000000', 'hex')
  const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  return {
    'made-up requests': madeUp.map(({ operation, path, headers, body }) => ({
      ...{ method: operation.method, path, headers, body, operation },
    })),
    'texts, JSON oddities': [
      ...nastyTexts.map((text) =>
        execute({ inputs: { [text || 'x']: text }, config: { prompt: text }, metadata: { session_id: text } }),
      ),
      ...operationsOf(document)
        .filter(({ method, operation }) => method !== 'GET' && bodySchemaOf(operation) !== undefined)
        .flatMap(({ method, path }) =>
          oddities.map(([, body]) => ({ method, path: path.replaceAll(/\{\w+\}/g, crypto.randomUUID()), body })),
        ),
    ],
    'the costliest JSON': [
      execute({ inputs: { value: names } }),
      execute({ inputs: { text: 'a'.repeat(15 * 1024 * 1024) } }),
      execute({ inputs: { text: '\u0001'.repeat(2 * 1024 * 1024) } }),
      execute(`{"inputs":{"a":${'['.repeat(199)}${']'.repeat(199)}}}`),
      execute('['.repeat(10_000_000)),
      execute(`{"inputs":{"a":[${'0,'.repeat(95_000)}0]}}`),
      execute(`{"config":{"json_schema":{"enum":[${'"x",'.repeat(90_000)}"y"]}}}`),
    ],
    'hostile files, schemas': [
      execute(data('image/png', huge)),
      execute(data('application/pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000_000, '<')]))),
      execute(data('text/csv', Buffer.alloc(8_000_000, ',"'))),
      execute(data('text/html', Buffer.alloc(8_000_000, '<a>'))),
      execute(data('application/zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(1_000_000, 0xff)]))),
      execute({ inputs: { text: `a: ${'a'.repeat(40)}!` }, config: { json_schema: pattern } }),
    ],
    archives: archives().map((zip) => execute(data('application/zip', zip))),
    'disguised URLs': disguisesOf(9).map((address) => execute({ inputs: { slot: address } })),
  }
}

/** Zips that unpack to too much, have too many entries, or are no zips. */
function archives(): Buffer[] {
  const zeros = Buffer.alloc(20_000_000)
  const bomb = writeEntries([{ name: 'a.txt', bytes: zeros, method: 8 }])
  const many = Array.from({ length: 20_000 }, (_, n) => ({ name: `${n}.txt`, bytes: 'a' }))
  return [
    bomb,
    writeEntries(
      Array.from({ length: 200 }, (_, n) => ({ name: `${n}.txt`, sharesDataOf: 0, bytes: zeros, method: 8 })),
    ),
    writeEntries([{ name: 'inner.zip', bytes: writeEntries([{ name: 'inner.zip', bytes: bomb }]) }]),
    writeEntries(many),
    writeEntries([{ name: '../a.txt', bytes: 'a' }]),
    writeEntries([{ name: `${'a/'.repeat(5_000)}b.txt`, bytes: 'a' }]),
    writeEntries([{ name: 'a.txt', bytes: 'a', says: { unpacked: 0xfffffff0 } }]),
  ]
}

/** Raw bytes for a socket. A 5xx answer fails the run. Unfinished requests stay open until all others are done. */
function rawConversations(): readonly { readonly bytes: string; readonly isOpen?: true }[] {
  const head = (...more: string[]) =>
    lines('POST /v1/agent/execute HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, ...more)
  const json = 'Content-Type: application/json'
  const wrongKeys = [
    'Authorization: Bearer x',
    'Authorization: Basic eDp5',
    `X-Api-Key: ${key}`,
    'Authorization: Bearer',
  ]
  const slow = [
    head('X-Slow: '),
    head(json, 'Content-Length: 1000000', '', '{"inputs":'),
    head(json, 'Transfer-Encoding: chunked', '', '5', '{"in'),
  ]
  return [
    ...Array.from({ length: 200 }, (_, n) => ({ bytes: slow[n % slow.length] ?? '', isOpen: true as const })),
    ...smuggled.map(([, request]) => ({ bytes: request(key) })),
    ...wrongKeys.map((header) => ({
      bytes: lines('GET /v1/files HTTP/1.1', 'Host: x', header, 'Connection: close', '', ''),
    })),
    { bytes: `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n\r\n` },
    { bytes: hidden(key).repeat(2_000) },
  ]
}

async function spoken(conversations: ReturnType<typeof rawConversations>): Promise<number> {
  const { hostname, port } = new URL(url)
  const open: Socket[] = []
  let failed = 0
  for (const { bytes, isOpen } of conversations) {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')))
    let heard = ''
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      heard += part.toString('latin1')
    })
    if (isOpen) open.push(socket)
    else {
      socket.setTimeout(300, () => socket.destroy())
      // A closed connection is an answer too.
      await new Promise((closed) => socket.once('close', closed))
      if (/HTTP\/1\.1 5\d\d /.test(heard)) failed++
    }
  }
  for (const socket of open) socket.destroy()
  return failed
}

async function ask(
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
) {
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return send(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json', ...content, ...headers },
    body,
  })
}

async function largestDelayMs(): Promise<number> {
  for (;;) {
    // On a separate connection, because the one of a refused body may be closing.
    const { text } = await ask('GET', '/metrics', undefined, { Connection: 'close' })
    const ms = Number(/^\w*eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000
    // Behind other requests this may be refused once.
    if (Number.isFinite(ms)) return ms
  }
}

/** The maximum CPU milliseconds of one turn of the loop since the previous call. */
async function mostCpuMs(): Promise<number> {
  child.send('most')
  const [ms] = (await once(child, 'message')) as [number]
  return ms
}
