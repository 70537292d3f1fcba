import { type Db, each, type Sql } from '../../packages/server/src/adapters/db/db.ts'

/**
 * A database whose client dies before, or after, its n-th statement. Statements that were sent before that may still commit, as
 * those of a killed process may; `quiet` resolves when none is left.
 */
export function dying(db: Db, at: number, after: boolean): { db: Db; died: () => boolean; quiet: () => Promise<void> } {
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
