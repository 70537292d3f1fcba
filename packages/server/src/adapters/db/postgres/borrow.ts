import type pg from 'pg'
import { asPromised } from './failures.ts'

/** A connection from the pool. Return it exactly once; with an error, it is closed and not reused. */
export interface Borrowed {
  readonly client: pg.PoolClient
  giveBack(error?: unknown): void
}

/** Takes a connection from the pool. Throws the Faults of `db.ts` when none is available. */
export async function borrow(pool: pg.Pool): Promise<Borrowed> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asPromised(error)
  })
  // A pooled client reports a lost connection here as well as in the statement that waits for it.
  const ignoreLoss = (): void => {}
  client.on('error', ignoreLoss)
  return {
    client,
    giveBack(error) {
      client.off('error', ignoreLoss)
      client.release(error instanceof Error ? error : undefined)
    },
  }
}
