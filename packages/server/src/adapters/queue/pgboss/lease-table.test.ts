import { expect, test } from 'vitest'
import { LeaseLost } from '../queue.ts'
import { type Attempt, createLeaseTable } from './lease-table.ts'

/** A table whose handlers end on command, and a log of their notifications, in order. */
function openTable(slots: number) {
  const events: string[] = []
  const ends = new Map<string, () => void>()
  const deadlines = new Set<() => void>()
  const nameOf = ({ id, retryCount }: Attempt) => `${id}${retryCount}`
  const table = createLeaseTable<Attempt>(
    slots,
    async ({ job, signal }) => {
      const name = nameOf(job)
      const reasonOf = () => (signal.reason instanceof LeaseLost ? 'lost' : 'stops')
      if (signal.aborted) {
        events.push(`${name} ends unbegun: ${reasonOf()}`)
        return
      }
      events.push(`${name} begins`)
      signal.addEventListener('abort', () => events.push(`${name} hears: ${reasonOf()}`))
      await new Promise<void>((resolve) => ends.set(name, resolve))
      events.push(`${name} ends`)
    },
    {
      onFree: () => events.push('free'),
      onAbandoned: (job) => events.push(`${nameOf(job)} is abandoned`),
      deadline(call) {
        deadlines.add(call)
        return () => deadlines.delete(call)
      },
    },
  )
  return {
    table,
    events,
    /** Ends the release deadline of every aborted handler. */
    passDeadlines() {
      for (const call of [...deadlines]) call()
    },
    deadlines: () => deadlines.size,
    async end(name: string) {
      ends.get(name)?.()
      // The entry is removed when the handler's promise has settled.
      await new Promise(setImmediate)
    },
    take: (id: string, retryCount: number) => table.take({ id, retryCount }),
  }
}

test('a later attempt aborts the earlier one, and starts when that has released its job', async () => {
  const { table, events, take, end } = openTable(4)
  take('a', 0)
  take('a', 1)
  expect(events).toEqual(['a0 begins', 'a0 hears: lost'])
  expect(table.attempts).toEqual([
    { id: 'a', retryCount: 0 },
    { id: 'a', retryCount: 1 },
  ])
  await end('a0')
  expect(events.slice(2)).toEqual(['a0 ends', 'a1 begins', 'free'])
})

test('the late end of an earlier attempt does not affect the entry of the later one', async () => {
  const { table, take, end } = openTable(4)
  take('a', 0)
  take('a', 1)
  await end('a0')
  expect(table.attempts).toEqual([{ id: 'a', retryCount: 1 }])
  expect(table.holds({ id: 'a', retryCount: 1 })).toBe(true)
  expect(table.holds({ id: 'a', retryCount: 0 })).toBe(false)
  table.lose([{ id: 'a', retryCount: 0 }])
  await end('a1')
  expect(table.attempts).toEqual([])
})

test('of three concurrent attempts only the last starts, after the first has released its job', async () => {
  const { events, take, end } = openTable(4)
  take('a', 0)
  take('a', 1)
  take('a', 2)
  expect(events).toEqual(['a0 begins', 'a0 hears: lost', 'a1 ends unbegun: lost'])
  await end('a0')
  expect(events.at(-2)).toBe('a2 begins')
})

test('an attempt that arrives after a later one is lost from the start', async () => {
  const { table, events, take, end } = openTable(4)
  take('a', 1)
  take('a', 0)
  expect(events).toEqual(['a1 begins', 'a0 ends unbegun: lost'])
  await end('')
  expect(table.attempts).toEqual([{ id: 'a', retryCount: 1 }])
})

test('an aborted handler keeps its slot until it has released its job', async () => {
  const { table, events, take, end } = openTable(1)
  take('a', 0)
  table.lose([{ id: 'a', retryCount: 0 }])
  take('b', 0)
  expect([events, table.free]).toEqual([['a0 begins', 'a0 hears: lost'], 0])
  await end('a0')
  expect(events.slice(2)).toEqual(['a0 ends', 'b0 begins', 'free'])
})

test('jobs of a fetch that overlaps with a reservation wait for slots, and start in order', async () => {
  const { table, events, take, end } = openTable(2)
  const reserved = { id: 'r', retryCount: 0 }
  expect(table.free).toBe(2)
  // While two jobs are being fetched, a request takes one of the slots.
  expect(table.reserve(reserved)).toBe(true)
  take('a', 0)
  table.unreserve(reserved)
  table.take(reserved)
  take('b', 0)
  expect([events, table.free]).toEqual([['a0 begins', 'r0 begins'], 0])
  await end('a0')
  expect(events.slice(2)).toEqual(['a0 ends', 'b0 begins', 'free'])
})

test('a reservation takes a slot, is held like a lease, and the number of slots is the limit', () => {
  const { table } = openTable(2)
  const [one, two, three] = ['1', '2', '3'].map((id) => ({ id, retryCount: 0 })) as [Attempt, Attempt, Attempt]
  expect([table.reserve(one), table.reserve(two), table.reserve(three)]).toEqual([true, true, false])
  expect([table.holds(one), table.holds(three), table.free]).toEqual([true, false, 0])
  table.unreserve(one)
  expect([table.holds(one), table.free]).toEqual([false, 1])
})

test('closing ends waiting and arriving jobs, and leaves running ones alone', async () => {
  const { table, events, take, end } = openTable(1)
  take('a', 0)
  take('b', 0)
  table.close()
  take('c', 0)
  expect(events).toEqual(['a0 begins', 'b0 ends unbegun: stops', 'c0 ends unbegun: stops'])
  expect(table.reserve({ id: 'd', retryCount: 0 })).toBe(false)
  await end('a0')
  expect(table.attempts).toEqual([])
})

test('draining waits for every handler, including those that start during the wait', async () => {
  const { table, take, end, events } = openTable(1)
  take('a', 0)
  take('b', 0)
  let drained = false
  void table.drained().then(() => {
    drained = true
  })
  await end('a0')
  expect([drained, events.at(-2)]).toEqual([false, 'b0 begins'])
  table.abortAll()
  expect(events.at(-1)).toBe('b0 hears: stops')
  await end('b0')
  expect(drained).toBe(true)
})

test('a lease that is lost twice, or lost and stopped, is reported once', async () => {
  const { table, events, take } = openTable(1)
  take('a', 0)
  table.lose([{ id: 'a', retryCount: 0 }])
  table.lose([{ id: 'a', retryCount: 0 }])
  table.abortAll()
  expect(events).toEqual(['a0 begins', 'a0 hears: lost'])
})

test('an earlier attempt that never releases its job is abandoned at its deadline, and the later one starts', async () => {
  const { table, events, take, end, passDeadlines } = openTable(1)
  take('a', 0)
  take('a', 1)
  expect(events).toEqual(['a0 begins', 'a0 hears: lost'])
  passDeadlines()
  expect(events.slice(2)).toEqual(['a0 is abandoned', 'a1 begins', 'free'])
  expect([table.attempts, table.free]).toEqual([[{ id: 'a', retryCount: 1 }], 0])
  // The late end of the abandoned handler frees no second slot and does not affect the later attempt.
  await end('a0')
  expect(events.slice(5)).toEqual(['a0 ends'])
  expect([table.attempts, table.free]).toEqual([[{ id: 'a', retryCount: 1 }], 0])
  await end('a1')
  expect([table.attempts, table.free]).toEqual([[], 1])
})

test('a handler that releases its job in time is not abandoned, and its deadline is cancelled', async () => {
  const { events, take, end, passDeadlines, deadlines } = openTable(2)
  take('a', 0)
  take('a', 1)
  await end('a0')
  expect(deadlines()).toBe(0)
  passDeadlines()
  expect(events).toEqual(['a0 begins', 'a0 hears: lost', 'a0 ends', 'a1 begins', 'free'])
})

test('a handler that ignores a lost lease frees its slot at the deadline, and stopping waits no longer for it', async () => {
  const { table, events, take, passDeadlines } = openTable(1)
  take('a', 0)
  table.lose([{ id: 'a', retryCount: 0 }])
  take('b', 0)
  passDeadlines()
  expect(events.slice(2)).toEqual(['a0 is abandoned', 'b0 begins', 'free'])
  const drained = table.drained()
  table.abortAll()
  passDeadlines()
  await drained
  expect(table.attempts).toEqual([])
})
