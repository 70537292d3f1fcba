import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { removeUnneeded } from './collect.ts'
import { unneededOf } from './store.ts'

/** Blobs per statement. */
const batchMax = 500

/**
 * Removes blobs that no row references, left by processes that died between storing the bytes and committing the row. Only blobs stored at
 * least `limits.orphanBlobMs` ago, each under the lock that uploads take; also parts of unfinished uploads. Returns the number removed. Any
 * number of processes may run it at once.
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
