import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { systemClock } from '../../packages/core/src/clock.ts'
import type { Db, DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { connect } from '../../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'

/** A database for one test. `await using service = await makeDatabase()` drops it at the end of the block. */
export interface TestDatabase extends AsyncDisposable {
  readonly db: Db
  /** For a second connection, or another process. */
  readonly address: Extract<DbAddress, { host: string }>
  /** The same database as a superuser. */
  readonly administratorAddress: Extract<DbAddress, { host: string }>
}

const connectionsMax = 8

/** A new empty database with every migration. Usually one per test file: create it in `beforeAll`, dispose of it in `afterAll`. */
export function makeDatabase(): Promise<TestDatabase> {
  return makeDatabaseFrom(inject('databaseTemplate'))
}

/** A new database without anything, not even migrations. */
export function makeEmptyDatabase(): Promise<TestDatabase> {
  return makeDatabaseFrom('template0')
}

async function makeDatabaseFrom(template: string): Promise<TestDatabase> {
  const { address: server, administratorAddress: administrator } = inject('databaseServer')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${database} template ${template} owner ${server.user}`)
  const address = { ...server, database }
  const db = await connect({ address, clock: systemClock, log: silentLog, connectionsMax })
  return {
    db,
    address,
    administratorAddress: { ...administrator, database },
    async [Symbol.asyncDispose]() {
      await db.close()
      await onServer(`drop database ${database} with (force)`)
    },
  }
}

async function onServer(statement: string): Promise<void> {
  const address = inject('databaseServer').administratorAddress
  const server = await connect({ address, clock: systemClock, log: silentLog, connectionsMax: 1 })
  try {
    await server.query(statement)
  } finally {
    await server.close()
  }
}
