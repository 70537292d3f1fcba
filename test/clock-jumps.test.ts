import { beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openReceiver } from './support/receiver.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Offset of the machine's clock. */
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) }

/** Resolved when the model is called; it answers when `answer` is called. */
let asked: PromiseWithResolvers<void>
let answer: () => void

const model = await opened(
  startMockModel({
    script: async () => {
      const held = Promise.withResolvers<void>()
      answer = held.resolve
      asked.resolve()
      await held.promise
      return { text: '{"total":144}', usage: { inputTokens: 100, outputTokens: 10 } }
    },
  }),
)
const receiver = await opened(openReceiver())
const service = await opened(
  openTestService({
    clock,
    env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` },
    file: fileOfSmallModel(model.baseUrl, { takes: ['text'] }),
  }),
)
beforeEach(() => {
  aheadMs = 0
  asked = Promise.withResolvers()
})

const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const execute = (more: object = {}, key = service.key) =>
  service.call('POST', '/v1/agent/execute', {
    key,
    body: { batch: false, ...more, config: { prompt: 'What is it?', json_schema: schema, timeout_seconds: 60 } },
  })

test.each([
  ['back by an hour', -hourMs],
  ['forward by a day', dayMs],
])('a clock change %s during a run does not end the run, and its callback is delivered', async (_, jumpMs) => {
  const path = `/ended/${jumpMs}`
  const executing = execute({ callback_url: receiver.url(path) })
  await asked.promise
  aheadMs = jumpMs
  answer()
  const { json } = await executing
  expect(json, JSON.stringify(json.error)).toMatchObject({ status: 'completed', attempts: 1, response: { total: 144 } })
  const [received] = await receiver.got(path, 1)
  expect(JSON.parse(String(received?.body))).toMatchObject({ id: json.id, status: 'completed' })
})

test("a call that spans midnight is paid from the first day's budget", async () => {
  const made = await service.call('POST', '/v1/keys', { body: { name: 'spender', budget_dollars_per_day: 0.02 } })
  const executing = execute({}, made.json.key)
  await asked.promise
  aheadMs = dayMs
  answer()
  expect((await executing).json).toMatchObject({ status: 'completed' })
  const days = await service.database.db.query(
    `select day::text, committed_micros as micros from key_days where key_id = $1`,
    [made.json.id],
  )
  expect(days).toEqual([{ day: new Date().toISOString().slice(0, 10), micros: 320 }])
})

test('a run that continues after the clock was set back keeps exactly the requested time', async () => {
  const config = { prompt: 'What is it?', json_schema: schema, timeout_seconds: 3 }
  const executing = service.call('POST', '/v1/agent/execute', { body: { batch: false, config } })
  await asked.promise
  const [{ id }] = (await service.call('GET', '/v1/agent/executions?limit=1')).json
  await service.call('POST', `/v1/agent/executions/${id}/pause`)
  expect((await executing).json).toMatchObject({ id, status: 'paused' })
  aheadMs = -hourMs
  asked = Promise.withResolvers()
  await service.call('POST', `/v1/agent/executions/${id}/resume`)
  await asked.promise
  // The model never answers: without its deadline the stream of events would not end.
  await service.call('GET', `/v1/agent/executions/${id}/events`)
  const record = (await service.call('GET', `/v1/agent/executions/${id}`)).json
  expect(record).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
})

/** Rows with a time before their creation, or before that of an earlier event. */
async function rowsOutOfOrder(): Promise<readonly string[]> {
  const { db } = service.database
  const columns = await db.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone' and column_name like any ($1)`,
    [
      [
        'created_at',
        'started_at',
        'ended_at',
        'completed_at',
        'updated_at',
        'deleted_at',
        'revoked_at',
        'decided_at',
        'purged_at',
      ],
    ],
  )
  const has = (table: string, column: string) => columns.some((one) => one.table === table && one.column === column)
  const pairs = columns
    .flatMap(({ table, column }) => [
      ...(column === 'created_at' ? [] : [{ table, before: 'created_at', column }]),
      ...(column === 'completed_at' && table === 'executions' ? [{ table, before: 'started_at', column }] : []),
      ...(column === 'ended_at' ? [{ table, before: 'started_at', column }] : []),
    ])
    .filter(({ table, before }) => has(table, before))
  expect(pairs.length).toBeGreaterThan(12)
  const found = await Promise.all(
    pairs.map(async ({ table, before, column }) => {
      const rows = await db.query(`select 1 from ${table} where ${column} < ${before}`)
      return rows.map(() => `${table}: ${column} is before ${before}`)
    }),
  )
  const moves = await db.query(
    `select 1 from executions, lateral (
       select (move->>'at')::timestamptz as at, lag((move->>'at')::timestamptz) over (order by n) as before
       from jsonb_array_elements(moves) with ordinality as list (move, n)) as moved
     where moved.at < moved.before or moved.at < created_at`,
  )
  const steps = await db.query(
    `select 1 from steps s join executions e on e.workspace_id = s.workspace_id and e.id = s.execution_id
     where s.started_at < e.created_at`,
  )
  const callbacks = await db.query(
    `select 1 from callbacks c join executions e on e.workspace_id = c.workspace_id and e.id = c.execution_id
     where c.created_at < e.created_at or c.round_started_at < c.created_at`,
  )
  return [
    ...found.flat(),
    ...moves.map(() => 'executions: moves are out of order'),
    ...steps.map(() => 'steps: started_at is before the execution was created'),
    ...callbacks.map(() => 'callbacks: a time is before that of the execution'),
  ]
}

test('the times of every row are in order, whatever the clock did between writes', async () => {
  const made = await service.call('POST', '/v1/keys', { body: { name: 'short-lived' } })
  const file = await service.upload(Buffer.from('Total: 144'), 'note.txt')
  const held = () =>
    service.call('POST', '/v1/agent/execute', { body: { config: { prompt: 'Wait', json_schema: schema } } })
  const cancelled = (await held()).json.id
  await asked.promise
  const executing = execute({ callback_url: receiver.url('/ordered') })
  asked = Promise.withResolvers()
  await asked.promise
  aheadMs = -hourMs
  answer()
  expect((await executing).json).toMatchObject({ status: 'completed' })
  for (const act of ['pause', 'resume', 'cancel'])
    expect((await service.call('POST', `/v1/agent/executions/${cancelled}/${act}`)).status).toBe(200)
  await service.call('DELETE', `/v1/keys/${made.json.id}`)
  await service.call('DELETE', `/v1/files/${file.id}`)
  await receiver.got('/ordered', 1)
  for (const id of [cancelled, (await executing).json.id]) {
    const { json } = await service.call('GET', `/v1/agent/executions/${id}`)
    expect(Date.parse(json.completed_at)).toBeGreaterThanOrEqual(Date.parse(json.created_at))
  }
  expect(await rowsOutOfOrder()).toEqual([])
})

test('a workspace created while the clock is behind does not become the first one, whose admins run the server', async () => {
  aheadMs = -dayMs
  const other = await service.call('POST', '/v1/keys', {
    body: { name: 'stranger', workspace: 'later', scopes: ['admin'] },
  })
  expect(other.status).toBe(201)
  const spread = { name: 'more', workspace: 'another', scopes: ['admin'] }
  expect((await service.call('POST', '/v1/keys', { key: other.json.key, body: spread })).status).toBe(403)
  expect((await service.call('POST', '/v1/keys', { body: spread })).status).toBe(201)
})
