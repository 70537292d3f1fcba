import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { type Cluster, type Member, openCluster } from './support/cluster.ts'
import { makeDatabase, type TestDatabase } from './support/database.ts'
import { type MockRequest, startMockModel, toolThenAnswer } from './support/mock-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const runsCount = 4
const patience = { interval: 200, timeout: 120_000 }
/** A turn takes two leases, so that a lease lapses within it without heartbeats. */
const turnMs = limits.leaseMs * 2
/** How long heartbeats stop: longer than any lease. */
const silentMs = limits.leaseMs + 2_000

const schema = {
  type: 'object',
  properties: { total: { type: ['number', 'null'] } },
  required: ['total'],
  additionalProperties: false,
}

/** A cluster whose model takes `turnMs` per turn: one tool call, then the answer. */
async function openScene({ onTestFinished }: TestContext) {
  const database = await makeDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const script = toolThenAnswer({ total: 12.5 })
  const calls = new Map<string, number>()
  let answers = 0
  const model = await startMockModel({
    delayMs: turnMs,
    onAnswered: () => {
      answers += 1
    },
    script(request) {
      const turn = `${idIn(request)} ${request.results.length + 1}`
      calls.set(turn, (calls.get(turn) ?? 0) + 1)
      return script(request)
    },
  })
  onTestFinished(() => model[Symbol.asyncDispose]())
  const folder = await temporaryFolder('leases', onTestFinished)
  const config = join(folder, 'configuration.json')
  const facts = { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text', 'tools'] }
  await writeFile(
    config,
    JSON.stringify({
      providers: { mock: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'mock-1' } },
      models: { 'mock/mock-1': facts },
    }),
  )
  const cluster = await openCluster(database.address, { SKILLRUN_CONFIG: config, SKILLRUN_SLOTS: 'standard=8' })
  onTestFinished(() => cluster[Symbol.asyncDispose]())
  return { database, cluster, calls, asked: () => model.requests.length, answered: () => answers }
}

const idIn = ({ text }: MockRequest): string => /Receipt No: ([-0-9a-f]{36})/.exec(text)?.[1] ?? ''

async function accept(cluster: Cluster, { url }: Member): Promise<string[]> {
  const ids = Array.from({ length: runsCount }, () => newId(new Date()))
  for (const id of ids) {
    const response = await fetch(`${url}/v1/agent/execute`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        id,
        inputs: { note: { type: 'text', text: `Receipt\nReceipt No: ${id}\nTotal: EUR 12.50\n` } },
        config: { prompt: 'Extract the total of this receipt', json_schema: schema },
      }),
    })
    expect(response.status).toBe(201)
  }
  return ids
}

/** Resolves when `query`, which returns one row with a column `ok`, returns true. */
const until = (db: Db, query: string, params: readonly unknown[] = []): Promise<void> =>
  expect.poll(async () => (await db.query<{ ok: boolean }>(query, params))[0]?.ok, patience).toBe(true)

const heartbeatsStopped = ({ db }: TestDatabase) =>
  until(
    db,
    `select max(heartbeat_on) < now() - $1 * interval '1 millisecond' as ok from pgboss.job_common where state = 'active'`,
    [silentMs],
  )

async function ends({ db }: TestDatabase, ids: readonly string[]) {
  await until(
    db,
    `select count(*) = 0 as ok from executions where id = any($1) and status not in ('completed', 'failed')`,
    [ids],
  )
  return db.query<{ status: string; code: string | null; attempt: number }>(
    `select status, error->>'code' as code, attempt from executions where id = any($1)`,
    [ids],
  )
}

/** How often each turn of the model was requested. */
const timesPaid = (calls: ReadonlyMap<string, number>) => [...calls.values()].sort()

describe.concurrent('a process whose heartbeats stop for longer than a lease', { timeout: 240_000 }, () => {
  test('continues its runs after a stop, if nobody took them over: nothing is paid again', async (context) => {
    const { database, cluster, calls, asked } = await openScene(context)
    const server = await cluster.start('all')
    const ids = await accept(cluster, server)
    await expect.poll(asked, patience).toBe(runsCount)
    server.server.process.kill('SIGSTOP')
    await heartbeatsStopped(database)
    server.server.process.kill('SIGCONT')
    const done = { status: 'completed', code: null, attempt: 1 }
    expect(await ends(database, ids)).toEqual(ids.map(() => done))
    expect(timesPaid(calls)).toEqual(Array(runsCount * 2).fill(1))
  })

  test('continues them once when its jobs were returned meanwhile, and keeps their new leases', async (context) => {
    const { database, cluster, calls, asked } = await openScene(context)
    const api = await cluster.start('api')
    const worker = await cluster.start('worker')
    const ids = await accept(cluster, api)
    await expect.poll(asked, patience).toBe(runsCount)
    worker.server.process.kill('SIGSTOP')
    await until(database.db, `select count(*) = $1 as ok from pgboss.job_common where state = 'retry'`, [runsCount])
    // Otherwise it might judge the worker's leases again.
    await api.kill()
    worker.server.process.kill('SIGCONT')
    const done = { status: 'completed', code: null, attempt: 2 }
    expect(await ends(database, ids)).toEqual(ids.map(() => done))
    // The call in flight is repeated; the one after it is made once.
    expect(timesPaid(calls)).toEqual([...Array(runsCount).fill(1), ...Array(runsCount).fill(2)])
  })

  test("continues them after a database outage, and keeps the model's answers of that time", async (context) => {
    const { database, cluster, calls, asked, answered } = await openScene(context)
    const line = await openLine(context, database)
    const server = await cluster.start('all', { DATABASE_URL: line.url })
    const ids = await accept(cluster, server)
    await expect.poll(asked, patience).toBe(runsCount)
    line.cut()
    await heartbeatsStopped(database)
    // The connection stays cut until the model has answered, so that the answers cannot be stored.
    await expect.poll(answered, patience).toBe(runsCount)
    line.restore()
    const done = { status: 'completed', code: null, attempt: 1 }
    expect(await ends(database, ids)).toEqual(ids.map(() => done))
    expect(timesPaid(calls)).toEqual(Array(runsCount * 2).fill(1))
  })
})

/** A database connection that can be cut. */
async function openLine({ onTestFinished }: TestContext, { address }: TestDatabase) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((from) => {
    if (isCut) {
      from.destroy()
      return
    }
    const to = connectSocket(join(address.host, `.s.PGSQL.${address.port}`))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `postgres://${address.user}:${address.password}@127.0.0.1:${(server.address() as AddressInfo).port}/${address.database}`,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
  }
}
