import type { Sql } from '../../adapters/db/db.ts'
import { dropReservation, overQuota, sumReservations } from './reservations.ts'

/**
 * Counts bytes against the quota of a workspace and releases their reservation `reservationId`. Fault `too_large` (`storage_quota`) when
 * files and uploads in progress would exceed it.
 */
export async function takeStorage(
  tx: Sql,
  want: { workspaceId: string; bytes: number; bytesMax: number; now: Date; reservationId?: string | undefined },
): Promise<void> {
  const { workspaceId, bytesMax, now, reservationId } = want
  // Concurrent additions wait for this row, so that together they stay within the quota.
  const rows = await tx.query<{ bytes: number }>(
    `insert into storage as s (workspace_id, bytes) values ($1, $2)
     on conflict (workspace_id) do update set bytes = s.bytes + $2 returning bytes`,
    [workspaceId, want.bytes],
  )
  const held = rows[0]?.bytes ?? 0
  const { bytes: reserved } = await sumReservations(tx, { workspaceId, now, exceptId: reservationId })
  if (held + reserved > bytesMax) throw overQuota({ held: held - want.bytes, reserved, bytesMax })
  if (reservationId !== undefined) await dropReservation(tx, { workspaceId, id: reservationId })
}

/** Returns the bytes of a deleted file to the quota. */
export async function releaseStorage(tx: Sql, file: { workspaceId: string; bytes: number }): Promise<void> {
  await tx.query('update storage set bytes = greatest(0, bytes - $2) where workspace_id = $1', [
    file.workspaceId,
    file.bytes,
  ])
}

/** Leaves a blob to the collector, which checks it again when executions have ended. */
export async function leaveBlob(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query('insert into blob_leftovers (sha256) values ($1) on conflict do nothing', [sha256])
}

/** Blobs per round of the collector. */
const batchMax = 1_000

/** Some of the blobs on the collector's list: random ones, for the first may all be of executions that wait for weeks. */
export async function listLeftovers(sql: Sql): Promise<readonly Buffer[]> {
  const rows = await sql.query<{ sha256: Buffer }>(
    `select sha256 from blob_leftovers order by random() limit ${batchMax}`,
  )
  return rows.map((row) => row.sha256)
}

/** Removes a blob from the collector's list. */
export async function dropLeftover(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query('delete from blob_leftovers where sha256 = $1', [sha256])
}
