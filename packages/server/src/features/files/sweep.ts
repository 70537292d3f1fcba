import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { removeUnneeded } from './collect.ts'
import { unneededOf } from './store.ts'

/** Blobs that are asked about in one statement. */
const batchMax = 500

/**
 * Goes through all blobs and removes those that no row names: of a process that died after the bytes had their name and before
 * the transaction that says whose they are. Only those that were last put `limits.orphanBlobMs` ago, and each under the lock under which
 * an upload comes to need it; pieces of unfinished uploads go too. Gives how many blobs went. Any number of processes may at once.
 */
export async function sweepBlobs(parts: { db: Db; blobs: Blobs }, now: Date): Promise<number> {
  const { db, blobs } = parts
  const old = new Date(now.getTime() - limits.orphanBlobMs)
  await blobs.dropUnfinished(old)
  let removed = 0
  const look = async (batch: readonly Buffer[]) => {
    for (const sha256 of await unneededOf(db, batch)) if (await removeUnneeded(parts, sha256)) removed += 1
  }
  let batch: Buffer[] = []
  for await (const sha256 of blobs.namesBefore(old)) {
    batch.push(sha256)
    if (batch.length < batchMax) continue
    await look(batch)
    batch = []
  }
  await look(batch)
  return removed
}
