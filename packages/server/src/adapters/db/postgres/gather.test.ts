import { newId } from '@skillrun/core/ids.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeEmptyDatabase } from '../../../../../../test/support/database.ts'
import { opened } from '../../../../../../test/support/opened.ts'
import { brokenConstraint, type Db, each, type ManyRows, readEach } from '../db.ts'

let db: Db

const service = await opened(makeEmptyDatabase())
beforeAll(async () => {
  db = service.db
  await db.query('create table things (id integer primary key, transaction text not null)')
})

const insert = `insert into things values ($1, pg_current_xact_id()::text) returning transaction`

async function add(within: Db, id: number): Promise<string | undefined> {
  const [row] = await within.write((sql) => sql.query<{ transaction: string }>(insert, [id]))
  return row?.transaction
}

const stored = async (ids: readonly number[]) =>
  (await db.query<{ id: number }>('select id from things where id = any($1) order by id', [ids])).map(({ id }) => id)

describe('work that may share a transaction', () => {
  test('concurrent writes share one transaction', async () => {
    const transactions = await Promise.all([1, 2, 3].map((id) => add(db, id)))
    expect(new Set(transactions).size).toBe(1)
    expect(await stored([1, 2, 3])).toEqual([1, 2, 3])
  })

  test('several statements of one unit of work stay in order, interleaved with those of its neighbours', async () => {
    const pair = (id: number) =>
      db.together(async (tx) => {
        const [row] = await tx.query<{ transaction: string }>(insert, [id])
        const [found] = await tx.query<{ id: number }>('select id from things where id = $1', [id])
        return { transaction: row?.transaction, found: found?.id }
      })
    const [left, right] = await Promise.all([pair(11), pair(12)])
    expect(left).toEqual({ transaction: right.transaction, found: 11 })
    expect(right.found).toBe(12)
  })

  test('a constraint violation fails its own unit, and its neighbours are written', async () => {
    await add(db, 21)
    const [again, other] = await Promise.allSettled([add(db, 21), add(db, 22)])
    expect(again.status === 'rejected' && brokenConstraint(again.reason)).toEqual({
      kind: 'unique',
      name: 'things_pkey',
    })
    expect(other.status).toBe('fulfilled')
    expect(await stored([21, 22])).toEqual([21, 22])
  })

  test('an exception in one unit leaves nothing of it, and its neighbours are written', async () => {
    const thrown = new Error('no more of this')
    const throwing = db.together(async (tx) => {
      await tx.query(insert, [31])
      throw thrown
    })
    const [first, second] = await Promise.allSettled([throwing, add(db, 32)])
    expect(first).toEqual({ status: 'rejected', reason: thrown })
    expect(second.status).toBe('fulfilled')
    expect(await stored([31, 32])).toEqual([32])
  })

  test('a connection that is lost before the commit affects only the unit that lost it', async () => {
    const killing = db.together(async (tx) => {
      await tx.query(insert, [41])
      await tx.query('select pg_terminate_backend(pg_backend_pid())')
    })
    const [first, second] = await Promise.allSettled([killing, add(db, 42)])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'database_unavailable' } })
    expect(second.status).toBe('fulfilled')
    expect(await stored([41, 42])).toEqual([42])
  })

  test('notifications are sent after their commit, and not for failed units', async () => {
    const heard = Promise.withResolvers<void>()
    const messages: string[] = []
    const stop = await db.listen('gathered', (payload) => {
      messages.push(payload)
      if (payload === 'last') heard.resolve()
    })
    const telling = (id: number, fails: boolean) =>
      db.together(async (tx) => {
        await tx.query(insert, [id])
        tx.notify?.([{ channel: 'gathered', payload: `of ${id}` }])
        if (fails) throw new Error('undone')
      })
    await Promise.allSettled([telling(51, false), telling(52, true)])
    await db.together(async (tx) => tx.notify?.([{ channel: 'gathered', payload: 'last' }]))
    await heard.promise
    expect(messages).toEqual(['of 51', 'last'])
    await stop()
  })

  test('work of two workspaces never shares a transaction', async () => {
    const [left, right] = [db.within(newId(new Date())), db.within(newId(new Date()))]
    await db.query('grant all on things to public')
    const transactions = await Promise.all([add(left, 61), add(left, 62), add(right, 63), add(right, 64)])
    expect(transactions[0]).toBe(transactions[1])
    expect(transactions[2]).toBe(transactions[3])
    expect(transactions[0]).not.toBe(transactions[2])
  })
})

/** Notes how many rows each of its statements had. */
function counting<Item, Result>(many: ManyRows<Item, Result>): ManyRows<Item, Result> & { readonly sizes: number[] } {
  const sizes: number[] = []
  return Object.assign(
    (...[sql, items]: Parameters<ManyRows<Item, Result>>) => {
      sizes.push(items.length)
      return many(sql, items)
    },
    { sizes },
  )
}

describe('statements about many rows', () => {
  const insertAll = () =>
    counting(async (sql, ids: readonly number[]) => {
      const rows = await sql.query<{ id: number }>(
        `insert into things select id, 'many' from unnest($1::integer[]) as given (id) returning id`,
        [ids],
      )
      return ids.map((id) => rows.find((row) => row.id === id)?.id)
    })
  const removeAll = () =>
    counting(async (sql, ids: readonly number[]) => {
      const rows = await sql.query<{ id: number }>('delete from things where id = any($1) returning id', [ids])
      return ids.map((id) => rows.some((row) => row.id === id))
    })
  const countAll = () =>
    counting(async (sql, ids: readonly number[]) => {
      const rows = await sql.query<{ id: number }>('select id from things where id = any($1)', [ids])
      return ids.map((id) => rows.some((row) => row.id === id))
    })

  test('pieces of work that share a transaction share the statement, and each gets its own result', async () => {
    const many = insertAll()
    const ids = [71, 72, 73]
    expect(await Promise.all(ids.map((id) => db.together((tx) => each(tx, many, id))))).toEqual(ids)
    expect(many.sizes).toEqual([3])
    expect(await db.together((tx) => each(tx, many, 74))).toBe(74)
    expect(await db.transaction((tx) => each(tx, many, 75))).toBe(75)
    expect(many.sizes).toEqual([3, 1, 1])
    expect(await stored([...ids, 74, 75])).toEqual([...ids, 74, 75])
  })

  test('one that fails alone fails, and its neighbours are written', async () => {
    const many = insertAll()
    await add(db, 81)
    const [again, other] = await Promise.allSettled([81, 82].map((id) => db.write((sql) => each(sql, many, id))))
    expect(again?.status).toBe('rejected')
    expect(other).toEqual({ status: 'fulfilled', value: 82 })
    expect(await stored([82])).toEqual([82])
  })

  test('keep the order in which a piece of work issued them, whatever its neighbours issue first', async () => {
    const [insert, remove] = [insertAll(), removeAll()]
    await add(db, 91)
    const work = [
      db.together((tx) => each(tx, remove, 91)),
      db.together((tx) => Promise.all([each(tx, insert, 92), each(tx, remove, 92)])),
      db.together(async (tx) => {
        const inserted = each(tx, insert, 93)
        const [row] = await tx.query<{ count: number }>('select count(*)::integer as count from things where id = 93')
        return [await inserted, row?.count]
      }),
    ]
    expect(await Promise.all(work)).toEqual([true, [92, true], [93, 1]])
    expect(await stored([91, 92, 93])).toEqual([93])
  })

  test('concurrent reads share a statement, and see what was committed before they were asked for', async () => {
    const many = countAll()
    const first = [101, 102].map((id) => readEach(db, many, id))
    await add(db, 103)
    expect(await Promise.all([readEach(db, many, 103), ...first])).toEqual([true, false, false])
    expect(many.sizes[0]).toBe(2)
    expect(await db.together((tx) => readEach(tx, many, 103))).toBe(true)
  })

  test('a read that fails alone fails, and its neighbours are answered', async () => {
    const many = counting(async (sql, numbers: readonly number[]) => {
      const rows = await sql.query<{ result: number }>('select 6 / n as result from unnest($1::integer[]) n', [numbers])
      return rows.map(({ result }) => result)
    })
    const [bad, good] = await Promise.allSettled([0, 2].map((number) => readEach(db, many, number)))
    expect(bad?.status).toBe('rejected')
    expect(good).toEqual({ status: 'fulfilled', value: 3 })
  })

  test('that lock have a transaction of their own, which concurrent calls share', async () => {
    const many = counting(async (tx, ids: readonly number[]) => {
      await tx.query('select pg_advisory_xact_lock(7)')
      const [row] = await tx.query<{ transaction: string }>('select pg_current_xact_id()::text as transaction')
      return ids.map(() => row?.transaction)
    })
    const [one, two] = await Promise.all([1, 2].map((id) => db.transactionEach(many, id)))
    expect(one).toBe(two)
    expect(await db.transactionEach(many, 3)).not.toBe(one)
    expect(many.sizes).toEqual([2, 1])
  })
})
