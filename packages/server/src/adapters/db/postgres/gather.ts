import { setImmediate as restOfTurn } from 'node:timers/promises'
import type pg from 'pg'
import type { Sql } from '../db.ts'
import { wantsRetry } from './failures.ts'
import type { Notifier } from './notifier.ts'
import type { RowScope } from './row-scope.ts'
import { shareStatements } from './shared-statements.ts'
import { attemptTransaction } from './transaction.ts'

/** Work that may share a transaction, and the fallback with a separate transaction. */
export interface Gathered<T> {
  readonly work: (tx: Sql) => Promise<T>
  readonly alone: () => Promise<T>
}

/** Combines concurrent work into one transaction (group commit). */
export interface Gatherer {
  gather<T>(scope: RowScope, gathered: Gathered<T>): Promise<T>
}

/** The most pieces of work in one transaction. */
const gatheredMax = 64

interface Waiting extends Gathered<unknown> {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Place {
  readonly scope: RowScope
  readonly waiting: Waiting[]
  isServed: boolean
}

/**
 * Creates the gatherer. Work of different workspaces never shares a transaction. Each workspace has one shared transaction
 * at a time, because two could wait for each other's rows.
 */
export function createGatherer(parts: { pool: pg.Pool; notifier: Notifier }): Gatherer {
  const places = new Map<string, Place>()

  async function serve(place: Place): Promise<void> {
    place.isServed = true
    // Collects everything that is submitted in this turn of the event loop.
    await restOfTurn()
    while (place.waiting.length > 0) await writeAll(parts, place.scope, place.waiting.splice(0, gatheredMax))
    places.delete(place.scope.workspace)
  }

  return {
    gather<T>(scope: RowScope, gathered: Gathered<T>): Promise<T> {
      const place = places.get(scope.workspace) ?? { scope, waiting: [], isServed: false }
      places.set(scope.workspace, place)
      return new Promise<T>((resolve, reject) => {
        place.waiting.push({ ...gathered, resolve: resolve as Waiting['resolve'], reject })
        if (!place.isServed) void serve(place)
      })
    },
  }
}

async function writeAll(
  parts: { pool: pg.Pool; notifier: Notifier },
  scope: RowScope,
  all: readonly Waiting[],
): Promise<void> {
  if (all.length === 1) return writeAlone(all)
  let isUndone = false
  try {
    const values = await attemptTransaction(parts, scope, async (tx) => {
      const open = shareStatements(tx)
      const outcomes = await Promise.allSettled(all.map(({ work }) => work(open())))
      isUndone = outcomes.some(({ status }) => status === 'rejected')
      return outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      })
    })
    for (const [at, { resolve }] of all.entries()) resolve(values[at])
  } catch (error) {
    // After `commit_unknown` each caller must decide for itself, as with any transaction.
    if (isUndone || wantsRetry(error)) return writeAlone(all)
    for (const { reject } of all) reject(error)
  }
}

async function writeAlone(all: readonly Waiting[]): Promise<void> {
  await Promise.all(all.map(({ alone, resolve, reject }) => alone().then(resolve, reject)))
}
