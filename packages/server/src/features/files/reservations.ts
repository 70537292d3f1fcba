import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'

/** A transfer in progress and its reservation in the workspace's quota, counted across all processes. */
export interface StorageReservation {
  readonly id: string
  /**
   * Passes each chunk on once the quota has room for it. Throws Fault `too_large` (`storage_quota`) when there is none, and Fault `stalled`
   * (`body_too_slow`) for a client that is too slow or takes too long.
   */
  passing(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Releases the reservation. Never throws: a reservation that cannot be dropped expires. */
  drop(): Promise<void>
}

export interface ReservationParts {
  readonly db: Db
  readonly clock: Clock
  readonly storageBytesMax?: number
  readonly uploadsPerKeyMax?: number
}

/** Reserving ahead saves statements, but near the quota it would refuse others for bytes that never come. */
const aheadBytesMax = 8 * 1024 * 1024
const aheadShare = 64
/** Several times `renewMs`: a live process never loses its reservations, a dead one blocks nothing for long. */
const leaseMs = 3 * 60_000
const renewMs = 30_000

/** Bytes to come to a workspace: an upload of a key, or a fetched input (no key). */
export interface Transfer {
  readonly workspaceId: string
  readonly keyId: string | null
  /** 0 if the length is unknown. */
  readonly announcedBytes: number
}

/**
 * Receives an upload of a key under a reservation, which ends with `receive`. Fault `limited` (`too_many_uploads`) when the key has too
 * many uploads in progress; `too_large` (`storage_quota`) when the workspace is full or has no room for the announced length.
 */
export async function withReservation<T>(
  parts: ReservationParts,
  upload: Transfer,
  receive: (reservation: StorageReservation) => Promise<T>,
): Promise<T> {
  const reservation = await openReservation(parts, upload)
  try {
    return await receive(reservation)
  } finally {
    await reservation.drop()
  }
}

/** As `withReservation`, until the reservation is dropped. */
export async function openReservation(parts: ReservationParts, transfer: Transfer): Promise<StorageReservation> {
  const { db, clock } = parts
  const { workspaceId } = transfer
  const id = newId(clock.now())
  const begunMs = clock.monotonicMs()
  let received = 0
  let reserved = await writeReservation(parts, { ...transfer, id, received, reserved: 0 })
  const renewing = setInterval(() => {
    renewReservation(db, { workspaceId, id, now: clock.now() }).catch(() => undefined)
  }, renewMs).unref()
  return {
    id,
    async *passing(source) {
      for await (const chunk of source) {
        received += chunk.length
        refuseSlow(received, clock.monotonicMs() - begunMs)
        if (received > reserved) reserved = await writeReservation(parts, { ...transfer, id, received, reserved })
        yield chunk
      }
    },
    async drop() {
      clearInterval(renewing)
      await dropReservation(db, { workspaceId, id }).catch(() => undefined)
    },
  }
}

/** Without a deadline a slow client could hold a reservation, a connection and a temporary file forever. */
function refuseSlow(bytes: number, elapsedMs: number): void {
  const { uploadWallMs, uploadGraceMs, uploadBytesPerSecondMin: slowest } = limits
  if (elapsedMs > uploadWallMs)
    throw tooSlow(`The upload took longer than ${uploadWallMs / 3_600_000} hours, which is the limit; split the file`)
  if (elapsedMs > uploadGraceMs && bytes < (slowest * (elapsedMs - uploadGraceMs)) / 1000)
    throw tooSlow(`The upload is slower than ${slowest} bytes per second, which is the minimum`)
}

const tooSlow = (message: string): Fault => new Fault('stalled', 'body_too_slow', message)

interface Reserving extends Transfer {
  readonly id: string
  /** Received bytes; the reservation must cover all of them. */
  readonly received: number
  /** Bytes covered before; 0 for a new upload. */
  readonly reserved: number
}

async function writeReservation(parts: ReservationParts, upload: Reserving): Promise<number> {
  const { id, workspaceId, keyId, received, announcedBytes } = upload
  const bytesMax = parts.storageBytesMax ?? limits.storageBytesPerWorkspaceMax
  const uploadsMax = parts.uploadsPerKeyMax ?? limits.uploadsPerKeyMax
  const now = parts.clock.now()
  return parts.db.transaction(async (tx) => {
    const held = await lockStorage(tx, workspaceId)
    const others = await sumReservations(tx, { workspaceId, now, exceptId: id, keyId })
    const isNew = upload.reserved === 0 && received === 0
    if (isNew && keyId !== null && others.ofKey >= uploadsMax) throw tooManyUploads(uploadsMax)
    const room = bytesMax - held - others.bytes
    // The bytes of the form around the file do not count.
    const needed = isNew ? announcedBytes - formBytes : received
    if (room < needed || (isNew && room <= 0)) throw overQuota({ held, reserved: others.bytes, bytesMax })
    const announced = announcedBytes > 0 ? Math.max(0, announcedBytes - received) : aheadBytesMax
    const ahead = Math.min(aheadBytesMax, announced, Math.floor((room - received) / aheadShare))
    const bytes = received + Math.max(0, ahead)
    await tx.query(
      `insert into upload_reservations (id, workspace_id, key_id, bytes, expires_at) values ($1, $2, $3, $4, $5)
       on conflict (id) do update set bytes = excluded.bytes, expires_at = excluded.expires_at`,
      [id, workspaceId, keyId, bytes, new Date(now.getTime() + leaseMs)],
    )
    return bytes
  })
}

const formBytes = 64 * 1024

/** Blocks other reservations and storage of the workspace until the transaction ends. Returns the total size of its files. */
async function lockStorage(tx: Sql, workspaceId: string): Promise<number> {
  // Reservations need not survive a database crash, so their commit does not wait for the disk.
  const rows = await tx.query<{ bytes: number }>(
    `insert into storage as s (workspace_id, bytes) values ($1, 0)
     on conflict (workspace_id) do update set bytes = s.bytes
     returning bytes, set_config('synchronous_commit', 'off', true)`,
    [workspaceId],
  )
  return rows[0]?.bytes ?? 0
}

/** Reserved bytes of a workspace, and the number of transfers of one key. */
export async function sumReservations(
  sql: Sql,
  of: { workspaceId: string; now: Date; exceptId?: string | undefined; keyId?: string | null },
): Promise<{ bytes: number; ofKey: number }> {
  const rows = await sql.query<{ bytes: number; ofKey: number }>(
    `select coalesce(sum(bytes), 0)::bigint as bytes, count(*) filter (where key_id = $4)::integer as "ofKey"
     from upload_reservations where workspace_id = $1 and expires_at > $2 and id is distinct from $3`,
    [of.workspaceId, of.now, of.exceptId ?? null, of.keyId ?? null],
  )
  return rows[0] ?? { bytes: 0, ofKey: 0 }
}

/** Extends the reservation of a running upload. */
export async function renewReservation(sql: Sql, of: { workspaceId: string; id: string; now: Date }): Promise<void> {
  await sql.query('update upload_reservations set expires_at = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    new Date(of.now.getTime() + leaseMs),
  ])
}

/** Deletes a reservation if it exists. */
export async function dropReservation(sql: Sql, of: { workspaceId: string; id: string }): Promise<void> {
  await sql.query('delete from upload_reservations where workspace_id = $1 and id = $2', [of.workspaceId, of.id])
}

/** Deletes the reservations of dead processes in all workspaces. */
export async function dropExpiredReservations(sql: Sql, now: Date): Promise<void> {
  await sql.query('delete from upload_reservations where expires_at <= $1', [now])
}

/** The Fault of a workspace whose files, artifacts and reservations fill its quota. */
export const overQuota = (of: { held: number; reserved: number; bytesMax: number }): Fault => {
  const transfers = of.reserved > 0 ? `, and inputs and uploads in progress have reserved ${of.reserved}` : ''
  return new Fault(
    'too_large',
    'storage_quota',
    `The storage quota of this workspace is used up: files and artifacts take ${of.held} of ${of.bytesMax} bytes${transfers}; delete files first`,
  )
}

const tooManyUploads = (max: number): Fault =>
  new Fault(
    'limited',
    'too_many_uploads',
    `This key has reached its limit of ${max} uploads in progress; wait for one to finish`,
  )
