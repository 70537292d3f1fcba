import type { Sql } from '../../adapters/db/db.ts'
import { dropReservation, overQuota, sumReservations } from './reservations.ts'

/**
 * Counts bytes against the quota of a workspace, in place of what `reservationId` had reserved for them. Fault `too_large`
 * (`storage_quota`) when files and uploads in progress together would pass it.
 */
export async function takeStorage(
  tx: Sql,
  want: { workspaceId: string; bytes: number; bytesMax: number; now: Date; reservationId?: string | undefined },
): Promise<void> {
  const { workspaceId, bytesMax, now, reservationId } = want
  // Whoever adds a file at the same moment waits for this row, so that both together stay within.
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

/** Gives back the bytes of a file that was deleted. */
export async function releaseStorage(tx: Sql, file: { workspaceId: string; bytes: number }): Promise<void> {
  await tx.query('update storage set bytes = greatest(0, bytes - $2) where workspace_id = $1', [
    file.workspaceId,
    file.bytes,
  ])
}

/** Leaves a blob to the collector, which looks at it again when executions have ended. */
export async function leaveBlob(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query('insert into blob_leftovers (sha256) values ($1) on conflict do nothing', [sha256])
}

/** Blobs that one look of the collector takes on. */
const batchMax = 1_000

/** The blobs that were left to the collector. */
export async function listLeftovers(sql: Sql): Promise<readonly Buffer[]> {
  const rows = await sql.query<{ sha256: Buffer }>(`select sha256 from blob_leftovers limit ${batchMax}`)
  return rows.map((row) => row.sha256)
}

/** Takes a blob off the collector's list. */
export async function dropLeftover(tx: Sql, sha256: Buffer): Promise<void> {
  await tx.query('delete from blob_leftovers where sha256 = $1', [sha256])
}
