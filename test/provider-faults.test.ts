import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatWire } from '../packages/server/src/adapters/models/testing/wires.ts'
import { openTestService, type TestService } from './support/service.ts'

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

/** Impossible usage; each comes with a valid answer. */
const impossibleUsage: Record<string, object | null> = {
  'negative tokens': { prompt_tokens: -5_000_000, completion_tokens: -7_000_000 },
  'negative tokens of the output alone': { prompt_tokens: 100, completion_tokens: -7_000_000 },
  'more tokens than a call can have': { prompt_tokens: 100, completion_tokens: 9_000_000_000 },
  'a fraction of a token': { prompt_tokens: 100.5, completion_tokens: 10 },
  'more cached input than input': {
    prompt_tokens: 100,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 5_000 },
  },
  'no tokens at all': { prompt_tokens: 0, completion_tokens: 0 },
  'no usage': null,
}

/** Requests so far, by the fault that they name. */
const asked = new Map<string, number>()
const provider = createServer(async (request, response) => {
  const body = await text(request)
  const usage = Object.keys(impossibleUsage).find((name) => body.includes(`[${name}]`))
  if (usage !== undefined) {
    response.writeHead(200, json).end(JSON.stringify({ ...JSON.parse(good), usage: impossibleUsage[usage] }))
    return
  }
  const fault = Object.keys(faults).find((name) => body.includes(`[${name}]`)) ?? ''
  const count = (asked.get(fault) ?? 0) + 1
  asked.set(fault, count)
  if (count === 1 || body.includes('always')) faults[fault]?.(response)
  else response.writeHead(200, json).end(good)
})
let service: TestService

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    provider.listen(0, '127.0.0.1', resolve)
  })
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  service = await openTestService({
    file: {
      providers: { mine: { kind: 'openai-compatible', base_url: baseUrl, fast: 'small' } },
      // Whole micro-dollars per token: an answer costs 100 × 2 + 10 × 12.
      models: { 'mine/small': { input: 2_000_000, output: 12_000_000, takes: ['text', 'tools'] } },
      limits: { model_attempts: 2, model_call_ms: 3_000 },
    },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider.closeAllConnections()
  provider.close()
})

async function execute(prompt: string) {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  return service.execute({ config: { prompt, json_schema: schema } })
}

async function ledger(id: string) {
  const [row] = await service.database.db.query<{ even: boolean; settled: number; reserved: number }>(
    `select coalesce(sum(micros) filter (where kind = 'reserve'), 0)::bigint = coalesce(sum(micros) filter (where kind <> 'reserve'), 0)::bigint as even,
       coalesce(sum(micros) filter (where kind = 'settle'), 0)::bigint as settled,
       coalesce(sum(micros) filter (where kind = 'reserve'), 0)::bigint as reserved
     from ledger where execution_id = $1`,
    [id],
  )
  return row ?? { even: false, settled: 0, reserved: 0 }
}

describe.concurrent('a provider that returns', () => {
  test.each(Object.keys(faults))('%s is retried, and paid for the answer only', async (fault) => {
    const record = await execute(`[${fault}]`)
    expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed', response: { total: 144 } })
    expect(record.usage.standard_cost_dollars).toBe(0.00032)
    expect(asked.get(fault)).toBe(2)
    expect(await ledger(record.id)).toMatchObject({ even: true, settled: 320 })
  })
})

describe.concurrent('a provider that reports', () => {
  test.each(Object.keys(impossibleUsage))(
    '%s is paid the upper limit of the call, and the record says so',
    async (usage) => {
      const record = await execute(`[${usage}]`)
      expect(record, JSON.stringify(record.error)).toMatchObject({ status: 'completed', response: { total: 144 } })
      const { settled, reserved, even } = await ledger(record.id)
      expect(even).toBe(true)
      // 4,096 tokens of output at $12 per million, plus the input.
      expect(settled).toBeGreaterThan(4_096 * 12)
      expect(settled).toBeLessThanOrEqual(reserved)
      expect(record.usage.cost_dollars).toBe(settled / 1e6)
      expect(record.warnings).toEqual([
        {
          code: 'usage_implausible',
          path: '',
          message: expect.stringMatching(
            /^mock-1-2026-01-01 reported missing or impossible token usage: the call is counted at the upper limit/,
          ),
        },
      ])
    },
  )
})

test('a provider that never answers properly fails the execution with a message, as retryable, and is paid nothing', async () => {
  for (const fault of ['an answer that is cut in the middle', 'a page for people', 'a limit, and not a word']) {
    const record = await execute(`always [${fault}]`)
    expect(record).toMatchObject({ status: 'failed', response: null, error: { retryable: true } })
    expect(record.error.message).toMatch(/^The model provider mine /)
    expect(await ledger(record.id)).toMatchObject({ even: true, settled: 0 })
  }
  const { error } = await execute('always [an answer without end]')
  expect(error.message).toBe('The model provider mine sent a reply of more than 33554432 bytes')
})
