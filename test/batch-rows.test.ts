import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../packages/core/src/ids.ts'
import type { Sql } from '../packages/server/src/adapters/db/db.ts'
import {
  completeBatch,
  findBatch,
  findByKey,
  findRequest,
  listBatches,
  listOldBatches,
  lockPaused,
  moveBatch,
  scrubBatch,
} from '../packages/server/src/features/batches/batch-store.ts'
import { listItems, listResponses } from '../packages/server/src/features/batches/item-list.ts'
import {
  cancelQueued,
  failItem,
  linkExecution,
  listFailed,
  listInFlight,
  listStartable,
  progressOf,
  requeueFailed,
  settleItems,
} from '../packages/server/src/features/batches/item-store.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { addWorkspace } from './support/workspace.ts'

// Two workspaces have a batch with the same id, whose items and executions have the same numbers and ids and other states.
// Row-level security is off here, so that only the conditions in the statements protect.

const now = new Date('2026-11-22T12:00:00Z')
const later = new Date(now.getTime() + 60_000)

const database = await opened(makeDatabase())
const db = database.db

interface Place {
  readonly workspaceId: string
  readonly id: string
}
type Item = readonly [state: string, execution: string | null]

let own: Place
let twin: Place
let executions: readonly string[]

/** A batch whose items have these states and executions' statuses, in their order. */
async function addBatch(name: 'own' | 'twin', id: string, items: readonly Item[]): Promise<Place> {
  const { workspaceId, keyId } = await addWorkspace(db, now)
  await db.query(
    `insert into batches (workspace_id, id, key_id, name, status, request, total, in_flight_max, idempotency_key, body_sha256, created_at)
     values ($1, $2, $3, $4, 'running', $5, $6, $7, 'a key', '', $8)`,
    [workspaceId, id, keyId, name, JSON.stringify({ body: { of: name } }), items.length, name === 'own' ? 3 : 100, now],
  )
  for (const [number, [state, status]] of items.entries()) {
    const executionId = status === null ? null : executions[number]
    await db.query(
      `insert into batch_items (workspace_id, batch_id, number, state, attempt, client_id, file_name, inputs, execution_id, cost_micros)
       values ($1, $2, $3, $4, 2, $5, 'a.txt', '{}', $6, 5)`,
      [workspaceId, id, number, state, name, executionId],
    )
    if (status !== null)
      await db.query(
        `insert into executions (id, workspace_id, key_id, name, status, request, model, tier, created_at, completed_at, response,
           evidence, usage)
         values ($1, $2, $3, '', $4, '{}', '', 'standard', $5, $6, $7, '{}', $8)`,
        [
          executionId,
          workspaceId,
          keyId,
          status,
          now,
          status === 'completed' || status === 'failed' ? now : null,
          JSON.stringify({ of: name }),
          JSON.stringify({ standardMicros: name === 'own' ? 7 : 100 }),
        ],
      )
  }
  return { workspaceId, id }
}

beforeEach(async () => {
  const id = newId(now)
  executions = Array.from({ length: 8 }, () => newId(now))
  // The other one first: it would be the first found.
  twin = await addBatch('twin', id, [
    ['started', 'completed'],
    ['queued', 'completed'],
    ['started', 'failed'],
    ['queued', 'running'],
    ['started', 'running'],
    ['failed', 'failed'],
    ['queued', null],
    ['started', 'running'],
  ])
  own = await addBatch('own', id, [
    ['completed', 'completed'],
    ['started', 'running'],
    ['started', 'completed'],
    ['queued', null],
    ['queued', null],
    // Resumed after its failure.
    ['failed', 'running'],
    ['cancelled', null],
  ])
})

/** The items of a batch, and the batch as the last row. */
async function rowsOf({ workspaceId }: Place): Promise<readonly string[]> {
  const of = async (table: string, order: string) =>
    (
      await db.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t where workspace_id = $1 order by ${order}`,
        [workspaceId],
      )
    ).map(({ row }) => row)
  return [...(await of('batch_items', 'number')), ...(await of('batches', 'id'))]
}

/** The numbers of the items that a call changes; `batch` for the batch itself. Nothing of the other workspace may change. */
async function changedBy(act: () => Promise<unknown>): Promise<{ changed: readonly unknown[]; gave: unknown }> {
  const [before, theirs] = [await rowsOf(own), await rowsOf(twin)]
  const gave = await act()
  const after = await rowsOf(own)
  expect(await rowsOf(twin)).toEqual(theirs)
  const places = after.flatMap((row, place) => (row === before[place] ? [] : [place]))
  return { changed: places.map((place) => (place === after.length - 1 ? 'batch' : place)), gave }
}

const setStatus = ({ workspaceId }: Place, status: string) =>
  db.query('update batches set status = $2 where workspace_id = $1', [workspaceId, status])
const page = { filter: null, status: null, sort: 'number', order: 'asc', after: null, limit: 100 } as const

describe('a batch', () => {
  test('is found in its workspace', async () => {
    const { workspaceId } = own
    expect((await findBatch(db, own))?.name).toBe('own')
    expect((await findRequest(db, own))?.body).toEqual({ of: 'own' })
    expect((await findByKey(db, { workspaceId, idempotencyKey: 'a key' }))?.name).toBe('own')
    const nobody = newId(now)
    expect(await findBatch(db, { ...own, workspaceId: nobody })).toBeUndefined()
    expect(await findRequest(db, { ...own, workspaceId: nobody })).toBeUndefined()
    expect(await findByKey(db, { workspaceId: nobody, idempotencyKey: 'a key' })).toBeUndefined()
    const listed = async (status: 'running' | 'paused' | null) =>
      (await listBatches(db, { workspaceId, status, after: null, limit: 10 })).map(({ name }) => name)
    expect([await listed(null), await listed('running'), await listed('paused')]).toEqual([['own'], ['own'], []])
  })

  test('counts its own items by status', async () => {
    const progress = (await progressOf(db, { workspaceId: own.workspaceId, ids: [own.id] }))(own.id)
    expect(progress).toMatchObject({
      counts: { enqueued: 2, running: 1, paused: 0, completed: 2, failed: 1, cancelled: 1 },
      costMicros: 7 * 5,
    })
  })

  test('counts the answers that need a review, also those of items that have ended', async () => {
    await db.query(`update executions set review = '{"status": "needed"}' where id = any($1)`, [executions.slice(0, 2)])
    const progress = (await progressOf(db, { workspaceId: own.workspaceId, ids: [own.id] }))(own.id)
    expect(progress.reviewNeeded).toBe(2)
  })

  test('starts its first queued items while it has room for them', async () => {
    expect((await listStartable(db, own)).map(({ number }) => number)).toEqual([3])
  })

  test('completes when it is running and all its items have ended, whatever another one has open', async () => {
    expect((await changedBy(() => completeBatch(db, own, later))).changed).toEqual([])
    await db.query(`update batch_items set state = 'failed' where workspace_id = $1 and state = 'queued'`, [
      own.workspaceId,
    ])
    expect((await changedBy(() => completeBatch(db, own, later))).changed).toEqual([])
    await db.query(`update batch_items set state = 'failed' where workspace_id = $1 and state = 'started'`, [
      own.workspaceId,
    ])
    await setStatus(own, 'paused')
    expect((await changedBy(() => completeBatch(db, own, later))).changed).toEqual([])
    await setStatus(own, 'running')
    expect((await changedBy(() => completeBatch(db, own, later))).changed).toEqual(['batch'])
  })

  test('does not complete where a retry that it waits for queues items again', async () => {
    await db.query(`update batch_items set state = 'failed' where workspace_id = $1`, [own.workspaceId])
    const retried = await db.transaction(async (tx) => {
      await moveBatch(tx, own, { from: ['running'], to: 'running', endedAt: null })
      expect(await requeueFailed(tx, { ...own, replaced: executions })).toBeGreaterThan(0)
      const completed = db.transaction((other) => completeBatch(other, own, later))
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await db.query(waiting)).length).toBe(1)
      // Wrapped, because a returned promise would be awaited before the transaction ends.
      return { completed }
    })
    expect(await retried.completed).toBeUndefined()
    expect((await findBatch(db, own))?.status).toBe('running')
  })

  test('is found paused only while it is', async () => {
    expect(await lockPaused(db, own)).toBe(false)
    await setStatus(own, 'paused')
    expect(await lockPaused(db, own)).toBe(true)
    expect(await lockPaused(db, { ...own, workspaceId: newId(now) })).toBe(false)
    expect(await lockPaused(db, { ...own, id: newId(now) })).toBe(false)
  })

  test('moves from the statuses that are named', async () => {
    const move = (from: 'running' | 'paused') =>
      changedBy(() => moveBatch(db, own, { from: [from], to: 'cancelled', endedAt: later }))
    expect((await move('paused')).changed).toEqual([])
    expect((await move('running')).changed).toEqual(['batch'])
  })
})

describe('the content of a batch', () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 'batch']

  test('goes with its items, and not that of another one', async () => {
    await setStatus(own, 'cancelled')
    expect(await changedBy(() => scrubBatch(db, { ...own, now: later, olderThan: null }))).toEqual({
      changed: all,
      gave: true,
    })
  })

  test('goes once, and only while the batch has ended', async () => {
    const scrub = () => changedBy(() => scrubBatch(db, { ...own, now: later, olderThan: null }))
    for (const status of ['running', 'paused']) {
      await setStatus(own, status)
      expect(await scrub()).toEqual({ changed: [], gave: false })
    }
    await setStatus(own, 'completed')
    // It may have ended again since a sweep found it.
    await db.query('update batches set completed_at = $2 where workspace_id = $1', [own.workspaceId, later])
    const before = () => changedBy(() => scrubBatch(db, { ...own, now: later, olderThan: later }))
    expect(await before()).toEqual({ changed: [], gave: false })
    expect(await scrub()).toEqual({ changed: all, gave: true })
    expect(await scrub()).toEqual({ changed: [], gave: false })
  })

  test('is old when the batch ended before a time and its content is still there', async () => {
    const isOld = async () =>
      (await listOldBatches(db, later, 1_000)).some((old) => old.workspaceId === own.workspaceId)
    const set = (change: string) => db.query(`update batches set ${change} where workspace_id = $1`, [own.workspaceId])
    await set(`completed_at = created_at`)
    expect(await isOld()).toBe(false)
    for (const status of ['completed', 'cancelled']) {
      await setStatus(own, status)
      expect(await isOld()).toBe(true)
    }
    await set('purged_at = completed_at')
    expect(await isOld()).toBe(false)
  })
})

describe('items', () => {
  test.each([
    ['are given an execution', linkExecution],
    ['fail', failItem],
  ])('%s in their newest attempt while they are queued', async (_what, act) => {
    const call = (number: number, attempt: number) =>
      changedBy(() =>
        act(db, {
          ...own,
          number,
          attempt,
          executionId: newId(now),
          error: { code: 'c', message: 'm' },
          now: later,
        }),
      )
    for (const attempt of [1, 3]) expect((await call(3, attempt)).changed).toEqual([])
    for (const number of [0, 1, 5, 6]) expect((await call(number, 2)).changed).toEqual([])
    expect((await call(3, 2)).changed).toEqual([3])
  })

  test('are given no execution while their batch is paused, although another one runs', async () => {
    await setStatus(own, 'paused')
    const link = () => linkExecution(db, { ...own, number: 3, attempt: 2, executionId: newId(now) })
    expect(await changedBy(link)).toEqual({ changed: [], gave: false })
  })

  test('that are queued are cancelled', async () => {
    expect((await changedBy(() => cancelQueued(db, own, later))).changed).toEqual([3, 4])
  })

  test('that failed are queued again where others take the place of their executions', async () => {
    expect(await listFailed(db, own)).toEqual([executions[5]])
    expect((await changedBy(() => requeueFailed(db, { ...own, replaced: [] }))).changed).toEqual([])
    const replaced = executions.filter((id) => id !== executions[1])
    expect((await changedBy(() => requeueFailed(db, { ...own, replaced }))).changed).toEqual([5])
  })

  test('end with their executions', async () => {
    expect((await changedBy(() => settleItems(db, own, null))).changed).toEqual([2])
  })

  test.each([
    ['is resumed', `status = 'running', completed_at = null`, []],
    ['ends', `status = 'completed', completed_at = created_at`, [2]],
  ])('do not end with an execution that %s between the two statements', async (_what, change, ended) => {
    const sql: Sql = {
      ...db,
      async query<Row extends object>(text: string, params?: readonly unknown[]) {
        const rows = await db.query<Row>(text, params)
        await db.query(`update executions set ${change} where workspace_id = $1`, [own.workspaceId])
        return rows
      },
    }
    expect((await changedBy(() => settleItems(sql, own, null))).changed).toEqual(ended)
  })

  test('lose their inputs and names with an answer that is not retained', async () => {
    await db.query('update executions set is_retained = false where workspace_id = $1', [own.workspaceId])
    await settleItems(db, own, null)
    const [row] = await db.query(
      'select state, inputs, file_name as name from batch_items where workspace_id = $1 and number = 2',
      [own.workspaceId],
    )
    expect(row).toEqual({ state: 'completed', inputs: null, name: null })
  })

  test('are in flight while their executions have one of the statuses', async () => {
    expect(await listInFlight(db, own, ['running'])).toEqual([executions[1], executions[5]])
    expect(await listInFlight(db, own, ['completed'])).toEqual([executions[2]])
  })

  test('are listed once, with the answers of their executions', async () => {
    const listed = await listItems(db, { ...own, ...page })
    expect(listed.map(({ number, clientId }) => [number, clientId])).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((number) => [number, 'own']),
    )
    expect(listed[2]).toMatchObject({ status: 'completed', response: { of: 'own' }, evidence: {} })
    expect((await listItems(db, { ...own, ...page, filter: 'failed' })).map(({ number }) => number)).toEqual([5])
    expect((await listItems(db, { ...own, ...page, status: 'completed' })).map(({ number }) => number)).toEqual([0, 2])
    await db.query('update executions set is_retained = false where workspace_id = $1', [own.workspaceId])
    expect((await listItems(db, { ...own, ...page }))[2]).toMatchObject({ response: null, evidence: null })
  })

  test('are listed where a value needs a look, until it is reviewed', async () => {
    const looks = async () => {
      const found = await listItems(db, { ...own, ...page, filter: 'low_confidence' })
      return found.map(({ number, needsLook }) => [number, needsLook])
    }
    const set = (sql: string) =>
      db.query(`update executions set ${sql} where workspace_id = $1 and id = $2`, [own.workspaceId, executions[2]])
    expect(await looks()).toEqual([])
    await set(`needs_look = '[]'`)
    expect(await looks()).toEqual([])
    await set(`needs_look = '["/total", "/lines/0"]'`)
    expect(await looks()).toEqual([[2, ['/total', '/lines/0']]])
    await set(`review = '{"status": "needed", "changes": [{"path": "/total"}]}'`)
    expect(await looks()).toEqual([[2, ['/lines/0']]])
    await set('is_retained = false')
    expect(await looks()).toEqual([])
    expect((await listItems(db, { ...own, ...page }))[2]?.needsLook).toEqual([])
    await set(`is_retained = true, review = '{"status": "done", "changes": []}'`)
    expect(await looks()).toEqual([])
    expect((await listItems(db, { ...own, ...page }))[2]?.needsLook).toEqual([])
  })

  test('have their answers listed while these are retained', async () => {
    const listed = async () =>
      (await listResponses(db, { ...own, after: -1, limit: 10 })).map(({ response }) => response)
    expect(await listed()).toEqual(Array(4).fill({ of: 'own' }))
    await db.query('update executions set is_retained = false where workspace_id = $1', [own.workspaceId])
    expect(await listed()).toEqual([])
  })
})
