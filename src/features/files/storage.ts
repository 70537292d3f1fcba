import { Fault } from '../../kit/fault.ts'
import { limits } from '../../kit/limits.ts'
import type { Sql } from '../../seams/db/db.ts'

/** Counts bytes against the quota of a workspace. Fault `too_large` (`storage_quota`) when it would be passed. */
export async function takeStorage(
  tx: Sql,
  want: { workspaceId: string; bytes: number; bytesMax: number },
): Promise<void> {
  // Whoever adds a file at the same moment waits for this row, so that both together stay within.
  const rows = await tx.query<{ bytes: number }>(
    `insert into storage as s (workspace_id, bytes) values ($1, $2)
     on conflict (workspace_id) do update set bytes = s.bytes + $2 returning bytes`,
    [want.workspaceId, want.bytes],
  )
  const held = rows[0]?.bytes ?? 0
  if (held > want.bytesMax) throw overQuota(held - want.bytes, want.bytesMax)
}

/** Gives back the bytes of a file that was deleted. */
export async function releaseStorage(tx: Sql, file: { workspaceId: string; bytes: number }): Promise<void> {
  await tx.query('update storage set bytes = greatest(0, bytes - $2) where workspace_id = $1', [
    file.workspaceId,
    file.bytes,
  ])
}

/** Refuses an upload of so many bytes before they come, where the workspace has no room for them. Fault as `takeStorage`. */
export async function refuseFull(
  parts: { db: Sql; storageBytesMax?: number },
  upload: { workspaceId: string; bytes: number },
): Promise<void> {
  const rows = await parts.db.query<{ bytes: number }>('select bytes from storage where workspace_id = $1', [
    upload.workspaceId,
  ])
  const held = rows[0]?.bytes ?? 0
  const bytesMax = parts.storageBytesMax ?? limits.storageBytesPerWorkspaceMax
  // What a form has around the file is not counted.
  if (held >= bytesMax || held + upload.bytes - formBytes > bytesMax) throw overQuota(held, bytesMax)
}

const formBytes = 64 * 1024

const overQuota = (held: number, bytesMax: number): Fault =>
  new Fault(
    'too_large',
    'storage_quota',
    `The files of this workspace take ${held} bytes of the ${bytesMax} that they may take; delete some first`,
  )

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
