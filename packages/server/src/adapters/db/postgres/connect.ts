import { setTimeout as pause } from 'node:timers/promises'
import { assert } from '@skillrun/core/assert.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import pg from 'pg'
import type { Log } from '../../../core/log.ts'
import type { Db, DbAddress } from '../db.ts'
import { borrow } from './borrow.ts'
import { checkDurability } from './durability.ts'
import { asPromised } from './failures.ts'
import { createGatherer } from './gather.ts'
import { createListener } from './listener.ts'
import { createNotifier } from './notifier.ts'
import { confinedRoleFor, everywhere, giveSight, type Sight, sightOf } from './sight.ts'
import { runStatement } from './statement.ts'
import { runTransaction } from './transaction.ts'
import { valueTypes } from './values.ts'

/** How to reach the database and how hard to try. */
export interface ConnectOptions {
  readonly address: DbAddress
  readonly clock: Clock
  readonly log: Log
  /** Connections held at most by this process, besides one for `listen`. */
  readonly connectionsMax?: number
  /** A statement that runs longer ends as Fault `timeout`. 0: no bound, as migrations need it. */
  readonly statementTimeoutMs?: number
  /** How much later than that bound an answer may come before the connection is given up. */
  readonly answerGraceMs?: number
  /** How long to go on trying when nothing answers yet, as when both start at once. */
  readonly patienceMs?: number
  /** Take a database on which a commit may be lost. */
  readonly allowLossy?: boolean
}

const connectionsMaxDefault = 10
const statementTimeoutMsDefault = 30_000
const patienceMsDefault = 10_000
const retryEveryMs = 250
/** A connection, or a free place in the pool, must be there within this time. */
const connectTimeoutMs = 5_000
const idleTimeoutMs = 60_000
const keepAliveAfterMs = 10_000
/** A transaction whose process hangs must not hold its locks for ever. */
const idleInTransactionMs = 60_000
/** An answer that is this much later than the server's own bound will not come: the network is cut, or the server stands still. */
const answerGraceMsDefault = 15_000

/**
 * Connects to PostgreSQL and checks that a commit there is durable. Resolves when a first statement was answered.
 *
 * Throws Fault `unavailable`: `database_unavailable` when nothing answered in time, `database_not_durable` or
 * `database_too_old` when the server won't do.
 */
export async function connect(options: ConnectOptions): Promise<Db> {
  const db = open(options)
  try {
    await firstAnswer(db, options)
    if (!options.allowLossy) await checkDurability(db)
    await db.prepare()
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

function open(options: ConnectOptions): Db & { prepare(): Promise<void> } {
  const clientConfig = clientConfigOf(options)
  const pool = new pg.Pool({
    ...clientConfig,
    max: options.connectionsMax ?? connectionsMaxDefault,
    idleTimeoutMillis: idleTimeoutMs,
  })
  // An idle connection that dies is the pool's to replace; without a listener it would end the process.
  pool.on('error', (error) => options.log.warn({ reason: error.message }, 'an idle database connection was lost'))
  const notifier = createNotifier({ pool, log: options.log })
  const listener = createListener({ clientConfig, log: options.log })
  const gatherer = createGatherer({ pool, notifier })
  let closed: Promise<void> | undefined
  let role: string | undefined
  const seeing = (sight: Sight): Db => ({
    query: (text, params) => queryOnce(pool, sight, { text, params }),
    transaction: (work) => runTransaction({ pool, notifier }, sight, work),
    together: (work) => gatherer.gather(sight, { work, alone: () => runTransaction({ pool, notifier }, sight, work) }),
    write: (text, params) =>
      gatherer.gather(sight, {
        work: (tx) => tx.query(text, params),
        alone: () => queryOnce(pool, sight, { text, params }),
      }),
    tell: notifier.tell,
    within: (workspaceId) => seeing(sightOf(workspaceId, role)),
    listen: (channel, onMessage, onGap) => listener.listen({ channel, onMessage, onGap }),
    hold: (name, onBack) => listener.hold({ name, onBack }),
    close() {
      closed ??= Promise.all([listener.close(), notifier.close().then(() => pool.end())]).then(() => {})
      return closed
    },
  })
  const all = seeing(everywhere)
  const prepare = async () => {
    role = await confinedRoleFor(all)
    if (role !== undefined)
      options.log.warn(
        {},
        'the role of the database is a superuser, or exempt from row-level security: give it one that is not',
      )
  }
  return { ...all, prepare }
}

/** One statement on whichever connection is free. One that has failed is not used again. */
async function queryOnce<Row extends object>(
  pool: pg.Pool,
  sight: Sight,
  { text, params }: { text: string; params: readonly unknown[] | undefined },
): Promise<readonly Row[]> {
  const { client, giveBack } = await borrow(pool)
  try {
    await giveSight(client, sight).catch((error: unknown) => {
      throw asPromised(error)
    })
    const rows = await runStatement<Row>(client, text, params)
    giveBack()
    return rows
  } catch (error) {
    giveBack(error)
    throw error
  }
}

function clientConfigOf(options: ConnectOptions): pg.ClientConfig {
  const { address } = options
  const statementTimeoutMs = options.statementTimeoutMs ?? statementTimeoutMsDefault
  assert(statementTimeoutMs >= 0, 'statementTimeoutMs must not be negative')
  const answerGraceMs = options.answerGraceMs ?? answerGraceMsDefault
  return {
    // Variables such as PGSSLMODE are about the user's other servers, never about our own socket.
    ...('url' in address ? { connectionString: address.url } : { ...address, ssl: false }),
    application_name: 'skillrun',
    // Statements of a transaction that do not wait for each other share their way there and back.
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    types: valueTypes,
    ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + answerGraceMs } : {}),
  }
}

async function firstAnswer(db: Db, options: ConnectOptions): Promise<void> {
  const deadline = options.clock.monotonicMs() + (options.patienceMs ?? patienceMsDefault)
  for (;;) {
    try {
      await db.query('select 1')
      return
    } catch (error) {
      const mayCome = error instanceof Fault && error.kind === 'unavailable' && !isRefusal(error.cause)
      if (!mayCome) throw asPromised(error)
      if (options.clock.monotonicMs() >= deadline) throw explained(error)
      options.log.debug({}, 'the database does not answer yet')
      await pause(retryEveryMs)
    }
  }
}

/** A wrong password or a missing database is no matter of patience. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && /^(28|3D)/.test(cause.code ?? '')
}

function explained(error: Fault): Fault {
  const reason = error.cause instanceof Error ? error.cause.message : 'no answer'
  return new Fault('unavailable', 'database_unavailable', `The database does not answer: ${reason}.`, { cause: error })
}
