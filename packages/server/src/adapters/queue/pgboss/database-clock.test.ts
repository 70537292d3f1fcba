import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabaseWithoutQueue, type TestDatabase } from '../../../../../../test/support/database.ts'
import { silentLog } from '../../../core/log.ts'
import type { Queue } from '../queue.ts'
import { followDatabaseClock } from './database-clock.ts'
import { openQueue } from './pgboss-queue.ts'

const topic = 'errands'
let database: TestDatabase
let queue: Queue

const open = () => openQueue({ db: database.db, address: database.address, log: silentLog }, [topic])

beforeEach(async () => {
  database = await makeDatabaseWithoutQueue()
  queue = await open()
})
afterEach(async () => {
  await queue.stop(AbortSignal.abort())
  await database[Symbol.asyncDispose]()
})

/** Sets the clock that the database's queue uses. */
const setClock = (interval: string) =>
  database.db.query(
    `create or replace function pgboss.job_now() returns timestamptz language sql stable as $$ select now() + interval '${interval}' $$`,
  )

/** The names of the jobs in delivery order, once there are `count`. */
function given(count: number): Promise<readonly string[]> {
  const names: string[] = []
  return new Promise((resolve) => {
    queue.work(topic, { total: 1 }, async (job) => {
      names.push(String(job.data['name']))
      if (names.length === count) resolve(names)
    })
  })
}

test('a delayed job is delivered after its delay although the clock was set back by two hours', async () => {
  await queue.add(database.db, topic, { name: 'delayed' }, { delayMs: 3_000 })
  await queue.add(database.db, topic, { name: 'at once' })
  await setClock('-2 hours')
  expect(await given(2)).toEqual(['at once', 'delayed'])
})

test('jobs from before the clock was set back precede later ones', async () => {
  for (const name of ['a', 'b', 'c']) await queue.add(database.db, topic, { name })
  await setClock('-2 hours')
  const isOrdered = async () =>
    (
      await database.db.query<{ late: boolean }>(
        'select bool_or(created_on > pgboss.job_now()) as late from pgboss.job_common where name = $1',
        [topic],
      )
    )[0]?.late === false
  await expect.poll(isOrdered).toBe(true)
  await queue.add(database.db, topic, { name: 'd' })
  expect(await given(4)).toEqual(['a', 'b', 'c', 'd'])
})

test('a clock that was set back while no process ran is detected at the next start', async () => {
  await queue.add(database.db, topic, { name: 'delayed' }, { delayMs: 2_000 })
  await queue.stop(AbortSignal.abort())
  await setClock('-2 hours')
  queue = await open()
  expect(await given(1)).toEqual(['delayed'])
})

test('several processes that detect a clock change move the jobs once', async () => {
  await queue.add(database.db, topic, { name: 'delayed' }, { delayMs: 3_600_000 })
  await queue.stop(AbortSignal.abort())
  await setClock('-2 hours')
  const moved = await Promise.all(Array.from({ length: 4 }, () => followDatabaseClock(database.db)))
  expect(moved.sort()).toEqual([0, 0, 0, 1])
  const [job] = await database.db.query<{ minutes: number }>(
    `select round(extract(epoch from start_after - pgboss.job_now()) / 60)::integer as minutes from pgboss.job_common where name = $1`,
    [topic],
  )
  expect(job?.minutes).toBe(60)
  await setClock('-1 hour')
  expect(await followDatabaseClock(database.db)).toBe(0)
})

test('jobs that run or have ended keep their times when the clock is set back', async () => {
  for (const state of ['created', 'active', 'completed', 'failed']) await queue.add(database.db, topic, { name: state })
  await queue.stop(AbortSignal.abort())
  await database.db.query(`update pgboss.job_common set state = (data->>'name')::pgboss.job_state where name = $1`, [
    topic,
  ])
  await setClock('-2 hours')
  expect(await followDatabaseClock(database.db)).toBe(1)
})
