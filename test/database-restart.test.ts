import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { openCluster } from './support/cluster.ts'
import { startServer } from './support/server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { lookAgain } from './support/until.ts'

const key = 'the-key-of-the-cluster'
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] }

/** The reply, or undefined when the connection was dropped. */
async function call(url: string, body?: unknown): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Executes with its own id, retrying until it is accepted, as a client would; returns the refusals. */
async function submit(url: string): Promise<{ id: string; refusals: number[] }> {
  const id = newId(new Date())
  const inputs = { note: { type: 'text', text: `Receipt\nReceipt No: ${id}\nTotal: EUR 12.50\n` } }
  const body = { id, inputs, config: { prompt: 'Extract the total of this receipt', json_schema: schema } }
  const refusals: number[] = []
  for (;;) {
    const answer = await call(`${url}/v1/agent/execute`, body)
    if (answer?.status === 201) return { id, refusals }
    if (answer) refusals.push(answer.status)
    await lookAgain()
  }
}

/** The record once it has ended: the stream of events ends with it, or with the database, and is then reopened. */
async function ended(url: string, id: string) {
  for (;;) {
    await call(`${url}/v1/agent/executions/${id}/events`)
    const answer = await call(`${url}/v1/agent/executions/${id}`)
    const record = answer?.status === 200 ? JSON.parse(answer.text) : undefined
    if (record?.status === 'completed' || record?.status === 'failed') return record
    await lookAgain()
  }
}

/** Submits from several clients while the database is stopped `stops` times; returns all accepted ids. */
async function loadWhile(url: string, stops: number, stop: () => Promise<void>): Promise<string[]> {
  const accepted: string[] = []
  const refusals = new Set<number>()
  const perClient = 8
  const clients = Array.from({ length: 4 }, async () => {
    for (let number = 0; number < perClient; number++) {
      const { id, refusals: heard } = await submit(url)
      accepted.push(id)
      for (const status of heard) refusals.add(status)
      const due = Math.floor((accepted.length * (stops + 1)) / (4 * perClient))
      if (due > stopped && stopped < stops) {
        stopped += 1
        await stop()
      }
    }
  })
  let stopped = 0
  await Promise.all(clients)
  expect(stopped).toBe(stops)
  // Refusals must be temporary, and never blame the client.
  expect([...refusals].filter((status) => status !== 503)).toEqual([])
  return accepted
}

/** Immediate shutdown: every process of the database ends, and the next start replays its log. */
async function stopAtOnce(dataFolder: string): Promise<void> {
  const text = await readFile(join(dataFolder, 'postgres', 'data', 'postmaster.pid'), 'utf8')
  process.kill(Number(text.split('\n')[0]), 'SIGQUIT')
}

describe.concurrent('a database that shuts down immediately under load', { timeout: 240_000 }, () => {
  test('embedded: the server restarts it, and everything accepted ends once, without help', async ({
    onTestFinished,
  }) => {
    // Of this test: the other one ends while this one runs.
    const folder = await temporaryFolder('restart', onTestFinished)
    {
      await using server = startServer(folder, { SKILLRUN_API_KEY: key })
      const url = (await server.printed(/Skillrun +(http:\S+)/))[1] ?? ''
      await server.printed(/completed: 1 page/)
      const accepted = await loadWhile(url, 2, () => stopAtOnce(folder))
      for (const id of accepted) {
        expect(await ended(url, id)).toMatchObject({ status: 'completed', response: { total: 12.5 } })
        const events = await call(`${url}/v1/agent/executions/${id}/events`)
        expect(events?.text.match(/"status":"completed"/g)).toHaveLength(1)
      }
      expect(await server.end('SIGTERM')).toBe(0)
    }
  })

  test('external: API and workers continue when it is back, and everything accepted ends once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-restart-'))
    const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
    {
      await using cluster = await openCluster(database.address)
      const [api] = await Promise.all([cluster.start('api'), cluster.start('worker'), cluster.start('worker')])
      const accepted = await loadWhile(api.url, 3, () => stopAtOnce(folder))
      for (const id of accepted) expect(await ended(api.url, id)).toMatchObject({ status: 'completed' })
      const db = await connect({ ...database, clock: systemClock, log: silentLog, connectionsMax: 1 })
      const ends = `jsonb_array_length(jsonb_path_query_array(moves, '$[*] ? (@.status == "completed")'))`
      const [counted] = await db.query(
        `select count(*) filter (where ${ends} = 1) as once, count(*) as all from executions where id = any($1)`,
        [accepted],
      )
      await db.close()
      expect(counted).toEqual({ once: accepted.length, all: accepted.length })
    }
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  })
})
