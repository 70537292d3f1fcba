import { expect, test } from 'vitest'
import { openCluster } from './house/cluster.ts'
import { makeEmptyDatabase } from './house/database.ts'

test('processes that start at once on an empty database migrate it once, make one workspace and one key, and all stand', async () => {
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
}, 120_000)
