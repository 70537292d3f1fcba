import type pg from 'pg'
import { asPromised } from './failures.ts'

/** A connection taken out of the pool, to be given back once: with an error, it is closed and not used again. */
export interface Borrowed {
  readonly client: pg.PoolClient
  giveBack(error?: unknown): void
}

/** Takes a connection out of the pool. Throws as `db.ts` promises when none can be had. */
export async function borrow(pool: pg.Pool): Promise<Borrowed> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asPromised(error)
  })
  // A client that is taken out of the pool reports its loss here as well as in the statement that waits for it.
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
