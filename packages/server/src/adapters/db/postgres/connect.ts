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
import { createQueues } from './item-queues.ts'
import { createListener } from './listener.ts'
import { createNotifier } from './notifier.ts'
import { poolerBehind, refusePooler } from './pooler.ts'
import { allWorkspaces, applyScope, confinedRoleFor, type RowScope, workspaceScope } from './row-scope.ts'
import { runStatement } from './statement.ts'
import { runTransaction } from './transaction.ts'
import { valueTypes } from './values.ts'

/** How to connect to the database. */
export interface ConnectOptions {
  readonly address: DbAddress
  readonly clock: Clock
  readonly log: Log
  /** The most connections of this process, besides one for `listen`. */
  readonly connectionsMax?: number
  /** A longer statement fails with Fault `timeout`. 0: no limit, as migrations need it. */
  readonly statementTimeoutMs?: number
  /** How long after that limit the connection is considered lost. */
  readonly answerGraceMs?: number
  /** How long to retry at the start, for example when both start at once. */
  readonly patienceMs?: number
  /** Accepts a database that may lose commits. */
  readonly allowLossy?: boolean
}

const connectionsMaxDefault = 10
const statementTimeoutMsDefault = 30_000
const patienceMsDefault = 10_000
const retryEveryMs = 250
/** Timeout for a connection, or for a free place in the pool. */
const connectTimeoutMs = 5_000
const idleTimeoutMs = 60_000
const keepAliveAfterMs = 10_000
/** A transaction of a process that hangs must not hold its locks forever. */
const idleInTransactionMs = 60_000
/** A reply this much later than the server's own limit will not come: the network is cut, or the server is stalled. */
const answerGraceMsDefault = 15_000

/**
 * Connects to PostgreSQL and checks that commits are durable. Resolves when the first statement has been answered.
 *
 * Throws Fault `unavailable`: `database_unavailable` when nothing answered in time, `database_pooled`, `database_not_durable` or
 * `database_too_old` when the server is not suitable.
 */
export async function connect(options: ConnectOptions): Promise<Db> {
  const db = open(options)
  try {
    await firstAnswer(db, options)
    if ('url' in options.address) await refusePooler(clientConfigOf(options))
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
  // The pool replaces idle connections that are lost; without a listener the error would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) options.log.warn({ reason: error.message }, 'an idle database connection was lost')
  })
  const notifier = createNotifier({ pool, log: options.log })
  const listener = createListener({ clientConfig, log: options.log })
  const gatherer = createGatherer({ pool, notifier })
  const reads = createQueues((scope, work) =>
    work({ query: (text, params) => queryOnce(pool, scope, { text, params }) }),
  )
  const batches = createQueues((scope, work) => runTransaction({ pool, notifier }, scope, work))
  let closed: Promise<void> | undefined
  let role: string | undefined
  const dbWithin = (scope: RowScope): Db => ({
    query: (text, params) => queryOnce(pool, scope, { text, params }),
    transaction: (work) => runTransaction({ pool, notifier }, scope, work),
    together: (work) => gatherer.gather(scope, { work, alone: () => runTransaction({ pool, notifier }, scope, work) }),
    readEach: (many, item) => reads.add(scope, many, item),
    transactionEach: (many, item) => batches.add(scope, many, item),
    write: (work) =>
      gatherer.gather(scope, {
        work,
        alone: () => work({ query: (text, params) => queryOnce(pool, scope, { text, params }) }),
      }),
    notify: notifier.notify,
    within: (workspaceId) => dbWithin(workspaceScope(workspaceId, role)),
    listen: (channel, onMessage, onGap) => listener.listen({ channel, onMessage, onGap }),
    hold: (name, onBack) => listener.hold({ name, onBack }),
    close() {
      closed ??= Promise.all([listener.close(), notifier.close().then(() => pool.end())]).then(() => {})
      return closed
    },
  })
  const all = dbWithin(allWorkspaces)
  const prepare = async () => {
    role = await confinedRoleFor(all)
    if (role !== undefined)
      options.log.warn(
        {},
        'the database role is a superuser or bypasses row-level security: use a role that does neither',
      )
  }
  return { ...all, prepare }
}

/** Runs one statement on any free connection. A connection with a failed statement is not reused. */
async function queryOnce<Row extends object>(
  pool: pg.Pool,
  scope: RowScope,
  { text, params }: { text: string; params: readonly unknown[] | undefined },
): Promise<readonly Row[]> {
  const { client, giveBack } = await borrow(pool)
  try {
    await applyScope(client, scope).catch((error: unknown) => {
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
    // Variables such as PGSSLMODE refer to the user's other servers, never to our own socket.
    ...('url' in address ? { connectionString: address.url } : { ...address, ssl: false }),
    application_name: 'skillrun',
    // Independent statements of a transaction share a round trip.
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
      const pooler = poolerBehind(error instanceof Fault ? error.cause : error)
      if (pooler) throw pooler
      const mayCome = error instanceof Fault && error.kind === 'unavailable' && !isRefusal(error.cause)
      if (!mayCome) throw asPromised(error)
      if (options.clock.monotonicMs() >= deadline) throw explained(error)
      options.log.debug({}, 'the database does not answer yet')
      await pause(retryEveryMs)
    }
  }
}

/** Waiting does not help against a wrong password or a missing database. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && /^(28|3D)/.test(cause.code ?? '')
}

function explained(error: Fault): Fault {
  const reason = error.cause instanceof Error ? error.cause.message : 'no answer'
  return new Fault('unavailable', 'database_unavailable', `The database does not answer: ${reason}.`, { cause: error })
}
