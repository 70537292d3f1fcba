import { newId } from '@skillrun/core/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEmptyDatabase, type TestDatabase } from '../../../../../../test/support/database.ts'
import { brokenConstraint, type Db } from '../db.ts'

let service: TestDatabase
let db: Db

beforeAll(async () => {
  service = await makeEmptyDatabase()
  db = service.db
  await db.query('create table things (id integer primary key, transaction text not null)')
})
afterAll(() => service[Symbol.asyncDispose]())

const insert = `insert into things values ($1, pg_current_xact_id()::text) returning transaction`

async function add(within: Db, id: number): Promise<string | undefined> {
  const [row] = await within.write<{ transaction: string }>(insert, [id])
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
