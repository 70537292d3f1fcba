import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabaseWithoutQueue, type TestDatabase } from '../../../../../../test/support/database.ts'
import { silentLog } from '../../../core/log.ts'
import { Deferred, type Job, LeaseLost, type Queue, type Slot } from '../queue.ts'
import { openJobStore } from './leases.ts'
import { openQueue } from './pgboss-queue.ts'

const topic = 'errands'
let database: TestDatabase
let queue: Queue

const open = (more: { pollMs?: number } = {}) =>
  openQueue({ db: database.db, address: database.address, log: silentLog, ...more }, [topic])

beforeEach(async () => {
  database = await makeDatabaseWithoutQueue()
  queue = await open()
})
afterEach(async () => {
  await queue.stop(AbortSignal.abort())
  await database[Symbol.asyncDispose]()
})

/** Resolves after `count` reports. */
function tally<T>(count: number) {
  const reports: T[] = []
  let enough: (reports: T[]) => void
  const all = new Promise<T[]>((resolve) => {
    enough = resolve
  })
  return {
    reports,
    all,
    report(one: T) {
      reports.push(one)
      if (reports.length === count) enough(reports)
    },
  }
}

const until = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a job of a rolled-back transaction is never delivered, one of a committed transaction is', async () => {
  const given = tally<string>(1)
  queue.work(topic, { total: 4 }, async (job) => given.report(String(job.data['name'])))
  const undone = database.db.transaction(async (tx) => {
    await queue.add(tx, topic, { name: 'undone' })
    throw new Error('thought better of it')
  })
  await expect(undone).rejects.toThrow('thought better')
  await queue.add(database.db, topic, { name: 'kept' })
  expect(await given.all).toEqual(['kept'])
})

test('jobs are delivered in the order of their turns, those of one turn in insertion order', async () => {
  for (const [name, turn] of [
    ['c', 2],
    ['a', 0],
    ['b', 1],
    ['d', 2],
  ] as const)
    await queue.add(database.db, topic, { name }, { turn })
  expect([await queue.firstTurn(topic), await queue.waiting(topic, 10), await queue.waiting(topic, 3)]).toEqual([
    0, 4, 3,
  ])
  const given = tally<string>(4)
  queue.work(topic, { total: 1 }, async (job) => given.report(String(job.data['name'])))
  expect(await given.all).toEqual(['a', 'b', 'c', 'd'])
  expect(await queue.firstTurn(topic)).toBe(0)
})

test('a delayed job is delivered when its delay is over, not before and without waiting for the poll', async () => {
  await queue.stop(AbortSignal.abort())
  // A poll that never happens within this test: only insertions wake the worker.
  queue = await open({ pollMs: 3_600_000 })
  const given = tally<string>(3)
  queue.work(topic, { total: 4 }, async (job) => {
    const [row] = await database.db.query(
      `select pgboss.job_now() >= start_after as due from pgboss.job_common where data->>'name' = $1`,
      [job.data['name']],
    )
    given.report(`${job.data['name']} ${row?.['due'] === true ? 'due' : 'early'}`)
  })
  await queue.add(database.db, topic, { name: 'late' }, { delayMs: 700 })
  await queue.add(database.db, topic, { name: 'soon' }, { delayMs: 300 })
  await queue.add(database.db, topic, { name: 'now' })
  // On a busy machine the shorter delay may be over before the worker looks: the order is no promise.
  expect([...(await given.all)].sort()).toEqual(['late due', 'now due', 'soon due'])
})

test('a full group waits without delaying another, and continues as its own jobs end', async () => {
  const ends: (() => void)[] = []
  let busy = 0
  let busyMost = 0
  const slow = tally<number>(12)
  const good = tally<string>(5)
  for (let number = 0; number < 12; number++) await queue.add(database.db, topic, { number }, { group: 'slow' })
  for (let number = 0; number < 5; number++) await queue.add(database.db, topic, { name: 'good' }, { group: 'good' })
  queue.work(topic, { total: 8, perGroup: 2 }, async (job) => {
    if (job.data['name']) return good.report('good')
    busyMost = Math.max(busyMost, ++busy)
    await new Promise<void>((resolve) => ends.push(resolve))
    busy--
    slow.report(Number(job.data['number']))
  })
  await good.all
  expect(slow.reports).toEqual([])
  expect(busyMost).toBe(2)
  const letGo = setInterval(() => ends.shift()?.(), 1)
  expect((await slow.all).sort((left, right) => left - right)).toEqual(Array.from({ length: 12 }, (_, index) => index))
  clearInterval(letGo)
  expect(busyMost).toBe(2)
})

test('a group without capacity is deferred as a whole, delays nobody, and returns soon', async () => {
  for (let number = 0; number < 50; number++) await queue.add(database.db, topic, { number }, { group: 'busy' })
  for (let number = 0; number < 5; number++) await queue.add(database.db, topic, { name: 'good' }, { group: 'good' })
  let room = false
  let refused = 0
  const good = tally<string>(5)
  const done = tally<number>(50)
  queue.work(topic, { total: 4, perGroup: 2 }, async (job) => {
    if (job.data['name']) return good.report('good')
    if (!room) {
      refused += 1
      throw new Deferred('no room', 100)
    }
    done.report(job.retries)
  })
  await good.all
  // The jobs in front of the others were not tried one by one.
  expect(refused).toBeLessThan(25)
  room = true
  await done.all
  expect(Math.max(...done.reports)).toBeLessThan(25)
})

test('a job that its handler returns is delivered again, with a higher count', async () => {
  const given = tally<number>(2)
  queue.work(topic, { total: 1 }, async (job) => {
    given.report(job.retries)
    if (job.retries === 0) throw new Error('not now')
  })
  await queue.add(database.db, topic, {})
  expect(await given.all).toEqual([0, 1])
})

test("the end of a job and its handler's writes are one commit", async () => {
  await database.db.query('create table written (retries integer)')
  const given = tally<Job>(2)
  queue.work(topic, { total: 1 }, async (job) => {
    const writing = database.db.transaction(async (tx) => {
      await tx.query('insert into written values ($1)', [job.retries])
      await job.completeIn(tx)
      if (job.retries === 0) throw new Error('undone')
    })
    await writing.finally(() => given.report(job))
  })
  await queue.add(database.db, topic, {})
  await given.all
  expect(await database.db.query('select retries from written')).toEqual([{ retries: 1 }])
})

test('stopping returns a running job, and the next worker gets it', async () => {
  const given = tally<string>(1)
  queue.work(topic, { total: 1 }, async (_job, signal) => {
    given.report('first')
    await until(signal)
  })
  await queue.add(database.db, topic, {}, { group: 'any' })
  await given.all
  await queue.stop(AbortSignal.abort())
  queue = await open()
  const again = tally<number>(1)
  queue.work(topic, { total: 1, perGroup: 1 }, async (job) => again.report(job.retries))
  expect(await again.all).toEqual([1])
})

test('several processes open the queue of a new database concurrently', async () => {
  await using fresh = await makeDatabaseWithoutQueue()
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => openQueue({ db: fresh.db, address: fresh.address, log: silentLog }, [topic])),
  )
  expect(opened.length).toBe(4)
  await Promise.all(opened.map((one) => one.stop(AbortSignal.abort())))
})

test("a job with a reserved slot starts immediately, and its end and its handler's writes are one commit", async () => {
  const given = tally<{ name: unknown; handed: unknown; retries: number }>(1)
  const looked = tally<void>(1)
  queue.work(topic, { total: 2 }, async (job) => {
    if (job.data['name'] === 'first') return looked.report()
    await database.db.transaction((tx) => job.completeIn(tx))
    given.report({ name: job.data['name'], handed: job.handed, retries: job.retries })
  })
  await queue.add(database.db, topic, { name: 'first' })
  await looked.all
  const slot = await freeSlot(queue)
  await database.db.transaction((tx) => slot.add(tx, { name: 'kept' }, { group: 'any' }))
  expect(await stateOf('kept')).toBe('active')
  slot.begin({ in: 'memory' })
  expect(await given.all).toEqual([{ name: 'kept', handed: { in: 'memory' }, retries: 0 }])
  expect(await stateOf('kept')).toBe('completed')
})

test('a job that was inserted for a slot but never started is delivered again, as after a crash', async () => {
  const given = tally<{ name: unknown; handed: unknown; retries: number }>(1)
  queue.work(topic, { total: 1 }, async (job) =>
    given.report({ name: job.data['name'], handed: job.handed, retries: job.retries }),
  )
  const slot = await freeSlot(queue)
  await database.db.transaction((tx) => slot.add(tx, { name: 'orphan' }))
  slot.giveUp()
  expect(await given.all).toEqual([{ name: 'orphan', handed: undefined, retries: 1 }])
})

test('a job passed to a stopping worker is refused, and delivered by the next', async () => {
  const given = tally<{ handed: unknown; stops: boolean }>(1)
  queue.work(topic, { total: 1 }, async (job, signal) => {
    given.report({ handed: job.handed, stops: signal.aborted })
    signal.throwIfAborted()
  })
  const slot = await freeSlot(queue)
  await database.db.transaction((tx) => slot.add(tx, { name: 'late' }))
  const stopped = queue.stop(new AbortController().signal)
  slot.begin({ in: 'memory' })
  expect(await given.all).toEqual([{ handed: { in: 'memory' }, stops: true }])
  await stopped
  const again = tally<unknown>(1)
  const { db, address } = database
  queue = await openQueue({ db, address, log: silentLog }, [topic])
  queue.work(topic, { total: 1 }, async (job) => again.report(job.data['name']))
  expect(await again.all).toEqual(['late'])
})

test('slots are limited, and unavailable for other topics or when jobs may be waiting', async () => {
  expect(queue.slotFor(topic)).toBeUndefined()
  const over = Promise.withResolvers<void>()
  queue.work(topic, { total: 2 }, () => over.promise)
  const first = await freeSlot(queue)
  await database.db.transaction((tx) => first.add(tx, {}))
  first.begin(null)
  const second = queue.slotFor(topic)
  expect(second).toBeDefined()
  expect(queue.slotFor(topic)).toBeUndefined()
  second?.giveUp()
  const again = queue.slotFor(topic)
  expect(again).toBeDefined()
  again?.giveUp()
  over.resolve()
})

test('with bounded groups there are no reserved slots: only the database knows the capacity', async () => {
  const given = tally<void>(1)
  queue.work(topic, { total: 2, perGroup: 1 }, async () => given.report())
  await queue.add(database.db, topic, {}, { group: 'one' })
  await given.all
  expect(queue.slotFor(topic)).toBeUndefined()
})

test.each([
  ['to a later attempt', 'retry_count = retry_count + 1'],
  ['back to those that wait', `state = 'retry'`],
  ['to its end', `state = 'completed'`],
])("a job that went %s behind its handler's back is released", async (_where, change) => {
  const given = tally<AbortSignal>(1)
  queue.work(topic, { total: 1 }, async (_job, signal) => {
    given.report(signal)
    await until(signal)
  })
  await queue.add(database.db, topic, {})
  const [signal] = await given.all
  // At a time beyond this test, so that the job is not fetched again.
  await database.db.query(`update pgboss.job_common set ${change}, start_after = now() + interval '1 hour'`)
  await expect.poll(() => signal?.reason).toBeInstanceOf(LeaseLost)
})

test('running jobs do not count as waiting, and have no turn', async () => {
  const given = tally<void>(1)
  const over = Promise.withResolvers<void>()
  queue.work(topic, { total: 1 }, async () => {
    given.report()
    await over.promise
  })
  await queue.add(database.db, topic, {}, { turn: 1 })
  await given.all
  expect([await queue.waiting(topic, 10), await queue.firstTurn(topic)]).toEqual([0, 0])
  await queue.add(database.db, topic, {}, { turn: 2 })
  expect([await queue.waiting(topic, 10), await queue.firstTurn(topic)]).toEqual([1, 2])
  over.resolve()
})

test('the age of a queue is that of the job that could have begun first, without those that run or are not due', async () => {
  expect(await queue.oldestSeconds(topic, 10)).toBe(0)
  await queue.add(database.db, topic, {}, { delayMs: 3_600_000 })
  expect(await queue.oldestSeconds(topic, 10)).toBe(0)
  for (const turn of [1, 2]) await queue.add(database.db, topic, {}, { turn })
  for (const [turn, age] of [
    [1, '1 minute'],
    [2, '10 minutes'],
  ] as const)
    await database.db.query(
      `update pgboss.job_common set start_after = pgboss.job_now() - $1::interval where name = $2 and priority = $3`,
      [age, topic, -turn],
    )
  const seconds = await queue.oldestSeconds(topic, 10)
  expect([seconds >= 600, seconds < 660]).toEqual([true, true])
  const given = tally<void>(1)
  const over = Promise.withResolvers<void>()
  queue.work(topic, { total: 1 }, async () => {
    given.report()
    await over.promise
  })
  await given.all
  expect(Math.floor((await queue.oldestSeconds(topic, 10)) / 60)).toBe(10)
  over.resolve()
})

test('a heartbeat does not wait for a job that is being completed, and keeps its lease', async () => {
  const given = tally<Job>(2)
  const over = Promise.withResolvers<void>()
  const aborted: string[] = []
  queue.work(topic, { total: 2 }, async (job, signal) => {
    signal.addEventListener('abort', () => aborted.push(String(job.data['name'])))
    given.report(job)
    await over.promise
  })
  for (const name of ['one', 'two']) await queue.add(database.db, topic, { name })
  const [first] = await given.all
  await database.db.transaction(async (tx) => {
    await first?.completeIn(tx)
    // The other job's heartbeat continues while this row is locked.
    const other = first?.data['name'] === 'one' ? 'two' : 'one'
    const before = await beatOf(other)
    while ((await beatOf(other)) === before) await database.db.query('select 1')
  })
  expect(aborted).toEqual([])
  over.resolve()
})

test('a heartbeat renews the lease of its own attempt, while the job runs', async () => {
  await queue.add(database.db, topic, { name: 'one' })
  await queue.stop(AbortSignal.abort())
  const [job] = await database.db.query<{ id: string }>(
    `update pgboss.job_common set retry_count = 2, heartbeat_on = pgboss.job_now() - interval '1 hour' where name = $1
     returning id`,
    [topic],
  )
  const store = openJobStore({ boss: undefined as never, db: database.db }, topic, undefined)
  const renew = async (retryCount: number) => {
    const before = await beatOf('one')
    const lost = await store.renew([{ id: job?.id ?? '', retryCount }])
    return { lost: lost.length, renewed: (await beatOf('one')) !== before }
  }
  expect(await renew(2)).toEqual({ lost: 1, renewed: false })
  await database.db.query(`update pgboss.job_common set state = 'active' where name = $1`, [topic])
  expect(await renew(1)).toEqual({ lost: 1, renewed: false })
  expect(await renew(2)).toEqual({ lost: 0, renewed: true })
})

test('a job without heartbeats returns to the queue, and one that waits there already keeps its delay', async () => {
  for (const name of ['lapsed', 'waiting']) await queue.add(database.db, topic, { name })
  await database.db.query(
    `update pgboss.job_common set heartbeat_on = pgboss.job_now() - interval '1 hour',
       start_after = pgboss.job_now() + interval '1 hour',
       state = (case data->>'name' when 'lapsed' then 'active' else 'retry' end)::pgboss.job_state
     where name = $1`,
    [topic],
  )
  const waiting = () => database.db.query(`select * from pgboss.job_common where data->>'name' = 'waiting'`)
  const before = await waiting()
  await expect.poll(() => stateOf('lapsed')).toBe('retry')
  expect(await waiting()).toEqual(before)
})

const beatOf = async (name: string): Promise<number> => {
  const [row] = await database.db.query<{ at: Date }>(
    `select heartbeat_on as at from pgboss.job_common where data->>'name' = $1`,
    [name],
  )
  return row?.at.getTime() ?? 0
}

/** A slot, once the worker has seen what is waiting. */
async function freeSlot(of: Queue): Promise<Slot> {
  for (;;) {
    const slot = of.slotFor(topic)
    if (slot) return slot
    await database.db.query('select 1')
  }
}

async function stateOf(name: string): Promise<unknown> {
  const [row] = await database.db.query(`select state from pgboss.job_common where data->>'name' = $1`, [name])
  return row?.['state']
}
