import { expect, test } from 'vitest'
import { makeDatabase } from './support/database.ts'
import { openHeldSource } from './support/held-source.ts'
import { openTestService } from './support/service.ts'
import { lookAgain } from './support/until.ts'

test('a workspace runs up to its limit of executions, over two servers together, and delays no other', async () => {
  await using database = await makeDatabase()
  await using source = await openHeldSource('Total: 5.00')
  const open = () =>
    openTestService({
      database,
      env: { SKILLRUN_ALLOW_PRIVATE: source.host },
      config: { file: { limits: { running_per_workspace: 2 } } },
    })
  await using one = await open()
  await using other = await open()
  const stranger = await one.stranger()
  const submit = async (name: string, key?: string) =>
    (
      await one.call('POST', '/v1/agent/execute', {
        body: { inputs: { file: source.url(name) }, config: { prompt: 'Extract the total' } },
        ...(key ? { key } : {}),
      })
    ).json.id
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const ids = await Promise.all(names.map((name) => submit(name)))
  const asked = () => names.filter((name) => source.count(name) > 0)
  const running = async () =>
    (await other.call('GET', '/v1/agent/executions?status=running')).json.map((one: { id: string }) => one.id)
  const theirs = await submit('theirs', stranger)
  await source.asked('theirs')
  expect(asked().length).toBeLessThanOrEqual(2)
  const seen = new Set<string>()
  while (seen.size < names.length) {
    const now = asked()
    expect((await running()).length).toBeLessThanOrEqual(2)
    const next = now.find((name) => !seen.has(name))
    if (next === undefined) {
      await lookAgain()
      continue
    }
    seen.add(next)
    source.letGo(next)
  }
  source.letGo('theirs')
  for (const [id, key] of [...ids.map((id) => [id, one.key]), [theirs, stranger]])
    await (
      await fetch(`${other.url}/v1/agent/executions/${id}/events`, { headers: { Authorization: `Bearer ${key}` } })
    ).text()
  const ended = (await one.call('GET', '/v1/agent/executions?status=completed')).json
  expect(ended).toHaveLength(names.length)
})

test('the limit of a workspace holds over its tiers together, and waiting executions start as soon as there is room', async () => {
  await using database = await makeDatabase()
  await using source = await openHeldSource('Total: 5.00')
  await using service = await openTestService({
    database,
    env: { SKILLRUN_ALLOW_PRIVATE: source.host },
    config: { file: { limits: { running_per_workspace: 1 } } },
  })
  const stranger = await service.stranger()
  const submit = async (name: string, service_tier: string, key = service.key) => {
    const inputs = { file: source.url(name) }
    const body = { inputs, config: { prompt: 'Extract the total', service_tier } }
    return (await service.call('POST', '/v1/agent/execute', { body, key })).json.id
  }
  await submit('first', 'flex')
  await source.asked('first')
  const names = ['p1', 's1', 's2', 's3', 'f1']
  const ids = []
  for (const name of names)
    ids.push(await submit(name, { p: 'priority', s: 'standard', f: 'flex' }[name[0] ?? ''] ?? ''))
  await submit('theirs', 'standard', stranger)
  // The next in the queue got its place.
  await source.asked('theirs')
  expect(names.filter((name) => source.count(name) > 0)).toEqual([])
  for (const name of [...names, 'theirs']) source.letGo(name)
  source.letGo('first')
  for (const id of ids) {
    const headers = { Authorization: `Bearer ${service.key}` }
    await (await fetch(`${service.url}/v1/agent/executions/${id}/events`, { headers })).text()
    expect((await service.call('GET', `/v1/agent/executions/${id}`)).json).toMatchObject({
      status: 'completed',
      attempts: 1,
    })
  }
})
