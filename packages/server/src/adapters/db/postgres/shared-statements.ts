import type { ManyRows, Sql } from '../db.ts'

/** Items of several pieces of work that go to the database in one statement. */
interface Batch {
  readonly many: ManyRows<unknown, unknown>
  readonly items: unknown[]
  readonly settle: { resolve(result: unknown): void; reject(error: unknown): void }[]
}

/**
 * Opens the transaction `tx` to several pieces of work: each call gives one of them its `Sql`. Items that they pass to `each` in one
 * turn of the event loop are sent together. The statements of one piece of work keep their order.
 */
export function shareStatements(tx: Sql): () => Sql {
  let batches: Batch[] = []
  let round = 0

  function flush(): void {
    const ready = batches
    batches = []
    round += 1
    for (const batch of ready) void send(tx, batch)
  }

  return () => {
    /** The batch of this round that has the last item of this piece of work. */
    let last = { round: -1, at: -1 }
    return {
      ...(tx.notify ? { notify: tx.notify } : {}),
      query(text, params) {
        if (last.round === round) flush()
        return tx.query(text, params)
      },
      each<Item, Result>(many: ManyRows<Item, Result>, item: Item): Promise<Result> {
        // An earlier batch would run before an earlier statement of this piece of work.
        const from = last.round === round ? last.at : 0
        let at = batches.findIndex((one, index) => index >= from && one.many === many)
        if (at < 0) at = batches.push({ many: many as Batch['many'], items: [], settle: [] }) - 1
        if (batches.length === 1 && batches[0]?.items.length === 0) process.nextTick(flush)
        last = { round, at }
        return new Promise<Result>((resolve, reject) => {
          batches[at]?.items.push(item)
          batches[at]?.settle.push({ resolve: resolve as Batch['settle'][number]['resolve'], reject })
        })
      },
    }
  }
}

async function send(tx: Sql, { many, items, settle }: Batch): Promise<void> {
  try {
    const results = await many(tx, items)
    for (const [at, { resolve }] of settle.entries()) resolve(results[at])
  } catch (error) {
    for (const { reject } of settle) reject(error)
  }
}
