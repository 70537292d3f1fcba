import { setImmediate as restOfTurn } from 'node:timers/promises'
import { Fault } from '@skillrun/core/fault.ts'
import type { ManyRows, Sql } from '../db.ts'
import type { RowScope } from './row-scope.ts'

/** Queues of items, one for each kind of statement and each workspace. */
export interface ItemQueues {
  add<Item, Result>(scope: RowScope, many: ManyRows<Item, Result>, item: Item): Promise<Result>
}

/** Runs work with the database. */
type Run = <T>(scope: RowScope, work: (sql: Sql) => Promise<T>) => Promise<T>

/** The most items in one statement. */
const itemsMax = 64

interface Waiting {
  readonly item: unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Creates queues whose items `run` handles. Each queue is handled one statement at a time; items that come meanwhile share the next. */
export function createQueues(run: Run): ItemQueues {
  const queues = new Map<ManyRows<unknown, unknown>, Map<string, Waiting[]>>()

  async function handle(scope: RowScope, many: ManyRows<unknown, unknown>, now: readonly Waiting[]): Promise<void> {
    const items = now.map(({ item }) => item)
    try {
      const results = await run(scope, (sql) => many(sql, items))
      for (const [at, { resolve }] of now.entries()) resolve(results[at])
    } catch (error) {
      // Each runs again alone, so that only the one that cannot be handled fails; not when it is unknown what was committed.
      const isOfItem = !(error instanceof Fault)
      if (isOfItem && now.length > 1) await Promise.all(now.map((one) => handle(scope, many, [one])))
      else for (const { reject } of now) reject(error)
    }
  }

  async function serve(scope: RowScope, many: ManyRows<unknown, unknown>, waiting: Waiting[]): Promise<void> {
    // Collects everything that is added in this turn of the event loop.
    await restOfTurn()
    while (waiting.length > 0) await handle(scope, many, waiting.splice(0, itemsMax))
    queues.get(many)?.delete(scope.workspace)
  }

  return {
    add<Item, Result>(scope: RowScope, of: ManyRows<Item, Result>, item: Item): Promise<Result> {
      const many = of as ManyRows<unknown, unknown>
      const ofKind = queues.get(many) ?? new Map<string, Waiting[]>()
      queues.set(many, ofKind)
      const served = ofKind.get(scope.workspace)
      const waiting = served ?? []
      ofKind.set(scope.workspace, waiting)
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve: resolve as Waiting['resolve'], reject })
        if (!served) void serve(scope, many, waiting)
      })
    },
  }
}
