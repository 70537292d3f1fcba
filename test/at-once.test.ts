import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDatabase, makeEmptyDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { startMockModel } from './support/mock-model.ts'
import { startServer } from './support/server.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { lookAgain } from './support/until.ts'

const headers = { Authorization: 'Bearer the-key-of-the-operator', 'Content-Type': 'application/json' }

interface Seen {
  readonly id: string
  readonly status: string
}

test('a synchronous execution of a server that is killed is finished by the next server', async () => {
  const folder = await temporaryFolder('at-once')
  await using database = await makeEmptyDatabase()
  const asked = Promise.withResolvers<void>()
  await using model = await startMockModel({
    script: async (_request, number) => {
      // The second request is never answered.
      if (number === 2) {
        asked.resolve()
        await new Promise(() => {})
      }
      return { text: '{"total":144}' }
    },
  })
  const config = join(folder, 'config.json')
  const providers = { mock: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'mock-1' } }
  await writeFile(config, JSON.stringify({ providers, models: { 'mock/mock-1': { input: 1, output: 1 } } }))
  const env = {
    DATABASE_URL: urlOf(database.address),
    SKILLRUN_API_KEY: 'the-key-of-the-operator',
    SKILLRUN_CONFIG: config,
  }
  const start = async () => {
    const server = startServer(join(folder, 'data'), env)
    const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
    const read = async <T = Seen>(path: string) =>
      (await (await fetch(`${url}/v1/agent/executions${path}`, { headers })).json()) as T
    return { server, url, read }
  }
  const first = await start()
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const body = JSON.stringify({ batch: false, config: { prompt: 'What is the total?', json_schema: schema } })
  const execute = () => fetch(`${first.url}/v1/agent/execute`, { method: 'POST', headers, body })
  // The first synchronous request creates its agent.
  expect((await execute()).status).toBe(201)
  const cut = execute().catch(() => undefined)
  await asked.promise
  const [running] = await first.read<Seen[]>('')
  expect(running).toMatchObject({ status: 'running', attempts: 1 })
  const [row] = await database.db.query('select started_at = created_at as "atOnce" from executions where id = $1', [
    running?.id,
  ])
  expect(row).toEqual({ atOnce: true })
  await first.server.end('SIGKILL')
  await cut

  const next = await start()
  let record = await next.read(`/${running?.id}`)
  while (record.status === 'running' || record.status === 'enqueued') {
    record = await next.read(`/${running?.id}`)
    await lookAgain()
  }
  expect(record).toMatchObject({ status: 'completed', attempts: 2, response: { total: 144 } })
  await next.server.end()
})

test('a waiting call without a name or prompt also runs immediately: inputs alone are enough', async () => {
  await using database = await makeDatabase()
  await using service = await openTestService({ database })
  const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
  const note = { type: 'file_url', file_url: { url: `data:text/plain,${encodeURIComponent('Total: 144.00')}` } }
  const execute = async () => {
    const json = await service.execute({ inputs: { note }, config: { json_schema: schema } })
    expect(json).toMatchObject({ status: 'completed', response: { total: 144 } })
    const [row] = await database.db.query('select started_at = created_at as "atOnce" from executions where id = $1', [
      json.id,
    ])
    return row
  }
  // The first request creates the unnamed agent.
  await execute()
  expect(await execute()).toEqual({ atOnce: true })
})
