import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { createInlineProcessPool } from '../packages/server/src/adapters/process-pool/inline/inline-process-pool.ts'
import { openQueue } from '../packages/server/src/adapters/queue/pgboss/pgboss-queue.ts'
import type { Queue } from '../packages/server/src/adapters/queue/queue.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { advanceBatch } from '../packages/server/src/features/batches/advance.ts'
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from '../packages/server/src/features/batches/control.ts'
import { createBatch } from '../packages/server/src/features/batches/create.ts'
import type { BatchParts } from '../packages/server/src/features/batches/request-items.ts'
import { batchTopic, topicOf } from '../packages/server/src/features/executions/topics.ts'
import { makeModels } from '../packages/server/src/features/models/models.ts'
import { callbackTopic } from '../packages/server/src/features/webhooks/webhooks.ts'
import { dyingAtEach } from './support/dying.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

// No process works on jobs here: the test is the worker, so that it can die between any two statements.
let queue: Queue
let workspaceId: string
let keyId: string

const service = await opened(openTestService({ env: { SKILLRUN_ROLE: 'api', SKILLRUN_ALLOW_PRIVATE: '127.0.0.1:9' } }))
beforeAll(async () => {
  const { db, address } = service.database
  queue = await openQueue({ db, address, log: silentLog }, [...Object.values(topicOf), callbackTopic, batchTopic])
  const [key] = await db.query<{ id: string; workspaceId: string }>(
    'select id, workspace_id as "workspaceId" from keys limit 1',
  )
  if (!key) throw new Error('there is no key')
  workspaceId = key.workspaceId
  keyId = key.id
})
afterAll(async () => {
  await queue.stop(AbortSignal.abort())
})

const partsOn = (db: Db): BatchParts => ({
  db,
  clock: systemClock,
  queue,
  blobs: { localPath: () => Promise.reject(new Error('no archive is read here')) },
  intake: {
    models: makeModels({}, []),
    processPool: createInlineProcessPool(),
    egress: { check: async () => {} },
    signingSecret: new Uint8Array(32),
    admission: { admit: async () => 0, turnAgain: async () => 0 },
    processId: randomUUID(),
  },
})
const signal = new AbortController().signal
const config = { json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } } }
const texts = (count: number) => Array.from({ length: count }, (_, at) => ({ inputs: { text: `Total: ${at}.00` } }))
const caller = () => ({ workspaceId, keyId, scopes: [] })

/** A batch with its job, as the route makes it. */
async function begin(body: object): Promise<string> {
  const { status, json } = await service.call('POST', '/v1/agent/batches', { body: { config, ...body } })
  expect(status).toBe(201)
  return json.id
}

const read = async (id: string) => (await service.call('GET', `/v1/agent/batches/${id}`)).json
const advance = (db: Db, id: string, data = {}) =>
  advanceBatch(partsOn(db), { data: { workspaceId, id, ...data }, retries: 0, completeIn: async () => {} }, signal)

interface Run {
  readonly id: string
  readonly status: string
}
const runsOf = (id: string) =>
  service.database.db.query<Run>('select id, status from executions where batch_id = $1 order by created_at, id', [id])
const openRunsOf = async (id: string) =>
  (await runsOf(id)).filter(({ status }) => status !== 'completed' && status !== 'failed')

/** Each execution has exactly one item and one job, and each started item one execution. */
async function expectOneEach(id: string) {
  const runs = await runsOf(id)
  const items = await service.database.db.query<{ executionId: string }>(
    'select execution_id as "executionId" from batch_items where batch_id = $1 and execution_id is not null',
    [id],
  )
  expect(items.map(({ executionId }) => executionId).sort()).toEqual(runs.map((run) => run.id).sort())
  const jobs = await service.database.db.query<{ id: string }>(
    `select data->>'id' as id from pgboss.job where name = any($1) and data->>'id' = any($2)`,
    [Object.values(topicOf), runs.map((run) => run.id)],
  )
  expect(jobs.map((job) => job.id).sort()).toEqual(runs.map((run) => run.id).sort())
}

const dyingIn = (work: (db: Db, at: number) => Promise<unknown>, check: (at: number) => Promise<void>) =>
  dyingAtEach(service.database.db, async (mortal, at) => ({ work: () => work(mortal, at), check: () => check(at) }))

test('a process that dies while it accepts a batch leaves nothing or all of it, and the same key gives one batch', async () => {
  const keys: string[] = []
  const deaths = await dyingIn(
    (db, round) => {
      keys[round] ??= randomUUID()
      const body = { config, items: texts(3) }
      const call = { caller: caller(), body, sentBody: body, idempotencyKey: keys[round], origin: service.url, signal }
      return createBatch(partsOn(db), call)
    },
    async (round) => {
      const again = async () => {
        const headers = { 'Idempotency-Key': keys[round] ?? '' }
        const { json } = await service.call('POST', '/v1/agent/batches', { headers, body: { config, items: texts(3) } })
        return json
      }
      const [first, second] = [await again(), await again()]
      expect([first.total, first.counts.enqueued, second.id]).toEqual([3, 3, first.id])
      const jobs = await service.database.db.query(`select from pgboss.job where name = 'batch' and data->>'id' = $1`, [
        first.id,
      ])
      expect(jobs).toHaveLength(1)
    },
  )
  expect(deaths).toBeGreaterThan(5)
})

test('a process that dies at any statement while it creates executions creates each once', async () => {
  const file = await service.upload(Buffer.from('Total: 7.00'), 'gone.txt')
  let id = ''
  const deaths = await dyingIn(
    async (db) => {
      id = await begin({ items: [...texts(1), { file_id: file.id }, ...texts(2)], max_in_flight: 2 })
      await service.database.db.query('update files set deleted_at = now() where id = $1', [file.id])
      await advance(db, id).finally(() =>
        service.database.db.query('update files set deleted_at = null where id = $1', [file.id]),
      )
    },
    async () => {
      await service.database.db.query('update files set deleted_at = now() where id = $1', [file.id])
      // Its job is delivered again.
      await advance(service.database.db, id)
      expect((await read(id)).counts).toMatchObject({ enqueued: 3, failed: 1 })
      expect(await openRunsOf(id)).toHaveLength(2)
      await expectOneEach(id)
      await service.database.db.query('update files set deleted_at = null where id = $1', [file.id])
    },
  )
  expect(deaths).toBeGreaterThan(10)
})

test('a process that dies at any statement while it accepts or starts a backfill asks each earlier execution once', async () => {
  const bases: string[] = []
  for (const { inputs } of texts(3)) {
    const { json } = await service.call('POST', '/v1/agent/execute', { body: { inputs, config } })
    await service.database.db.query(
      `update executions set status = 'completed', response = '{"total": 1}', started_at = created_at, completed_at = created_at
       where id = $1`,
      [json.id],
    )
    bases.push(json.id)
  }
  const properties = { ...config.json_schema.properties, tax: { type: ['number', 'null'] } }
  const body = { base_executions: bases, config: { json_schema: { type: 'object', properties } } }
  const keys: string[] = []
  const deaths = await dyingIn(
    async (db, round) => {
      keys[round] ??= randomUUID()
      const call = { caller: caller(), body, sentBody: body, idempotencyKey: keys[round], origin: service.url, signal }
      const { id } = await createBatch(partsOn(db), call)
      await advance(db, id)
    },
    async (round) => {
      const headers = { 'Idempotency-Key': keys[round] ?? '' }
      const { status, json } = await service.call('POST', '/v1/agent/batches', { headers, body })
      expect(status, JSON.stringify(json)).toBe(201)
      await advance(service.database.db, json.id)
      expect((await read(json.id)).counts).toMatchObject({ enqueued: 3, failed: 0 })
      await expectOneEach(json.id)
      const asked = await service.database.db.query<{ base: string }>(
        'select base_execution as base from executions where batch_id = $1',
        [json.id],
      )
      expect(asked.map(({ base }) => base).sort()).toEqual([...bases].sort())
    },
  )
  expect(deaths).toBeGreaterThan(10)
})

test('a process that dies at any statement while it completes a batch completes it once, with one callback', async () => {
  let id = ''
  const deaths = await dyingIn(
    async (db) => {
      id = await begin({ items: texts(2), callback_url: 'http://127.0.0.1:9/nobody' })
      await advance(service.database.db, id)
      for (const run of await openRunsOf(id)) await service.call('POST', `/v1/agent/executions/${run.id}/cancel`)
      await advance(db, id)
    },
    async () => {
      await advance(service.database.db, id)
      await advance(service.database.db, id)
      expect(await read(id)).toMatchObject({ status: 'completed', counts: { cancelled: 2 } })
      const callbacks = await service.database.db.query('select event from callbacks where execution_id = $1', [id])
      expect(callbacks).toEqual([{ event: 'batch.completed' }])
    },
  )
  expect(deaths).toBeGreaterThan(2)
})

test.each([
  { verb: 'pause', control: pauseBatch, counts: { paused: 2, enqueued: 1 }, data: {} },
  { verb: 'resume', control: resumeBatch, counts: { enqueued: 3 }, data: { resumes: true } },
  { verb: 'cancel', control: cancelBatch, counts: { cancelled: 3 }, data: {} },
])('a process that dies at any statement of a $verb leaves it undone or its job does the rest', async (one) => {
  let id = ''
  await dyingIn(
    async (db) => {
      id = await begin({ items: texts(3), max_in_flight: 2 })
      await advance(service.database.db, id)
      if (one.verb === 'resume') await service.call('POST', `/v1/agent/batches/${id}/pause`)
      await one.control(partsOn(db), { workspaceId, keyId, id })
    },
    async () => {
      const isDone = { pause: 'paused', resume: 'running', cancel: 'cancelled' }[one.verb]
      const { status } = await read(id)
      if (status !== isDone) {
        expect((await service.call('POST', `/v1/agent/batches/${id}/${one.verb}`)).status).toBe(200)
        return
      }
      const [job] = await service.database.db.query<{ data: object }>(
        `select data from pgboss.job where name = 'batch' and data->>'id' = $1 order by created_on desc limit 1`,
        [id],
      )
      expect(job?.data).toMatchObject({ id })
      await advance(service.database.db, id, one.data)
      await advance(service.database.db, id)
      expect((await read(id)).counts).toMatchObject(one.counts)
      await expectOneEachLink(id)
    },
  )
})

/** As `expectOneEach`; an execution that was resumed has had two jobs. */
async function expectOneEachLink(id: string) {
  const runs = await runsOf(id)
  const items = await service.database.db.query<{ executionId: string }>(
    'select execution_id as "executionId" from batch_items where batch_id = $1 and execution_id is not null',
    [id],
  )
  expect(items.map(({ executionId }) => executionId).sort()).toEqual(runs.map((run) => run.id).sort())
}

test('servers that advance one batch at the same time create each execution once and keep to its limit', async () => {
  const id = await begin({ items: texts(7), max_in_flight: 2 })
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 4 }, () => advance(service.database.db, id)))
    const open = await openRunsOf(id)
    expect(open.length).toBeLessThanOrEqual(2)
    await expectOneEach(id)
    if ((await read(id)).status === 'completed') break
    await Promise.all([
      ...open.map((run) => service.call('POST', `/v1/agent/executions/${run.id}/cancel`)),
      ...open.map(() => advance(service.database.db, id)),
    ])
  }
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { cancelled: 7 } })
  expect(await runsOf(id)).toHaveLength(7)
})

test('an execution that is being created when its batch is cancelled is never left behind', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await begin({ items: texts(4) })
    await Promise.all([
      advance(service.database.db, id),
      service.call('POST', `/v1/agent/batches/${id}/cancel`),
      advance(service.database.db, id),
    ])
    expect(await openRunsOf(id)).toEqual([])
    const { counts } = await read(id)
    expect(counts.cancelled).toBe(4)
  }
})

test('an attempt of before a retry cannot be started, and its end does not count', async () => {
  const id = await begin({ items: texts(1) })
  await advance(service.database.db, id)
  const [first] = await runsOf(id)
  await service.database.db.query(
    `update executions set status = 'failed', completed_at = now(),
       error = '{"code": "poison", "message": "Its workers crashed", "retryable": false}' where id = $1`,
    [first?.id],
  )
  await advance(service.database.db, id)
  await retryBatch(partsOn(service.database.db), { workspaceId, keyId, id })
  await advance(service.database.db, id, { executionId: first?.id })
  expect(await read(id)).toMatchObject({ status: 'running', counts: { enqueued: 1, failed: 0 } })
  expect(await runsOf(id)).toHaveLength(2)
})

/** A batch of two whose first item has failed for a temporary reason. */
async function withOneFailed() {
  const id = await begin({ items: texts(2) })
  await advance(service.database.db, id)
  const [failed, other] = await runsOf(id)
  await service.database.db.query(
    `update executions set status = 'failed', completed_at = now(),
       error = '{"code": "poison", "message": "Its workers crashed", "retryable": false}' where id = $1`,
    [failed?.id],
  )
  await advance(service.database.db, id)
  return { id, failed: failed?.id ?? '', other: other?.id ?? '' }
}
const statusOf = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}`)).json.status

test('a retry beside a pause resumes what was paused', async () => {
  const { id, other } = await withOneFailed()
  const { db } = service.database
  const place = { workspaceId, keyId, id }
  const retried = await db.transaction(async (tx) => {
    await tx.query(`update batches set status = 'paused' where id = $1`, [id])
    await tx.query(`update executions set status = 'paused' where id = $1`, [other])
    const answer = retryBatch(partsOn(db), place)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await db.query(waiting)).length).toBe(1)
    // Wrapped, because a returned promise would be awaited before the transaction ends.
    return { answer }
  })
  expect(await retried.answer).toMatchObject({ status: 'running' })
  const [job] = await db.query<{ data: object }>(
    `select data from pgboss.job where name = $1 and data->>'id' = $2 order by created_on desc limit 1`,
    [batchTopic, id],
  )
  await advance(db, id, job?.data)
  expect(await statusOf(other)).toBe('enqueued')
})

test.each([
  ['its call', 0, (db: Db, id: string) => pauseBatch(partsOn(db), { workspaceId, keyId, id })],
  [
    'its job',
    // The call has paused both executions before.
    2,
    async (db: Db, id: string) => {
      await pauseBatch(partsOn(service.database.db), { workspaceId, keyId, id })
      await advance(db, id)
    },
  ],
])(
  'a pause that is overtaken by a resume, in %s, pauses no execution, not even for a moment',
  async (_, paused, pauseIn) => {
    const id = await begin({ items: texts(2) })
    const { db } = service.database
    await advance(db, id)
    let isResumed = false
    const slow: Db = {
      ...db,
      async query<Row extends object>(text: string, params?: readonly unknown[]) {
        // Before it lists what it pauses.
        if (!isResumed && text.includes('e.status = any')) {
          isResumed = true
          await resumeBatch(partsOn(db), { workspaceId, keyId, id })
        }
        return db.query<Row>(text, params)
      },
    }
    await pauseIn(slow, id)
    expect(isResumed).toBe(true)
    expect(await read(id)).toMatchObject({ status: 'running', counts: { enqueued: 2, paused: 0 } })
    // A process that died in that moment would have left it paused.
    const pauses = await db.query(
      `select from executions, jsonb_array_elements(moves) move where batch_id = $1 and move->>'status' = 'paused'`,
      [id],
    )
    expect(pauses).toHaveLength(paused)
  },
)

test('an execution whose item a retry executes again cannot be resumed, alone or with all others', async () => {
  const { id, failed } = await withOneFailed()
  await retryBatch(partsOn(service.database.db), { workspaceId, keyId, id })
  const { status, json } = await service.call('POST', `/v1/agent/executions/${failed}/resume`)
  expect([status, json.detail]).toEqual([409, expect.stringContaining('a retry of its batch')])
  const body = { filter: { batch_id: id } }
  expect((await service.call('POST', '/v1/agent/executions/resume', { body })).json).toEqual({
    resumed: 0,
    refused: [],
  })
  expect(await statusOf(failed)).toBe('failed')
})

test('a failed execution that was resumed is not executed again by a retry, and is paused and cancelled with its batch', async () => {
  const { id, failed } = await withOneFailed()
  await service.call('POST', `/v1/agent/executions/${failed}/resume`)
  const place = { workspaceId, keyId, id }
  const parts = partsOn(service.database.db)
  await expect(retryBatch(parts, place)).rejects.toMatchObject({ code: 'nothing_to_retry' })
  expect(await runsOf(id)).toHaveLength(2)
  await pauseBatch(parts, place)
  expect(await statusOf(failed)).toBe('paused')
  await resumeBatch(parts, place)
  expect(await statusOf(failed)).toBe('enqueued')
  await cancelBatch(parts, place)
  expect(await openRunsOf(id)).toEqual([])
})
