import { systemClock as clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeEmptyDatabase } from '../../../../../../test/support/database.ts'
import { opened } from '../../../../../../test/support/opened.ts'
import { silentLog as log } from '../../../core/log.ts'
import { brokenConstraint, type Db, jsonb, notify } from '../db.ts'
import { connect } from './connect.ts'

let db: Db

const service = await opened(makeEmptyDatabase())
beforeAll(async () => {
  db = service.db
})

/** Ends a connection as a server that goes away would. */
async function cut(pid: number): Promise<void> {
  await using other = await secondConnection()
  await other.db.query(`select pg_terminate_backend($1, 5000)`, [pid])
}

/** The server process that runs `text`, or ran it last, once there is one. */
async function processRunning(text: string): Promise<number> {
  for (;;) {
    const rows = await db.query<{ pid: number }>(
      `select pid from pg_stat_activity where query = $1 and pid <> pg_backend_pid() and datname = current_database()`,
      [text],
    )
    if (rows[0] !== undefined) return rows[0].pid
  }
}

async function secondConnection(): Promise<{ db: Db } & AsyncDisposable> {
  const second = await connect({ address: service.address, clock, log, connectionsMax: 1 })
  return { db: second, [Symbol.asyncDispose]: () => second.close() }
}

/** A promise that a callback settles. */
function signalled<T>(): { promise: Promise<T>; give: (value: T) => void } {
  let give: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

describe('values', () => {
  test('a bigint is a number, a timestamp a Date, json a value, and types without an exact form stay text', async () => {
    const rows = await db.query(
      `select $1::bigint as count, '{1,null,3}'::bigint[] as counts, '2026-01-02T03:04:05.678Z'::timestamptz as moment,
              '{"a":[1,null]}'::jsonb as value, '2026-01-02'::date as day, 1.10::numeric as amount, null::text as nothing`,
      [Number.MAX_SAFE_INTEGER],
    )
    expect(rows).toEqual([
      {
        count: Number.MAX_SAFE_INTEGER,
        counts: [1, null, 3],
        moment: new Date('2026-01-02T03:04:05.678Z'),
        value: { a: [1, null] },
        day: '2026-01-02',
        amount: '1.10',
        nothing: null,
      },
    ])
  })

  test('a bigint beyond the safe range is a bug and not another number', async () => {
    await expect(db.query(`select 9007199254740993::bigint as n`)).rejects.toThrow(/bigint beyond/)
  })

  test('a large json value is returned unchanged, and other work continues while it is parsed', async () => {
    const value = { items: Array.from({ length: 60_000 }, (_, n) => ({ id: n, name: `item ${n}` })) }
    const text = JSON.stringify(value)
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    const read = db.transaction(async (tx) => {
      const rows = await tx.query('select $1::json as plain, $1::jsonb as "binary", 1 as one', [text])
      setImmediate(count)
      const again = await tx.query('select $1::json as plain', [text])
      isDone = true
      return [...rows, ...again]
    })
    expect(await read).toEqual([{ plain: value, binary: value, one: 1 }, { plain: value }])
    expect(turns).toBeGreaterThan(text.length / (256 * 1024))
  })

  test('an array in a jsonb column round-trips', async () => {
    const [row] = await db.query<{ value: unknown }>(`select $1::jsonb as value`, [jsonb([1, 'two', { three: null }])])
    expect(row?.value).toEqual([1, 'two', { three: null }])
  })

  test('bytes round-trip', async () => {
    const bytes = Buffer.from([0, 255, 10, 39, 92])
    const [row] = await db.query<{ bytes: Buffer }>(`select $1::bytea as bytes`, [bytes])
    expect(row?.bytes.equals(bytes)).toBe(true)
  })

  test('an undefined param is a bug', async () => {
    await expect(db.query(`select $1::text`, [undefined])).rejects.toThrow(/\$1/)
  })

  test('several statements in one text return the rows of the last', async () => {
    expect(await db.query(`select 1 as a; select 2 as b`)).toEqual([{ b: 2 }])
  })
})

describe('failures', () => {
  test('a violated constraint is named', async () => {
    await db.query(`create table pets (name text constraint pets_name_key unique)`)
    await db.query(`insert into pets values ('Ada')`)
    const error = await db.query(`insert into pets values ($1)`, ['Ada']).catch((caught: unknown) => caught)
    expect(brokenConstraint(error)).toEqual({ kind: 'unique', name: 'pets_name_key' })
    expect(brokenConstraint(new Error('other'))).toBeUndefined()
  })

  test('an unreachable server is a temporary Fault', async () => {
    const address = { ...service.address, host: '/nowhere' }
    const error = await connect({ address, clock, log, patienceMs: 0 }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ kind: 'unavailable', code: 'database_unavailable', retryable: true })
  })

  test('a missing database is reported immediately, however long the timeout', async () => {
    const address = { ...service.address, database: 'no_such_database' }
    const connecting = connect({ address, clock, log, patienceMs: 1_000_000 })
    await expect(connecting).rejects.toMatchObject({ code: 'database_unavailable' })
  })

  test('a statement beyond its time limit ends as a timeout', async () => {
    const hasty = await connect({ address: service.address, clock, log, statementTimeoutMs: 50 })
    await expect(hasty.query(`select pg_sleep(30)`)).rejects.toMatchObject({
      kind: 'timeout',
      code: 'database_timeout',
    })
    await hasty.close()
  })

  test('a dropped connection is a Fault for its statement, and the next statement gets a new one', async () => {
    // A unique text: a connection of an earlier test may still show its last statement.
    const slow = db.query(`select pg_sleep(29)`).catch((caught: unknown) => caught)
    await cut(await processRunning('select pg_sleep(29)'))
    expect(await slow).toMatchObject({ kind: 'unavailable', code: 'database_unavailable' })
    expect(await db.query(`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('a stopped database is a Fault once its answer is overdue, on a local socket too', async () => {
    const bounds = { statementTimeoutMs: 1_000, answerGraceMs: 500, connectionsMax: 1 }
    const patient = await connect({ address: service.address, clock, log, ...bounds })
    const [own] = await patient.query<{ pid: number }>(`select pg_backend_pid() as pid`)
    process.kill(own?.pid ?? 0, 'SIGSTOP')
    try {
      await expect(patient.query(`select 1 as one`)).rejects.toMatchObject({ code: 'database_unavailable' })
      expect(await patient.query(`select 2 as two`)).toEqual([{ two: 2 }])
    } finally {
      process.kill(own?.pid ?? 0, 'SIGCONT')
      await patient.close()
    }
  })

  test('a closed database answers with a Fault', async () => {
    const closed = await connect({ address: service.address, clock, log })
    await closed.close()
    await closed.close()
    await expect(closed.query(`select 1`)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('transactions', () => {
  beforeAll(() => db.query(`create table accounts (id int primary key, amount int not null)`))

  test('an exception rolls everything back and is rethrown unchanged', async () => {
    const thrown = new Error('no')
    const work = db.transaction(async (tx) => {
      await tx.query(`insert into accounts values (100, 1)`)
      throw thrown
    })
    await expect(work).rejects.toBe(thrown)
    expect(await db.query(`select * from accounts where id = 100`)).toEqual([])
  })

  test('concurrent statements run one after the other', async () => {
    const counts = await db.transaction((tx) => Promise.all([1, 2, 3].map((n) => tx.query(`select $1::int as n`, [n]))))
    expect(counts).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  })

  test('a swallowed failure does not look like a commit', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(`insert into accounts values (101, 1)`)
      await tx.query(`select 1 / 0`).catch(() => {})
    })
    await expect(work).rejects.toThrow(/after one of its statements had failed/)
    expect(await db.query(`select * from accounts where id = 101`)).toEqual([])
  })

  test('a transaction that has ended takes no more statements', async () => {
    const kept = await db.transaction(async (tx) => tx)
    expect(() => kept.query(`select 1`)).toThrow(/had ended/)
  })

  test('of two deadlocked transactions one is retried until both complete', async () => {
    await db.query(`insert into accounts values (1, 0), (2, 0)`)
    let attempts = 0
    const bothHoldOne = [signalled<void>(), signalled<void>()] as const
    const add = (first: number, second: number, mine: 0 | 1) =>
      db.transaction(async (tx) => {
        attempts++
        await tx.query(`update accounts set amount = amount + 1 where id = $1`, [first])
        bothHoldOne[mine].give()
        await Promise.all(bothHoldOne.map((held) => held.promise))
        await tx.query(`update accounts set amount = amount + 1 where id = $1`, [second])
      })
    await Promise.all([add(1, 2, 0), add(2, 1, 1)])
    expect(await db.query(`select amount from accounts where id in (1, 2)`)).toEqual([{ amount: 2 }, { amount: 2 }])
    // The victim may be back before the other has its lock, and deadlock again.
    expect(attempts).toBeGreaterThanOrEqual(3)
  })

  test('an unanswered commit is reported as uncertain, and it was committed once the database continues', async () => {
    const bounds = { statementTimeoutMs: 1_000, answerGraceMs: 500 }
    const patient = await connect({ address: service.address, clock, log, ...bounds })
    let pid = 0
    const work = patient.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>(`select pg_backend_pid() as pid`)
      pid = own?.pid ?? 0
      await tx.query(`insert into accounts values (104, 1)`)
      process.kill(pid, 'SIGSTOP')
    })
    try {
      await expect(work).rejects.toMatchObject({ kind: 'unavailable', code: 'commit_unknown', retryable: true })
      expect(await db.query(`select * from accounts where id = 104`)).toEqual([])
    } finally {
      process.kill(pid, 'SIGCONT')
      await patient.close()
    }
    await expect.poll(() => db.query(`select amount from accounts where id = 104`)).toEqual([{ amount: 1 }])
  })

  test('a transaction whose connection is dropped is a Fault, and nothing of it stays', async () => {
    const work = db.transaction(async (tx) => {
      await tx.query(`insert into accounts values (102, 1)`)
      const [own] = await tx.query<{ pid: number }>(`select pg_backend_pid() as pid`)
      await cut(own?.pid ?? 0)
      await tx.query(`insert into accounts values (103, 1)`)
    })
    await expect(work).rejects.toMatchObject({ kind: 'unavailable', code: 'database_unavailable' })
    expect(await db.query(`select * from accounts where id in (102, 103)`)).toEqual([])
  })
})

describe('notifications', () => {
  test('reach only listeners of their channel, whatever its name', async () => {
    const heard: string[] = []
    const last = signalled<void>()
    const name = 'odd "name"; drop table pets'
    const stop = await db.listen(name, (payload) => {
      heard.push(payload)
      if (payload === 'last') last.give()
    })
    await db.query(`select pg_notify('other', 'not this')`)
    await db.query(`select pg_notify($1, 'first')`, [name])
    await db.query(`select pg_notify($1, 'last')`, [name])
    await last.promise
    expect(heard).toEqual(['first', 'last'])
    await stop()
  })

  test('are sent once a transaction has committed, and never when it was rolled back', async () => {
    await db.query(`create table notified (id int)`)
    const heard = signalled<string>()
    const stop = await db.listen('after', heard.give)
    const undone = db.transaction(async (tx) => {
      await notify(tx, [{ channel: 'after', payload: 'undone' }])
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await db.transaction(async (tx) => {
      await notify(tx, [{ channel: 'after', payload: 'committed' }])
      await tx.query(`insert into notified values (1)`)
    })
    expect(await heard.promise).toBe('committed')
    expect(await db.query(`select id from notified`)).toEqual([{ id: 1 }])
    await stop()
  })

  test('stop for a listener that left, and continue for others on the same channel', async () => {
    const heard: string[] = []
    const last = signalled<void>()
    const stop = await db.listen('shared', (payload) => heard.push(payload))
    const stopOther = await db.listen('shared', () => last.give())
    await stop()
    await db.query(`select pg_notify('shared', 'x')`)
    await last.promise
    expect(heard).toEqual([])
    await stopOther()
  })

  test('resume after a dropped connection, and subscribers learn that they may have missed some', async () => {
    const gap = signalled<void>()
    const message = signalled<string>()
    const stop = await db.listen('kept', message.give, gap.give)
    await cut(await processRunning('listen "kept"'))
    await gap.promise
    await db.query(`select pg_notify('kept', 'after')`)
    expect(await message.promise).toBe('after')
    await stop()
  })
})

describe('durability', () => {
  test('a database that may lose commits is refused with one sentence, unless allowed', async () => {
    await using lossy = await makeEmptyDatabase()
    await lossy.db.query(`alter database ${lossy.address.database} set synchronous_commit = off`)
    const error = await connect({ address: lossy.address, clock, log }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind: 'unavailable', code: 'database_not_durable' })
    expect(String(error)).toContain('synchronous_commit=off')
    const wanted = await connect({ address: lossy.address, clock, log, allowLossy: true })
    await wanted.close()
  })
})
