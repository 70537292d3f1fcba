import { type Db, each, type Sql } from '../../packages/server/src/adapters/db/db.ts'

/**
 * A database whose client dies before, or after, its n-th statement. Statements that were sent before that may still commit, as
 * those of a killed process may; `quiet` resolves when none is left.
 */
export function dying(db: Db, at: number, after = false): { db: Db; died: () => boolean; quiet: () => Promise<void> } {
  let count = 0
  let dead = false
  const sent = new Set<Promise<unknown>>()
  const one = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1
    if (count === at && !after) dead = true
    if (dead) throw new Error('this process is dead')
    const working = work()
    sent.add(working)
    const value = await working.finally(() => sent.delete(working))
    if (count >= at) dead = true
    if (dead) throw new Error('this process is dead')
    return value
  }
  const { readEach: _shared, ...own } = db
  const transaction: Db['transaction'] = (work) =>
    one(() => db.transaction((tx) => work({ query: (text, params) => one(() => tx.query(text, params)) } as Sql)))
  return {
    died: () => dead,
    quiet: async () => {
      while (sent.size > 0) await Promise.allSettled(sent)
    },
    db: {
      ...own,
      query: (text, params) => one(() => db.query(text, params)),
      write: (work) => work({ query: (text, params) => one(() => db.query(text, params)) }),
      transactionEach: (many, item) => transaction((tx) => each(tx, many, item)),
      together: transaction,
      transaction,
    },
  }
}

/** What a process does, and what holds after its death once others went on. */
export interface Deed {
  work(): Promise<unknown>
  check(): Promise<void>
}

/**
 * Does a deed in processes that die before each of its statements in turn, until one survives; gives how many died. To the database, to
 * die after a statement is to die before the next. With `after`, what a process does beside the database between the two is left undone.
 */
export async function dyingAtEach(
  db: Db,
  deedOf: (mortal: Db, at: number) => Promise<Deed>,
  { after = false } = {},
): Promise<number> {
  for (let at = 1; at < 500; at += 1) {
    const process = dying(db, at, after)
    const { work, check } = await deedOf(process.db, at)
    await work().catch((error: unknown) => {
      if (!process.died()) throw error
    })
    await process.quiet()
    await check()
    if (!process.died()) return at - 1
  }
  throw new Error('the work does not end')
}
