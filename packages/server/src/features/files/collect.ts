import { Fault } from '@skillrun/core/fault.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { backupLock } from '../../adapters/db/dump.ts'
import { limits } from '../../core/limits.ts'
import { dropExpiredReservations } from './reservations.ts'
import { dropLeftover, leaveBlob, listLeftovers } from './storage.ts'
import { blobUse, deleteParsedDocumentsWithoutFile, dropEndedHolds, dropExpiredUploads, lockBlob } from './store.ts'

/**
 * Locks a newly stored blob until the end of the transaction that writes its row. Fault `unavailable` when a concurrent deletion just
 * removed the same bytes: they must be uploaded again.
 */
export async function keepBlob({ tx, blobs }: { tx: Sql; blobs: Blobs }, sha256: Buffer): Promise<void> {
  const again = 'A file with the same content was deleted during the upload; upload it again'
  await lockBlob(tx, sha256)
  if (!(await blobs.stat(sha256))) throw new Fault('unavailable', 'upload_again', again)
}

/**
 * Removes a blob without references. One that only a running execution needs is left to the collector. Never throws: the deletion is
 * committed, and the next `sweepBlobs` removes what remains.
 */
export async function dropUnusedBlob(parts: { db: Db; blobs: Blobs }, sha256: Buffer): Promise<void> {
  await removeUnneeded(parts, sha256).catch(() => undefined)
}

/** The same; returns whether it was removed. What was parsed from it goes with the last file of a workspace. */
export async function removeUnneeded({ db, blobs }: { db: Db; blobs: Blobs }, sha256: Buffer): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockBlob(tx, sha256)
    // A backup may still have to copy it: the collector comes back to it.
    if (await isBackupUnderWay(tx)) {
      await leaveBlob(tx, sha256)
      return false
    }
    await deleteParsedDocumentsWithoutFile(tx, sha256)
    const { isOwned, isNeeded } = await blobUse(tx, sha256)
    if (!isNeeded) await blobs.remove(sha256)
    if (isNeeded && !isOwned) await leaveBlob(tx, sha256)
    else await dropLeftover(tx, sha256)
    return !isNeeded
  })
}

/** Whether a backup copies blobs. When not, none begins before the transaction ends. */
async function isBackupUnderWay(tx: Sql): Promise<boolean> {
  const [row] = await tx.query<{ isFree: boolean }>('select pg_try_advisory_xact_lock_shared($1::bigint) as "isFree"', [
    backupLock,
  ])
  return row?.isFree !== true
}

/**
 * Removes blobs that waited for the end of executions, and presigned uploads that expired long ago. Covers all workspaces; any number of processes may
 * run it at once.
 */
export async function collectBlobs(parts: { db: Db; blobs: Blobs }, now: Date): Promise<void> {
  await parts.db.transaction(dropEndedHolds)
  // Bytes may still be coming that began before the URL expired.
  await dropExpiredUploads(parts.db, new Date(now.getTime() - 2 * limits.uploadWallMs))
  await dropExpiredReservations(parts.db, now)
  for (const sha256 of await listLeftovers(parts.db)) await removeUnneeded(parts, sha256)
}
