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

/**
 * A new empty database with every migration, and the queues of a server, whose creation takes longer than the copy. Usually one per test
 * file: create it in `beforeAll`, dispose of it in `afterAll`.
 */
export function makeDatabase(): Promise<TestDatabase> {
  return makeDatabaseFrom(inject('databaseTemplates').withQueue)
}

/** The same without the tables of the queue, as the first server finds it. */
export function makeDatabaseWithoutQueue(): Promise<TestDatabase> {
  return makeDatabaseFrom(inject('databaseTemplates').migrated)
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

/** One connection of this process, which lasts as long as that: to open one takes as long as to make a database. */
let administration: Promise<Db> | undefined
/** The statement before: on a busy machine several take longer than a pool lets one wait for its connection. */
let before: Promise<unknown> = Promise.resolve()

function onServer(statement: string): Promise<void> {
  const address = inject('databaseServer').administratorAddress
  administration ??= connect({ address, clock: systemClock, log: silentLog, connectionsMax: 1 })
  const opened = administration
  const done = before.then(async () => {
    await (await opened).query(statement)
  })
  before = done.catch(() => {})
  return done
}
