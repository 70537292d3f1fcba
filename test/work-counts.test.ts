import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { type MockModel, startMockModel } from './support/mock-model.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** What one execution costs the server: counts that do not depend on how busy the machine is. See `support/count-work.mjs`. */
interface Work {
  readonly statements: number
  readonly transactions: number
  /** Of statements and their params. */
  readonly databaseBytes: number
  /** Writes to sockets. */
  readonly databaseWrites: number
  readonly providerWrites: number
  readonly clientWrites: number
  /** Calls of `AbortSignal.timeout`, whose timers cannot be ended. */
  readonly deadlines: number
  /** Timers that are left. */
  readonly timers: number
}

type Statements = Readonly<Record<string, { count: number; bytes: number; transactions: number }>>
type Counted = Omit<Work, 'statements' | 'transactions' | 'databaseBytes'> & { readonly statements: Statements }

const key = 'the-key-of-this-test'
const calculation = { name: 'core_calculate', input: { formulas: ['3 * 48'] } }
const alone = {
  statements: 13,
  transactions: 5,
  databaseBytes: 5_000,
  providerWrites: 2.2,
  clientWrites: 1.2,
  deadlines: 0,
  timers: 0.5,
}
const among64 = {
  statements: 2,
  transactions: 1.2,
  databaseBytes: 4_000,
  databaseWrites: 1.6,
  providerWrites: 2.2,
  clientWrites: 1.2,
  deadlines: 0,
  timers: 0.5,
}
const among64Limited = { ...among64, statements: 3, transactions: 2, databaseBytes: 4_500, databaseWrites: 2.5 }
const usage = { inputTokens: 500, outputTokens: 50 }

const folder = await temporaryFolder('work', afterAll)
let database: TestDatabase
let model: MockModel
/** The model answers when this many of its calls wait, so that the same calls are always in flight together. */
let inFlight = 1

beforeAll(async () => {
  let waiting: (() => void)[] = []
  model = await startMockModel({
    script: async ({ results }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < inFlight) return
        for (const answer of waiting) answer()
        waiting = []
      })
      return results.length === 0 ? { toolCalls: [calculation], usage } : { text: '{"total":144}', usage }
    },
  })
  database = await makeDatabase()
})

afterAll(async () => {
  await model?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

/** A server that counts its work. */
interface CountingServer extends AsyncDisposable {
  readonly url: string
  /** What it has counted since its start. */
  counted(): Promise<Counted>
}

async function startCounting(limits: Readonly<Record<string, number>> = {}): Promise<CountingServer> {
  const config = join(folder, 'config.json')
  await writeFile(
    config,
    JSON.stringify({
      providers: { mock: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'mock-1' } },
      models: { 'mock/mock-1': { input: 0, output: 0, takes: ['text', 'tools'] } },
      limits: { requests_per_minute: 1_000_000, ...limits },
    }),
  )
  const server = startServer(join(folder, 'data'), {
    DATABASE_URL: urlOf(database.address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
    SKILLRUN_COUNT_WORK: '1',
    NODE_OPTIONS: `--import=${new URL('./support/count-work.mjs', import.meta.url).href}`,
  })
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  let asked = 0
  return {
    url,
    async counted() {
      asked += 1
      server.process.kill('SIGUSR2')
      const [, text = ''] = await server.printed(new RegExp(`(?:^work (\\{.*)\\n[^]*){${asked}}`, 'm'))
      return JSON.parse(text)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** One tool round with a JSON schema; resolves with the answer. */
function execute(url: string, agent: Agent): Promise<unknown> {
  const body = JSON.stringify({
    batch: false,
    config: {
      prompt: 'What do 3 boxes at 48.00 cost?',
      json_schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
      tool_names: ['core.calculate'],
    },
  })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/agent/execute`, { agent, method: 'POST', headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString()).response))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function rounds(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  for (let round = 0; round < count; round += 1) {
    const answers = await Promise.all(Array.from({ length: inFlight }, () => execute(url, agent)))
    expect(answers).toEqual(answers.map(() => ({ total: 144 })))
  }
  agent.destroy()
}

/**
 * What one execution costs when `count` are in flight together. Statements are left out that fewer than `rarest` of the
 * executions cause: those of timers, which are more on a busy machine.
 */
async function costOf(
  server: CountingServer,
  { count, times, rarest }: { count: number; times: number; rarest: number },
): Promise<Work> {
  inFlight = count
  // These open connections, prepare statements and fill caches.
  await rounds(server.url, 3)
  const before = await server.counted()
  await rounds(server.url, times)
  const after = await server.counted()
  const exactly = (now: number, then = 0) => (now - then) / (count * times)
  const each = (now: number, then = 0) => Number(exactly(now, then).toFixed(2))
  // Alone, an execution causes whole numbers of statements; the rest belongs to timers, or to the executions before and after.
  const ofOne = (now: number, then = 0) => (count === 1 ? Math.round(exactly(now, then)) : each(now, then))
  const own = Object.entries(after.statements).flatMap(([text, now]) => {
    const then = before.statements[text]
    const one = {
      text,
      statements: ofOne(now.count, then?.count),
      databaseBytes: each(now.bytes, then?.bytes),
      transactions: ofOne(now.transactions, then?.transactions),
    }
    return one.statements >= rarest ? [one] : []
  })
  if (process.env['SKILLRUN_SHOW_WORK']) for (const one of own) process.stderr.write(`${JSON.stringify(one)}\n`)
  const sum = (name: 'statements' | 'databaseBytes' | 'transactions') =>
    Number(own.reduce((all, one) => all + one[name], 0).toFixed(2))
  const names = ['databaseWrites', 'providerWrites', 'clientWrites', 'deadlines', 'timers'] as const
  const work: Work = {
    statements: sum('statements'),
    transactions: sum('transactions'),
    databaseBytes: sum('databaseBytes'),
    ...(Object.fromEntries(names.map((name) => [name, each(after[name], before[name])])) as Omit<
      Counted,
      'statements'
    >),
  }
  if (process.env['SKILLRUN_SHOW_WORK']) process.stderr.write(`${count} in flight: ${JSON.stringify(work)}\n`)
  return work
}

/** Figures above their ceilings. */
const above = (work: Work, ceilings: Partial<Work>) =>
  Object.entries(ceilings).flatMap(([name, ceiling]) => {
    const figure = work[name as keyof Work]
    return figure > ceiling ? [`${name}: ${figure}, at most ${ceiling}`] : []
  })

// Ceilings only fall: a change that lowers a figure lowers its ceiling. Those of 64 in flight have a margin: on a busy machine, fewer
// of them do the same at the same moment.

test('an execution does no more work than its ceilings, alone and among 64 in flight', async () => {
  await using server = await startCounting()
  const work = await costOf(server, { count: 1, times: 20, rarest: 0.5 })
  expect(above(work, alone)).toEqual([])
  expect(work.statements, 'lower the ceiling').toBeGreaterThanOrEqual(alone.statements)
  expect(above(await costOf(server, { count: 64, times: 4, rarest: 0.01 }), among64)).toEqual([])
})

test('a limit of running executions takes one lock for all that start together', async () => {
  await using server = await startCounting({ running_per_workspace: 1_000 })
  expect(above(await costOf(server, { count: 64, times: 4, rarest: 0.01 }), among64Limited)).toEqual([])
})
