import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import type { JsonObject } from '../src/kit/json.ts'
import { disguisesOf } from '../test/house/disguises.ts'
import { judgeBy, type MadeUpRequest, requestsOf } from '../test/house/fuzz.ts'
import { send } from '../test/house/send.ts'

/**
 * How long the event loop of the API stands still at most while hostile requests come: made-up ones, the costliest JSON that is
 * taken, files and schemas that are made to hurt, URLs into the private network. Beside each, the same loop with nothing to do for
 * as long, ten seconds at most: what the machine itself adds.
 *
 *     node bench/hostile.ts [--requests 2000] [--seed 1] [--json FILE]
 *
 * The server is a process of its own and measures itself (`/metrics`, the largest delay since it was last asked).
 */
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
})
const key = 'the-key-of-the-benchmark'
const idleMsMax = 10_000
const folder = await mkdtemp(join(tmpdir(), 'skillrun-hostile-'))
const config = join(folder, 'config.json')
const generous = { requests_per_minute: 10_000_000, sync_wait_ms: 50, waiting_per_tier: 1_000_000 }
await writeFile(config, JSON.stringify({ limits: { ...generous, waiting_per_workspace: 1_000_000 } }))
const { child, url } = await start()
try {
  const document = JSON.parse((await ask('GET', '/openapi.json')).text) as JsonObject
  const judge = judgeBy(document)
  const rows: { battery: string; requests: number; worst: number; idle: number; failed: number }[] = []
  for (const [battery, requests] of Object.entries(batteriesOf(document))) {
    await largestDelayMs()
    const from = performance.now()
    let failed = 0
    for (const one of requests) {
      const { status, headers, text } = await ask(one.method, one.path, one.body, one.headers)
      const contentType = headers['content-type'] ?? ''
      const json = contentType.startsWith('application/json') ? JSON.parse(text) : text
      if (status >= 500 || (one.operation && judge(one.operation, { status, contentType, json }))) failed++
    }
    const worst = await largestDelayMs()
    await new Promise((resolve) => setTimeout(resolve, Math.min(idleMsMax, performance.now() - from)))
    rows.push({ battery, requests: requests.length, worst, idle: await largestDelayMs(), failed })
  }
  for (const { battery, requests, worst, idle, failed } of rows)
    process.stdout.write(
      `${battery.padEnd(24)} ${String(requests).padStart(6)} requests  ${String(failed).padStart(3)} wrong   ` +
        `stood still ${worst.toFixed(0).padStart(4)} ms at most, idle ${idle.toFixed(0).padStart(4)} ms\n`,
    )
  if (options.json) await writeFile(options.json, `${JSON.stringify({ seed: Number(options.seed), rows }, null, 2)}\n`)
} finally {
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
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
    numRuns: Number(options.requests),
    seed: Number(options.seed),
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
    'disguised URLs': disguisesOf(9).map((address) => execute({ inputs: { slot: address } })),
  }
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
  const { text } = await ask('GET', '/metrics')
  return Number(/^\w*eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    ...process.env,
    PORT: '0',
    SKILLRUN_DATA: join(folder, 'data'),
    SKILLRUN_CONFIG: config,
    SKILLRUN_API_KEY: key,
    SKILLRUN_SLOTS: 'priority=1,standard=1,flex=1',
    OLLAMA_BASE_URL: 'off',
  }
  const main = new URL('../src/main.ts', import.meta.url).pathname
  const server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const part of server.stdout) {
    output += String(part)
    const address = /Skillrun +(http:\S+)/.exec(output)?.[1]
    if (address) {
      server.stdout.resume()
      return { child: server, url: address }
    }
  }
  throw new Error('the server ended without printing its address')
}
