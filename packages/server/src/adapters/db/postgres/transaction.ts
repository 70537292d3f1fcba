import { setTimeout as pause } from 'node:timers/promises'
import { assert, Bug } from '@skillrun/core/assert.ts'
import type pg from 'pg'
import type { Message, Sql } from '../db.ts'
import { borrow } from './borrow.ts'
import { asCommitLost, asPromised, wantsRetry } from './failures.ts'
import type { Notifier } from './notifier.ts'
import { type Sight, sightStatement } from './sight.ts'
import { runStatement } from './statement.ts'

const attemptsMax = 5
const backOffMs = 5

/** Runs `work` in a transaction as `Db.transaction` promises, seeing what `sight` lets it see. */
export async function runTransaction<T>(
  parts: { pool: pg.Pool; notifier: Notifier },
  sight: Sight,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(parts, sight, work)
    } catch (error) {
      if (!wantsRetry(error) || attempt === attemptsMax) throw error
      // Spread, so that two that met once do not meet again.
      await pause(Math.random() * backOffMs * 2 ** attempt)
    }
  }
}

/** Runs `work` in a transaction once. */
export async function attemptTransaction<T>(
  { pool, notifier }: { pool: pg.Pool; notifier: Notifier },
  sight: Sight,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  const { client, giveBack } = await borrow(pool)
  const tx = openTransaction(client)
  let broken: Error | undefined
  try {
    // What is given in this turn of the loop goes out in one piece.
    const { stream } = client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    // One text, so that being confined costs no round trip; and not waited for, because what follows is read after it.
    const begun = runStatement(
      client,
      ['begin', sightStatement(client, sight, { local: true })].filter(Boolean).join('; '),
    )
    begun.catch(() => {})
    const value = await work(tx.sql)
    await begun
    await tx.end()
    const committed = await client.query('commit').catch((error: unknown) => {
      throw asCommitLost(error)
    })
    // PostgreSQL answers `rollback` here when a statement failed before and the failure was swallowed.
    if (committed.command !== 'COMMIT') throw new Bug('a transaction went on after a statement in it had failed')
    if (tx.messages.length > 0) notifier.tell(tx.messages)
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

/** Statements that are given at once are sent at once: the database reads them one after the other. */
function openTransaction(client: pg.PoolClient): { sql: Sql; messages: readonly Message[]; end(): Promise<void> } {
  const messages: Message[] = []
  let last: Promise<unknown> = Promise.resolve()
  let open = true
  return {
    sql: {
      query<Row extends object>(text: string, params?: readonly unknown[]): Promise<readonly Row[]> {
        assert(open, 'a statement was given to a transaction that has ended')
        const mine = runStatement<Row>(client, text, params)
        last = mine.catch(() => {})
        return mine
      },
      tell: (told) => void messages.push(...told),
    },
    messages,
    async end() {
      open = false
      await last
    },
  }
}
