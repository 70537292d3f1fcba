import { setImmediate as restOfTurn } from 'node:timers/promises'
import type pg from 'pg'
import type { Sql } from '../db.ts'
import { wantsRetry } from './failures.ts'
import type { Notifier } from './notifier.ts'
import type { Sight } from './sight.ts'
import { attemptTransaction } from './transaction.ts'

/** Work that may share a transaction, and how it is done without one to share. */
export interface Gathered<T> {
  readonly work: (tx: Sql) => Promise<T>
  readonly alone: () => Promise<T>
}

/** Puts work of one moment into one transaction (group commit). */
export interface Gatherer {
  gather<T>(sight: Sight, gathered: Gathered<T>): Promise<T>
}

/** Pieces of work in one transaction. */
const gatheredMax = 64

interface Waiting extends Gathered<unknown> {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Place {
  readonly sight: Sight
  readonly waiting: Waiting[]
  isServed: boolean
}

/**
 * Makes the gatherer. Those who see different workspaces never share a transaction. Of one workspace there is one at a time: two
 * could wait for each other's rows.
 */
export function createGatherer(parts: { pool: pg.Pool; notifier: Notifier }): Gatherer {
  const places = new Map<string, Place>()

  async function serve(place: Place): Promise<void> {
    place.isServed = true
    // Whoever comes in this turn of the loop comes along.
    await restOfTurn()
    while (place.waiting.length > 0) await writeAll(parts, place.sight, place.waiting.splice(0, gatheredMax))
    places.delete(place.sight.workspace)
  }

  return {
    gather<T>(sight: Sight, gathered: Gathered<T>): Promise<T> {
      const place = places.get(sight.workspace) ?? { sight, waiting: [], isServed: false }
      places.set(sight.workspace, place)
      return new Promise<T>((resolve, reject) => {
        place.waiting.push({ ...gathered, resolve: resolve as Waiting['resolve'], reject })
        if (!place.isServed) void serve(place)
      })
    },
  }
}

async function writeAll(
  parts: { pool: pg.Pool; notifier: Notifier },
  sight: Sight,
  all: readonly Waiting[],
): Promise<void> {
  if (all.length === 1) return writeAlone(all)
  let isUndone = false
  try {
    const values = await attemptTransaction(parts, sight, async (tx) => {
      const outcomes = await Promise.allSettled(all.map(({ work }) => work(tx)))
      isUndone = outcomes.some(({ status }) => status === 'rejected')
      return outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      })
    })
    for (const [at, { resolve }] of all.entries()) resolve(values[at])
  } catch (error) {
    // After a lost commit nobody knows whether it was one: that is theirs to hear, as of any transaction.
    if (isUndone || wantsRetry(error)) return writeAlone(all)
    for (const { reject } of all) reject(error)
  }
}

async function writeAlone(all: readonly Waiting[]): Promise<void> {
  await Promise.all(all.map(({ alone, resolve, reject }) => alone().then(resolve, reject)))
}
