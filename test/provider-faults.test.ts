import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatWire } from '../src/seams/models/trials/wires.ts'
import { openTestHouse, type TestHouse } from './house/house.ts'

const good = JSON.stringify(
  chatWire.answer({ text: '{"total":144}', usage: { inputTokens: 100, outputTokens: 10 } }, 1),
)
const json = { 'Content-Type': 'application/json' }

/** What a provider may do instead of answering. */
const faults: Record<string, (response: ServerResponse) => void> = {
  'a limit, with the moment to come back': (response) => response.writeHead(429, { 'Retry-After-Ms': '1' }).end('{}'),
  'a limit, and not a word': (response) => response.writeHead(429).end(),
  'a failure of its own': (response) => response.writeHead(500, json).end('{"error":{"message":"oh"}}'),
  'a gateway in front of it that has given up': (response) => response.writeHead(502).end('<html>Bad gateway</html>'),
  'an answer that is cut in the middle': (response) => {
    response.writeHead(200, { ...json, 'Content-Length': String(good.length) })
    response.write(good.slice(0, 100), () => response.destroy())
  },
  'an answer of unknown length that is cut in the middle': (response) => {
    response.writeHead(200, json)
    response.write(good.slice(0, 100), () => response.destroy())
  },
  'a connection that is cut before anything was said': (response) => response.destroy(),
  'half of an answer as if it were whole': (response) => response.writeHead(200, json).end(good.slice(0, 100)),
  'a page for people': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Hello</html>'),
  'nothing at all': (response) => response.writeHead(200, json).end(),
  'an answer of another kind': (response) => response.writeHead(200, json).end('{"choices":[]}'),
  'an answer without end': (response) => {
    response.writeHead(200, json)
    const more = (): void => {
      while (response.write(' '.repeat(1_000_000)));
      response.once('drain', more)
    }
    more()
  },
  silence: () => undefined,
  'an answer that begins and goes no further': (response) => {
    response.writeHead(200, json)
    response.write(good.slice(0, 100))
  },
}

/** Requests so far, by the fault that they name. */
const asked = new Map<string, number>()
const provider = createServer(async (request, response) => {
  const body = await text(request)
  const fault = Object.keys(faults).find((name) => body.includes(`[${name}]`)) ?? ''
  const count = (asked.get(fault) ?? 0) + 1
  asked.set(fault, count)
  if (count === 1 || body.includes('always')) faults[fault]?.(response)
  else response.writeHead(200, json).end(good)
})
let house: TestHouse
let folder: string

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    provider.listen(0, '127.0.0.1', resolve)
  })
  folder = await mkdtemp(join(tmpdir(), 'skillrun-faults-'))
  const file = join(folder, 'configuration.json')
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  await writeFile(
    file,
    JSON.stringify({
      providers: { mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small' } },
      // Whole micro-dollars a token: an answer costs 100 × 2 + 10 × 12.
      models: { 'mine/small': { input: 2_000_000, output: 12_000_000, takes: ['text', 'tools'] } },
      limits: { model_attempts: 2, model_call_ms: 3_000 },
    }),
  )
  house = await openTestHouse({ env: { SKILLRUN_CONFIG: file } })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  provider.closeAllConnections()
  provider.close()
  await rm(folder, { recursive: true, force: true })
})

async function execute(prompt: string) {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const body = { batch: false, config: { prompt, json_schema: schema } }
  return (await house.call('POST', '/v1/agent/execute', { body })).json
}

async function ledger(id: string) {
  const [row] = await house.database.db.query(
    `select coalesce(sum(micros) filter (where kind = 'reserve'), 0)::bigint = coalesce(sum(micros) filter (where kind <> 'reserve'), 0)::bigint as even,
       coalesce(sum(micros) filter (where kind = 'settle'), 0)::bigint as settled
     from ledger where execution_id = $1`,
    [id],
  )
  return row
}

describe.concurrent('a provider that gives', () => {
  test.each(Object.keys(faults))('%s is asked again, and paid for the answer alone', async (fault) => {
    const record = await execute(`[${fault}]`)
    expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed', response: { total: 144 } })
    expect(record.usage.standard_cost_dollars).toBe(0.00032)
    expect(asked.get(fault)).toBe(2)
    expect(await ledger(record.id)).toEqual({ even: true, settled: 320 })
  })
})

test('a provider that never answers well fails the execution in words, as one that may be tried again, and is paid nothing', async () => {
  for (const fault of ['an answer that is cut in the middle', 'a page for people', 'a limit, and not a word']) {
    const record = await execute(`always [${fault}]`)
    expect(record).toMatchObject({ status: 'failed', response: null, error: { retryable: true } })
    expect(record.error.message).toMatch(/^The model provider mine /)
    expect(await ledger(record.id)).toEqual({ even: true, settled: 0 })
  }
  const { error } = await execute('always [an answer without end]')
  expect(error.message).toBe('The model provider mine answered with more than 33554432 bytes')
})
