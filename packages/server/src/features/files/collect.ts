import { Fault } from '@skillrun/core/fault.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { dropExpiredReservations } from './reservations.ts'
import { dropLeftover, leaveBlob, listLeftovers } from './storage.ts'
import { blobUse, dropEndedHolds, dropExpiredUploads, holdBlob } from './store.ts'

/**
 * Holds a blob that was just put until the transaction ends, which writes the row that needs it. Fault `unavailable` when
 * the last one that needed the same bytes took them along at this very moment: they have to be put again.
 */
export async function keepBlob({ tx, blobs }: { tx: Sql; blobs: Blobs }, sha256: Buffer): Promise<void> {
  const again = 'A file with the same content was deleted during the upload; upload it again'
  await holdBlob(tx, sha256)
  if (!(await blobs.stat(sha256))) throw new Fault('unavailable', 'upload_again', again)
}

/**
 * Removes a blob that no row needs any more. One that only an execution under way still needs is left to the collector. Never
 * throws: it follows a change that is settled, and a blob that cannot be removed now goes with the next `sweepBlobs`.
 */
export async function dropUnusedBlob(parts: { db: Db; blobs: Blobs }, sha256: Buffer): Promise<void> {
  await removeUnneeded(parts, sha256).catch(() => undefined)
}

/** The same, and says whether it was removed. */
export async function removeUnneeded({ db, blobs }: { db: Db; blobs: Blobs }, sha256: Buffer): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdBlob(tx, sha256)
    const { isOwned, isNeeded } = await blobUse(tx, sha256)
    if (!isNeeded) await blobs.remove(sha256)
    if (isNeeded && !isOwned) await leaveBlob(tx, sha256)
    else await dropLeftover(tx, sha256)
    return !isNeeded
  })
}

/**
 * Removes the bytes that were left because an execution still worked with them, where none does any more, and forgets presigned
 * uploads that have expired. Looks at all workspaces; any number of processes may at once.
 */
export async function collectBlobs(parts: { db: Db; blobs: Blobs }, now: Date): Promise<void> {
  await dropEndedHolds(parts.db)
  await dropExpiredUploads(parts.db, now)
  await dropExpiredReservations(parts.db, now)
  for (const sha256 of await listLeftovers(parts.db)) await removeUnneeded(parts, sha256)
}
