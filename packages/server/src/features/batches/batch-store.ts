import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { Batch, BatchPlace, BatchRequest, BatchStatus } from './batch.ts'

const columns = `id, workspace_id as "workspaceId", key_id as "keyId", name, status, callback_url as "callbackUrl", total,
  in_flight_max as "inFlightMax", warnings, created_at as "createdAt", completed_at as "completedAt"`

export interface NewBatch extends Batch {
  readonly request: BatchRequest
  readonly zipFileId: string | null
  /** Hashed. */
  readonly idempotencyKey: string | null
  readonly bodySha256: Buffer
}

/** Inserts a batch without its items. False: another batch has its idempotency key. */
export async function insertBatch(tx: Sql, batch: NewBatch): Promise<boolean> {
  const rows = await tx.query(
    `insert into batches (id, workspace_id, key_id, name, status, request, zip_file_id, callback_url, total, in_flight_max, warnings,
       idempotency_key, body_sha256, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing returning id`,
    [
      batch.id,
      batch.workspaceId,
      batch.keyId,
      batch.name,
      batch.status,
      await largeJsonb(batch.request),
      batch.zipFileId,
      batch.callbackUrl,
      batch.total,
      batch.inFlightMax,
      jsonb(batch.warnings),
      batch.idempotencyKey,
      batch.bodySha256,
      batch.createdAt,
    ],
  )
  return rows.length === 1
}

export async function findBatch(sql: Sql, place: BatchPlace): Promise<Batch | undefined> {
  const [batch] = await sql.query<Batch>(`select ${columns} from batches where workspace_id = $1 and id = $2`, [
    place.workspaceId,
    place.id,
  ])
  return batch
}

/** The shared request of a batch; undefined once it was purged. */
export async function findRequest(
  sql: Sql,
  place: BatchPlace,
): Promise<(BatchRequest & { readonly zipFileId: string | null }) | undefined> {
  const [row] = await sql.query<{ request: BatchRequest | null; zipFileId: string | null }>(
    `select request, zip_file_id as "zipFileId" from batches where workspace_id = $1 and id = $2`,
    [place.workspaceId, place.id],
  )
  return row?.request ? { ...row.request, zipFileId: row.zipFileId } : undefined
}

/** The batch with an idempotency key, and the hash of the body that came with it. */
export async function findByKey(
  sql: Sql,
  of: { workspaceId: string; idempotencyKey: string },
): Promise<(Batch & { readonly bodySha256: Buffer }) | undefined> {
  const [batch] = await sql.query<Batch & { bodySha256: Buffer }>(
    `select ${columns}, body_sha256 as "bodySha256" from batches where workspace_id = $1 and idempotency_key = $2`,
    [of.workspaceId, of.idempotencyKey],
  )
  return batch
}

/** Newest first; `after` is the last batch of the previous page. */
export async function listBatches(
  sql: Sql,
  of: {
    workspaceId: string
    status: BatchStatus | null
    after: { createdAt: Date; id: string } | null
    limit: number
  },
): Promise<readonly Batch[]> {
  return sql.query<Batch>(
    `select ${columns} from batches where workspace_id = $1 and ($2::text is null or status = $2)
       and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
     order by created_at desc, id desc limit $5`,
    [of.workspaceId, of.status, of.after?.createdAt ?? null, of.after?.id ?? null, of.limit],
  )
}

/** SQL: a running batch whose items have all ended. */
const canComplete = `workspace_id = $1 and id = $2 and status = 'running' and not exists (
  select from batch_items i where i.workspace_id = $1 and i.batch_id = $2 and i.state in ('queued', 'started'))`

/** Whether a batch is paused; if it is, it stays so until the end of the transaction. */
export async function lockPaused(tx: Sql, place: BatchPlace): Promise<boolean> {
  const rows = await tx.query(
    `select from batches where workspace_id = $1 and id = $2 and status = 'paused' for share`,
    [place.workspaceId, place.id],
  )
  return rows.length === 1
}

/** Completes a running batch whose items have all ended, and returns it; undefined if it is not running or an item has not ended. */
export async function completeBatch(tx: Sql, place: BatchPlace, now: Date): Promise<Batch | undefined> {
  // The lock comes first, in its own statement: an update that waits for a retry to commit would still count the items as they were before it.
  const locked = await tx.query(`select from batches where ${canComplete} for update`, [place.workspaceId, place.id])
  if (locked.length === 0) return undefined
  const [batch] = await tx.query<Batch>(
    `update batches set status = 'completed', completed_at = $3 where ${canComplete} returning ${columns}`,
    [place.workspaceId, place.id, now],
  )
  return batch
}

/** Sets the status of a batch from one of `from` to `to`, and gives the one before; undefined if its status is another. */
export async function moveBatch(
  tx: Sql,
  place: BatchPlace,
  move: { from: readonly BatchStatus[]; to: BatchStatus; endedAt: Date | null },
): Promise<(Batch & { readonly was: BatchStatus }) | undefined> {
  const [batch] = await tx.query<Batch & { was: BatchStatus }>(
    `with earlier as (
       select status as was from batches where workspace_id = $1 and id = $2 and status = any($3::text[]) for update
     )
     update batches set status = $4, completed_at = $5 from earlier where workspace_id = $1 and id = $2 returning ${columns}, was`,
    [place.workspaceId, place.id, move.from, move.to, move.endedAt],
  )
  return batch
}

/** Batches that ended before `before` and still have content, in all workspaces. */
export async function listOldBatches(sql: Sql, before: Date, limit: number): Promise<readonly BatchPlace[]> {
  return sql.query<BatchPlace>(
    `select workspace_id as "workspaceId", id from batches
     where purged_at is null and status in ('completed', 'cancelled') and completed_at < $1 limit $2`,
    [before, limit],
  )
}

/** Whether retention allows the content of an ended batch. */
export async function isBatchRetained(sql: Sql, place: BatchPlace): Promise<boolean> {
  return (await findRequest(sql, place))?.isRetained ?? false
}

/**
 * Drops the content of an ended batch: the request and the names of items. Counts, costs and times stay. `olderThan`: only if it ended before.
 * False: it runs or ended again since the caller looked, or was purged, and stays as it is.
 */
export async function scrubBatch(tx: Sql, place: BatchPlace & { now: Date; olderThan: Date | null }): Promise<boolean> {
  const ended = await tx.query(
    `update batches set request = null, name = null, zip_file_id = null, callback_url = null, warnings = '[]', purged_at = $3
     where workspace_id = $1 and id = $2 and status in ('completed', 'cancelled') and purged_at is null
       and ($4::timestamptz is null or completed_at < $4) returning id`,
    [place.workspaceId, place.id, place.now, place.olderThan],
  )
  if (ended.length === 0) return false
  await tx.query(
    `update batch_items set inputs = null, entry = null, base_execution = null, file_name = null, client_id = null,
       error = case when error is null then null else json_build_object('code', error->'code', 'retryable', error->'retryable',
         'message', 'The message of this failure was not retained') end
     where workspace_id = $1 and batch_id = $2`,
    [place.workspaceId, place.id],
  )
  return true
}
