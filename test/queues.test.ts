import { beforeAll, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

let other: string
const service = await opened(openTestService({ config: { slots: { priority: 1, standard: 2, flex: 3 } } }))
beforeAll(async () => {
  other = await service.stranger()
})

const tierOf = async (tier: string, key = service.key) =>
  (await service.call('GET', '/v1/queues', { key })).json.tiers.find((one: { tier: string }) => one.tier === tier)

async function execute(body: object = {}, key = service.key): Promise<string> {
  const { id } = await service.execute(
    { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total' }, ...body },
    { key },
  )
  return id
}

/** Puts an execution into a state, as if its run had come so far. */
const put = (id: string, columns: string) =>
  service.database.db.query(`update executions set response = null, completed_at = null, ${columns} where id = $1`, [
    id,
  ])

test('open executions are counted by tier and state for the own workspace alone', async () => {
  const ids = [await execute(), await execute(), await execute(), await execute()]
  const foreign = await execute({}, other)
  const [mine] = await service.database.db.query<{ id: string }>(
    'select id from processes where settings is not null',
    [],
  )
  await put(ids[0] ?? '', `status = 'enqueued'`)
  await put(ids[1] ?? '', `status = 'paused'`)
  await put(ids[2] ?? '', `status = 'running', process_id = gen_random_uuid(), lost_attempts = '{"1": "x"}'`)
  await put(ids[3] ?? '', `status = 'running', process_id = '${mine?.id}'`)
  await put(foreign, `status = 'enqueued'`)
  const { json } = await service.call('GET', `/v1/agent/executions/${ids[0]}`)
  expect(await tierOf('standard')).toEqual({
    tier: 'standard',
    slots: 2,
    pending: 0,
    waiting: 1,
    running: 2,
    paused: 1,
    stalled: 1,
    retried: 1,
    oldest_waiting_at: json.created_at,
    jobs_waiting: 0,
  })
  expect(await tierOf('flex')).toMatchObject({ slots: 3, waiting: 0, running: 0, oldest_waiting_at: null })
  expect(await tierOf('standard', other)).toMatchObject({ slots: 2, waiting: 1, running: 0, jobs_waiting: null })
  for (const id of ids) await put(id, `status = 'failed', error = '{}'`)
})

test('only the first workspace sees the processes, and the queue needs an admin key', async () => {
  const { workers } = (await service.call('GET', '/v1/queues')).json
  expect(workers).toEqual([expect.objectContaining({ pid: process.pid, slots: { priority: 1, standard: 2, flex: 3 } })])
  expect((await service.call('GET', '/v1/queues', { key: other })).json.workers).toBeNull()
  const { json } = await service.call('POST', '/v1/keys', { body: { scopes: ['read'] } })
  expect((await service.call('GET', '/v1/queues', { key: json.key })).status).toBe(403)
})

test('sessions are listed by their newest execution, with their number of executions', async () => {
  for (const session of ['first', 'second', 'first']) await execute({ metadata: { session_id: session } })
  await execute({ metadata: { session_id: 'foreign' } }, other)
  const { json } = await service.call('GET', '/v1/sessions')
  expect(json.map((one: { id: string; executions: number }) => [one.id, one.executions])).toEqual([
    ['first', 2],
    ['second', 1],
  ])
  expect((await service.call('GET', '/v1/sessions?skip=1&limit=1')).json).toHaveLength(1)
})

test('settings have the limits in force, models and tiers; tools have the schema of their input', async () => {
  const { json } = await service.call('GET', '/v1/settings')
  expect(json.limits).toMatchObject({ requests_per_minute: expect.any(Number), retention_days: null })
  expect(json.tiers).toContainEqual({ tier: 'flex', price_factor: 0.5 })
  expect(json.models).toContainEqual(
    expect.objectContaining({ model: 'svc-agent-1:auto', engine: 'embedded', price: null }),
  )
  const tools = (await service.call('GET', '/v1/tools')).json
  expect(tools.find((one: { name: string }) => one.name === 'document.search')).toMatchObject({
    toolset: 'document',
    dollars_per_call: 0,
    is_available: true,
    input_schema: { type: 'object', properties: { query: expect.anything() } },
  })
})
