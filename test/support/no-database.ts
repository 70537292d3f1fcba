import type { Db } from '../../packages/server/src/adapters/db/db.ts'

const refuse = (): never => {
  throw new Error('This test has no database')
}

/** For a server whose routes ask no database. */
export const noDatabase: Db = {
  query: refuse,
  transaction: refuse,
  together: refuse,
  write: refuse,
  transactionEach: refuse,
  listen: refuse,
  hold: refuse,
  within: () => noDatabase,
  close: async () => {},
}
