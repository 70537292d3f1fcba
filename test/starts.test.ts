import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { findEmbedded, startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { openCluster } from './support/cluster.ts'
import { makeDatabase, makeEmptyDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

test('concurrent first starts on an empty database migrate it once, create one workspace and one key, and all run', async () => {
  await using database = await makeEmptyDatabase()
  await using cluster = await openCluster(database.address, { SKILLRUN_API_KEY: '' })
  const [one, two, three] = await Promise.all([
    cluster.start('api'),
    cluster.start('api'),
    cluster.start('api'),
    cluster.start('worker'),
    cluster.start('worker'),
  ])
  const keys = [one, two, three].flatMap(({ server }) => [...server.output().matchAll(/API key +(\S+)/g)])
  expect(keys).toHaveLength(1)
  const headers = { Authorization: `Bearer ${keys[0]?.[1]}`, 'Content-Type': 'application/json' }
  for (const { url } of [one, two, three]) expect((await fetch(`${url}/v1/health`, { headers })).status).toBe(200)
  const body = JSON.stringify({
    batch: false,
    inputs: { text: 'Total: 5.00' },
    config: { prompt: 'Extract the total' },
  })
  const answer = await fetch(`${two.url}/v1/agent/execute`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  const [counted] = await database.db.query(
    'select (select count(*)::integer from workspaces) as workspaces, (select count(*)::integer from keys) as keys',
  )
  expect(counted).toEqual({ workspaces: 1, keys: 1 })
})

test('a database that may lose commits is refused with the alternatives, and accepted with the override', async () => {
  await using database = await makeDatabase()
  await database.db.query(`alter database ${database.address.database} set synchronous_commit = off`)
  await expect(openTestService({ database })).rejects.toThrow(/synchronous_commit=off.*SKILLRUN_ALLOW_LOSSY=yes/)
  await expect(openTestService({ database, env: { SKILLRUN_ALLOW_LOSSY: 'maybe' } })).rejects.toThrow(
    /SKILLRUN_ALLOW_LOSSY/,
  )
  await using service = await openTestService({ database, env: { SKILLRUN_ALLOW_LOSSY: 'yes' } })
  expect((await service.call('GET', '/readyz')).status).toBe(200)
})

test.each([
  ['yes', 1],
  ['no', 0],
])('with SKILLRUN_WARM=%s a worker starts with %i child processes that read documents', async (warms, count) => {
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address)
  const { server } = await cluster.start('worker', { SKILLRUN_WARM: warms })
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'ppid=,args='])
  const children = stdout.split('\n').filter((line) => line.trim().startsWith(`${server.process.pid} `))
  expect(children.filter((line) => line.includes('process-pool'))).toHaveLength(count)
})

test('a server whose code cannot be loaded leaves no database running', async () => {
  const folder = await temporaryFolder('starts')
  const made = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  await made.stop()
  const preload = pathToFileURL(join(import.meta.dirname, 'support', 'without-server.mjs')).href
  await using server = startServer(folder, { NODE_OPTIONS: `--import=${preload}` })
  await expect(server.printed(/Skillrun +http/)).rejects.toThrow('this part of the server is missing')
  expect(server.process.exitCode).toBe(1)
  await expect(findEmbedded(folder)).rejects.toMatchObject({ code: 'database_start' })
})
