import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../../../core/limits.ts'
import { silentLog } from '../../../core/log.ts'
import { type Job, LeaseLost, WorkerStops } from '../queue.ts'
import type { Attempt } from './lease-table.ts'
import { type FetchedJob, type JobStore, startWorker } from './worker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The jobs of an in-memory database, fenced by attempt as in pg-boss, on a clock that the test sets. */
function makeStore() {
  type Row = { retryCount: number; state: 'queued' | 'active' | 'done'; beatMs: number }
  const rows = new Map<string, Row>()
  let isAway = false
  const reach = async () => {
    if (isAway) throw new Error('the database is away')
  }
  const active = ({ id, retryCount }: Attempt): Row | undefined => {
    const row = rows.get(id)
    return row?.state === 'active' && row.retryCount === retryCount ? row : undefined
  }
  const back = async (attempt: Attempt) => {
    await reach()
    const row = active(attempt)
    if (row) Object.assign(row, { state: 'queued', retryCount: row.retryCount + 1 })
  }
  const store: JobStore = {
    async fetch(count) {
      await reach()
      const found = [...rows].filter(([, row]) => row.state === 'queued').slice(0, count)
      for (const [, row] of found) Object.assign(row, { state: 'active', beatMs: performance.now() })
      return found.map(([id, { retryCount }]): FetchedJob => ({ id, retryCount, data: { id } }))
    },
    async addActive(_tx, { id }) {
      await reach()
      rows.set(id, { retryCount: 0, state: 'active', beatMs: performance.now() })
    },
    async renew(attempts) {
      await reach()
      for (const attempt of attempts) Object.assign(active(attempt) ?? {}, { beatMs: performance.now() })
      return attempts.filter((attempt) => !active(attempt))
    },
    async complete(attempt) {
      await reach()
      Object.assign(active(attempt) ?? {}, { state: 'done' })
    },
    giveBack: back,
    fail: back,
  }
  return {
    store,
    row: (id: string) => rows.get(id),
    add: (id: string) => rows.set(id, { retryCount: 0, state: 'queued', beatMs: 0 }),
    /** What the watch of another process does when a lease has lapsed. */
    giveOutAgain: (id: string) => {
      const row = rows.get(id)
      if (row?.state === 'active') Object.assign(row, { state: 'queued', retryCount: row.retryCount + 1 })
    },
    /** Another process fetches the job. */
    takeElsewhere: (id: string) => Object.assign(rows.get(id) ?? {}, { state: 'active', beatMs: performance.now() }),
    silentMs: (id: string) => performance.now() - (rows.get(id)?.beatMs ?? 0),
    goAway: () => {
      isAway = true
    },
    comeBack: () => {
      isAway = false
    },
  }
}

/** A worker whose handlers end on command. `letsGo`: they end when they are aborted. */
function openWorker(options: { slots?: number; letsGo?: boolean } = {}) {
  const database = makeStore()
  const runs: { job: Job; signal: AbortSignal; end: () => void }[] = []
  const worker = startWorker(
    { store: database.store, log: silentLog },
    {
      topic: 'errands',
      slots: { total: options.slots ?? 4 },
      handler: (job, signal) =>
        new Promise<void>((resolve, reject) => {
          runs.push({ job, signal, end: resolve })
          if (options.letsGo) signal.addEventListener('abort', () => reject(signal.reason))
        }),
    },
  )
  return { ...database, worker, runs, begun: () => runs.map(({ job }) => `${job.data['id']}${job.retries}`) }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a job that this process fetches again keeps its heartbeats when the earlier run ends late', async () => {
  const { add, worker, runs, giveOutAgain, silentMs, row, begun } = openWorker()
  add('a')
  worker.wake()
  await pass(0)
  giveOutAgain('a')
  worker.wake()
  await pass(0)
  expect([begun(), runs[0]?.signal.reason]).toEqual([['a0'], expect.any(LeaseLost)])
  runs[0]?.end()
  await pass(0)
  expect(begun()).toEqual(['a0', 'a1'])
  // A regression test: the end of the first run must not remove the entry of the second.
  await pass(3 * limits.leaseMs)
  expect(silentMs('a')).toBeLessThanOrEqual(limits.heartbeatMs)
  expect(runs[1]?.signal.aborted).toBe(false)
  runs[1]?.end()
  await pass(0)
  expect(row('a')).toMatchObject({ state: 'done', retryCount: 1 })
})

test('the heartbeats of a later attempt continue while the earlier one has not released its job', async () => {
  const { add, worker, giveOutAgain, silentMs, runs } = openWorker()
  add('a')
  worker.wake()
  await pass(0)
  giveOutAgain('a')
  worker.wake()
  await pass(2 * limits.leaseMs)
  expect([runs.length, silentMs('a') <= limits.heartbeatMs]).toEqual([1, true])
})

test('a database outage releases no job, and the leases continue after it', async () => {
  const { add, worker, runs, goAway, comeBack, silentMs, row } = openWorker({ letsGo: true })
  for (const id of ['a', 'b']) add(id)
  worker.wake()
  await pass(0)
  goAway()
  await pass(3 * limits.leaseMs)
  comeBack()
  await pass(limits.heartbeatMs)
  expect([silentMs('a'), silentMs('b')].every((ms) => ms <= limits.heartbeatMs)).toBe(true)
  expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false])
  for (const { end } of runs) end()
  await pass(0)
  expect([row('a'), row('b')]).toMatchObject([{ state: 'done' }, { state: 'done' }])
})

test('a job that went to another process is released at the next heartbeat, and its end changes nothing there', async () => {
  const { add, worker, runs, giveOutAgain, takeElsewhere, row } = openWorker()
  add('a')
  worker.wake()
  await pass(0)
  giveOutAgain('a')
  takeElsewhere('a')
  await pass(limits.heartbeatMs)
  expect(runs[0]?.signal.reason).toBeInstanceOf(LeaseLost)
  runs[0]?.end()
  await pass(0)
  expect(row('a')).toMatchObject({ state: 'active', retryCount: 1 })
})

test('a job that could not be completed during an outage is no longer held, so that its lease can lapse', async () => {
  const { add, worker, runs, goAway, comeBack, row, silentMs } = openWorker()
  add('a')
  worker.wake()
  await pass(0)
  goAway()
  runs[0]?.end()
  await pass(0)
  comeBack()
  await pass(2 * limits.leaseMs)
  expect(worker.holds({ id: 'a', retryCount: 0 })).toBe(false)
  expect([row('a')?.state, silentMs('a') >= limits.leaseMs]).toEqual(['active', true])
})

test('a slot that is reserved during a fetch is kept, and fetched jobs wait for the next one', async () => {
  const { add, worker, runs, begun } = openWorker({ slots: 1 })
  await pass(0)
  add('a')
  worker.wake()
  const slot = worker.slot()
  expect(slot).toBeDefined()
  await slot?.add({ query: async () => [] }, { id: 'handed' })
  slot?.begin('memory')
  await pass(0)
  expect(begun()).toEqual(['handed0'])
  runs[0]?.end()
  await pass(2_000)
  expect(begun()).toEqual(['handed0', 'a0'])
})

test('stopping returns waiting jobs, lets running ones end, and aborts them after the grace period', async () => {
  const { add, worker, runs, row } = openWorker({ slots: 2, letsGo: true })
  for (const id of ['a', 'b', 'c']) add(id)
  worker.wake()
  await pass(0)
  const patience = new AbortController()
  let stopped = false
  void worker.stop(patience.signal).then(() => {
    stopped = true
  })
  runs[0]?.end()
  await pass(0)
  expect([row('a')?.state, row('b')?.state, row('c')?.state, stopped]).toEqual(['done', 'active', 'queued', false])
  patience.abort()
  await pass(0)
  expect(runs[1]?.signal.reason).toBeInstanceOf(WorkerStops)
  expect([row('b')?.state, stopped]).toEqual(['queued', true])
})

test('a handler that ignores its abort delays the next attempt for a limited time, and writes nothing when it ends', async () => {
  const { add, worker, runs, giveOutAgain, row, begun } = openWorker({ slots: 1 })
  add('a')
  worker.wake()
  await pass(0)
  giveOutAgain('a')
  worker.wake()
  await pass(2 * limits.leaseMs)
  // With one slot, the next attempt is only fetched when the earlier one has been abandoned.
  await pass(limits.letGoMs + 2_000)
  expect(begun()).toEqual(['a0', 'a1'])
  runs[0]?.end()
  await pass(0)
  expect(row('a')).toMatchObject({ state: 'active', retryCount: 1 })
  runs[1]?.end()
  await pass(0)
  expect(row('a')).toMatchObject({ state: 'done', retryCount: 1 })
})
