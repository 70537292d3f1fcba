import type { Db, Sql } from '../../packages/server/src/adapters/db/db.ts'

/** A database whose client dies before, or after, its n-th statement. */
export function dying(db: Db, at: number, after: boolean): { db: Db; died: () => boolean } {
  let count = 0
  let dead = false
  const one = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1
    if (count === at && !after) dead = true
    if (dead) throw new Error('this process is dead')
    const value = await work()
    if (count >= at) dead = true
    if (dead) throw new Error('this process is dead')
    return value
  }
  const transaction: Db['transaction'] = (work) =>
    one(() => db.transaction((tx) => work({ query: (text, params) => one(() => tx.query(text, params)) } as Sql)))
  return {
    died: () => dead,
    db: {
      ...db,
      query: (text, params) => one(() => db.query(text, params)),
      write: (text, params) => one(() => db.query(text, params)),
      together: transaction,
      transaction,
    },
  }
}
