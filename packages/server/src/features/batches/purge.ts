import type { Db, Sql } from '../../adapters/db/db.ts'
import { clearSettledCallbacks } from '../webhooks/webhooks.ts'
import type { BatchPlace } from './batch.ts'
import { isBatchRetained, listOldBatches, scrubBatch } from './batch-store.ts'

/** Batches per sweep. */
const purgedAtOnce = 50

/** Drops the content of batches that ended before `olderThan`, in all workspaces. Returns how many. */
export async function purgeBatches(db: Db, { now, olderThan }: { now: Date; olderThan: Date }): Promise<number> {
  const old = await listOldBatches(db, olderThan, purgedAtOnce)
  for (const place of old) await db.transaction((tx) => purgeBatch(tx, { ...place, now, olderThan }))
  return old.length
}

/** Drops the content of a batch that has just ended, unless retention allows it. */
export async function purgeUnretained(tx: Sql, place: BatchPlace, now: Date): Promise<void> {
  if (!(await isBatchRetained(tx, place))) await purgeBatch(tx, { ...place, now, olderThan: null })
}

async function purgeBatch(tx: Sql, of: Parameters<typeof scrubBatch>[1]): Promise<void> {
  const { workspaceId, id } = of
  if (!(await scrubBatch(tx, of))) return
  await clearSettledCallbacks(tx, { workspaceId, executionId: id })
}
