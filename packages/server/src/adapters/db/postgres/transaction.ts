import { setTimeout as pause } from 'node:timers/promises'
import { assert, Bug } from '@skillrun/core/assert.ts'
import type pg from 'pg'
import type { Message, Sql } from '../db.ts'
import { borrow } from './borrow.ts'
import { asCommitLost, asPromised, wantsRetry } from './failures.ts'
import type { Notifier } from './notifier.ts'
import { type RowScope, scopeStatement } from './row-scope.ts'
import { runStatement } from './statement.ts'

const attemptsMax = 5
const backOffMs = 5

/** Implements `Db.transaction` within a scope. */
export async function runTransaction<T>(
  parts: { pool: pg.Pool; notifier: Notifier },
  scope: RowScope,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(parts, scope, work)
    } catch (error) {
      if (!wantsRetry(error) || attempt === attemptsMax) throw error
      // Random, so that two transactions that collided do not collide again.
      await pause(Math.random() * backOffMs * 2 ** attempt)
    }
  }
}

/** Runs `work` in a transaction without retries. */
export async function attemptTransaction<T>(
  { pool, notifier }: { pool: pg.Pool; notifier: Notifier },
  scope: RowScope,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  const { client, giveBack } = await borrow(pool)
  const hold = corkSocket(client)
  const tx = openTransaction(client, hold)
  let broken: Error | undefined
  try {
    hold()
    // One text, so that the scope costs no round trip. Not awaited: the server runs later statements after it.
    const begun = runStatement(
      client,
      ['begin', scopeStatement(client, scope, { local: true })].filter(Boolean).join('; '),
    )
    begun.catch(() => {})
    const value = await work(tx.sql)
    await begun
    await tx.end()
    const committed = await client.query('commit').catch((error: unknown) => {
      throw asCommitLost(error)
    })
    // PostgreSQL answers `rollback` here when a statement failed and `work` ignored the error.
    if (committed.command !== 'COMMIT') throw new Bug('a transaction continued after one of its statements had failed')
    if (tx.messages.length > 0) notifier.notify(tx.messages)
    return value
  } catch (error) {
    await tx.end()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw asPromised(error)
  } finally {
    giveBack(broken)
  }
}

/** Statements of one turn of the event loop are sent in one packet; the server runs them in order. */
function openTransaction(
  client: pg.PoolClient,
  hold: () => void,
): { sql: Sql; messages: readonly Message[]; end(): Promise<void> } {
  const messages: Message[] = []
  let last: Promise<unknown> = Promise.resolve()
  let open = true
  return {
    sql: {
      query<Row extends object>(text: string, params?: readonly unknown[]): Promise<readonly Row[]> {
        assert(open, 'a statement was issued after its transaction had ended')
        hold()
        const mine = runStatement<Row>(client, text, params)
        last = mine.catch(() => {})
        return mine
      },
      notify: (sent) => void messages.push(...sent),
    },
    messages,
    async end() {
      open = false
      await last
    },
  }
}

/** Returns a function that holds what is written to the connection back until the end of this turn of the event loop. */
function corkSocket({ connection: { stream } }: pg.PoolClient): () => void {
  let isHeld = false
  return () => {
    if (isHeld) return
    isHeld = true
    stream.cork()
    // The second turn is after the statements of pieces of work that share the transaction.
    process.nextTick(() =>
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      }),
    )
  }
}
