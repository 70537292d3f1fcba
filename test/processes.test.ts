import { describe, expect, test } from 'vitest'
import { limits } from '../packages/server/src/core/limits.ts'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { openHeldSource } from './support/held-source.ts'
import { lookAgain } from './support/until.ts'

const text = invoiceLines.join('\n')
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }

/** An API and as many workers as are started, on a separate database, and documents that are held back. */
async function openScene() {
  const database = await makeDatabase()
  const source = await openHeldSource(text)
  const cluster = await openCluster(database.address, { SKILLRUN_ALLOW_PRIVATE: source.host })
  const api = await cluster.start('api')
  const headers = { Accept: 'application/json' }
  const call = async (path: string, body?: object) => (await api.call(body ? 'POST' : 'GET', path, body, headers)).json
  return {
    database,
    source,
    cluster,
    call,
    execute: (inputs: object, batch = true) => call('/v1/agent/execute', { inputs, config, batch }),
    /** The record once it has ended, according to its stream of events. */
    async ended(id: string) {
      const events = await fetch(`${api.url}/v1/agent/executions/${id}/events`, {
        headers: { Authorization: `Bearer ${cluster.key}` },
      })
      await events.text()
      return call(`/v1/agent/executions/${id}`)
    },
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]()
      await source[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

// Mostly they wait for leases to lapse, each on its own database.
describe.concurrent('workers that are killed', { timeout: 240_000 }, () => {
  test('have their runs continued by others, with the recorded work kept', async () => {
    await using scene = await openScene()
    const { cluster, source, call } = scene
    const first = await cluster.start('worker')
    const { id } = await scene.execute({ file: source.url('slow'), note: source.url('early') })
    await source.asked('slow')
    await source.asked('early')
    source.letGo('early')
    while ((await call(`/v1/agent/executions/${id}/steps`)).length === 0) await lookAgain()
    const starting = cluster.start('worker', { SKILLRUN_WORKER_PORT: '0' })
    await first.kill()
    const second = await starting
    await source.asked('slow', 2)
    source.letGo('slow')
    expect(await scene.ended(id)).toMatchObject({ status: 'completed', attempts: 2 })
    const [, metrics = ''] = await second.server.printed(/Metrics +(\S+)/)
    const figures = await fetch(metrics, { headers: { Authorization: `Bearer ${cluster.key}` } })
    expect(await figures.text()).toContain('skillrun_runs_taken_over_total{tier="standard"} 1')
    expect(source.count('early')).toBe(1)
    const steps = await call(`/v1/agent/executions/${id}/steps`)
    expect(steps.map((step: { name: string; attempt: number }) => [step.name, step.attempt])).toEqual([
      ['document.read', 1],
      ['document.read', 2],
      ['embedded', 2],
    ])
  })

  test('or stopped gracefully hand over a long run, which continues elsewhere and counts as no crash', async () => {
    await using scene = await openScene()
    const { cluster, source, database } = scene
    const first = await cluster.start('worker')
    const { id } = await scene.execute({ file: source.url('long') })
    await source.asked('long')
    const second = await cluster.start('worker')
    expect(await first.server.end('SIGTERM')).toBe(0)
    expect(first.server.output()).toContain('Stopped.')
    await source.asked('long', 2)
    source.letGo('long')
    expect(await scene.ended(id)).toMatchObject({ status: 'completed', attempts: 2 })
    expect(await database.db.query('select lost_attempts as lost from executions where id = $1', [id])).toEqual([
      { lost: {} },
    ])
    expect(second.server.process.exitCode).toBe(null)
  })

  test(`${limits.crashesMax} times by one run make it fail as poison, and the next one lives`, async () => {
    await using scene = await openScene()
    const { cluster, source } = scene
    const { id } = await scene.execute({ file: source.url('poison') })
    for (let death = 1; death <= limits.crashesMax; death++) {
      const worker = await cluster.start('worker')
      await source.asked('poison', death)
      await worker.kill()
    }
    const survivor = await cluster.start('worker')
    const record = await scene.ended(id)
    expect(record).toMatchObject({ status: 'failed', error: { code: 'poison', retryable: false } })
    expect(source.count('poison')).toBe(limits.crashesMax)
    expect((await scene.execute({ text }, false)).status).toBe('completed')
    expect(survivor.server.process.exitCode).toBe(null)
  })

  test(`on ${limits.crashesMax} machines make it poison too: it waits until their fate is known, and crashes no further one`, async () => {
    await using scene = await openScene()
    const { cluster, source, call, database } = scene
    const { db } = database
    const { id } = await scene.execute({ file: source.url('poison') })
    for (let death = 1; death <= limits.crashesMax; death++) {
      const worker = await cluster.start('worker')
      await source.asked('poison', death)
      // For later processes, every process so far ran on a different machine.
      await db.query(`update processes set host = 'machine ' || id`)
      await worker.kill()
    }
    await cluster.start('worker')
    const missing = async () => (await db.query('select 1 from processes where missing_since is not null')).length
    await expect.poll(missing, { timeout: 60_000 }).toBe(limits.crashesMax)
    await expect
      .poll(async () => (await call(`/v1/agent/executions/${id}`)).status, { timeout: 60_000 })
      .toBe('enqueued')
    expect(source.count('poison')).toBe(limits.crashesMax)
    // Other work of the workspace is not delayed meanwhile.
    expect((await scene.execute({ text }, false)).status).toBe('completed')
    // The minute is over.
    await db.query('update processes set missing_since = $1 where missing_since is not null', [new Date(0)])
    await db.query(`update pgboss.job_common set start_after = now() where state in ('created', 'retry')`)
    expect(await scene.ended(id)).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(source.count('poison')).toBe(limits.crashesMax)
  })

  test('but record a step each time never make it poison', async () => {
    await using scene = await openScene()
    const { cluster, source } = scene
    const names = Array.from({ length: limits.crashesMax + 1 }, (_, number) => `page ${number}`)
    const { id } = await scene.execute(Object.fromEntries(names.map((name) => [name, source.url(name)])))
    const steps = async (): Promise<number> => (await scene.call(`/v1/agent/executions/${id}/steps`)).length
    for (const [number, name] of names.slice(0, -1).entries()) {
      const worker = await cluster.start('worker')
      await source.asked(names.at(-1) ?? '', number + 1)
      source.letGo(name)
      await expect.poll(steps, { timeout: 60_000 }).toBe(number + 1)
      await worker.kill()
    }
    await cluster.start('worker')
    await source.asked(names.at(-1) ?? '', limits.crashesMax + 1)
    source.letGo(names.at(-1) ?? '')
    expect(await scene.ended(id)).toMatchObject({ status: 'completed', attempts: limits.crashesMax + 1 })
  })

  test('are distinguished from stalled ones: a run that stalls in many of them completes', async () => {
    await using scene = await openScene()
    const { cluster, source } = scene
    const { id } = await scene.execute({ file: source.url('held') })
    for (let stalled = 1; stalled <= limits.crashesMax + 1; stalled++) {
      const worker = await cluster.start('worker')
      await source.asked('held', stalled)
      worker.server.process.kill('SIGSTOP')
    }
    await cluster.start('worker')
    await source.asked('held', limits.crashesMax + 2)
    source.letGo('held')
    expect(await scene.ended(id)).toMatchObject({ status: 'completed', attempts: limits.crashesMax + 2 })
  })

  test('do not include stalled ones: one that continues after a takeover writes nothing, and goes on to other work', async () => {
    await using scene = await openScene()
    const { cluster, source, call, database } = scene
    const sleeper = await cluster.start('worker')
    const ids: string[] = []
    for (let number = 0; number < 4; number++)
      ids.push((await scene.execute({ file: source.url(`held ${number}`) })).id)
    for (let number = 0; number < 4; number++) await source.asked(`held ${number}`)
    const other = cluster.start('worker')
    sleeper.server.process.kill('SIGSTOP')
    const second = await other
    for (let number = 0; number < 4; number++) await source.asked(`held ${number}`, 2)
    // Both get the documents at the same moment.
    sleeper.server.process.kill('SIGCONT')
    for (let number = 0; number < 4; number++) source.letGo(`held ${number}`)
    for (const id of ids) {
      expect(await scene.ended(id)).toMatchObject({ status: 'completed', attempts: 2 })
      const events = await call(`/v1/agent/executions/${id}/events`)
      const told = events.map((one: { data: { status?: string; name?: string } }) => one.data.status ?? one.data.name)
      expect(told).toEqual(['enqueued', 'running', 'running', 'document.read', 'embedded', 'completed'])
      const steps = await call(`/v1/agent/executions/${id}/steps`)
      expect(steps.map((step: { attempt: number }) => step.attempt)).toEqual([2, 2])
    }
    await second.kill()
    expect((await scene.execute({ text }, false)).status).toBe('completed')
    const doubled = await database.db.query(
      `select id from executions where jsonb_array_length(jsonb_path_query_array(moves, '$[*] ? (@.status == "completed")')) <> 1`,
    )
    expect(doubled).toEqual([])
  })
})
