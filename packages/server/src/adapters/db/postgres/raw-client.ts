import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import type { DbAddress, Sql } from '../db.ts'
import { asPromised } from './failures.ts'

const connectTimeoutMs = 10_000
const keepAliveAfterMs = 10_000

/** One connection without limits on time, for dumps. It sees every workspace. */
export async function openRawClient(address: DbAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...('url' in address ? { connectionString: address.url } : { ...address, ssl: false }),
    application_name: 'skillrun-backup',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  })
  // A lost connection is reported by the next statement; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set skillrun.workspace = '*'`,
    )
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer'
    throw new Fault('unavailable', 'database_unavailable', `The database does not answer: ${reason}.`, { cause: error })
  }
}

/** Statements on one connection, with values as PostgreSQL sends them: bigint is a string. */
export const sqlOn = (client: pg.Client): Sql => ({
  async query<Row extends object>(text: string, params: readonly unknown[] = []) {
    try {
      const { rows } = await client.query<Row>(text, [...params])
      return rows
    } catch (error) {
      throw asPromised(error)
    }
  },
})
