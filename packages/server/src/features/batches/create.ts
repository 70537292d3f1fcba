import { Fault } from '@skillrun/core/fault.ts'
import { hashedName, newId } from '@skillrun/core/ids.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import { batchTopic, ignoredWarning } from '../executions/executions.ts'
import { bodySha256 } from '../idempotency/idempotency.ts'
import { refuseForbiddenCallback } from '../webhooks/webhooks.ts'
import type { Batch } from './batch.ts'
import { findByKey, insertBatch } from './batch-store.ts'
import { insertItems, itemsJson } from './item-store.ts'
import { type BatchCreation, type BatchParts, itemsOf } from './request-items.ts'
import { sharedRequest } from './shared-request.ts'

/**
 * Accepts a batch: validates all items and their shared request, then writes everything in one transaction. Workers create the executions
 * later. The same idempotency key with the same body returns the first batch.
 *
 * Throws ValidationFailures, and Faults `missing` (agent, file) and `conflict` (key with another body).
 */
export async function createBatch(parts: BatchParts, call: BatchCreation): Promise<Batch> {
  const { workspaceId } = call.caller
  const sha256 = await bodySha256(call.body)
  // An empty header counts as absent, as it does for single executions.
  const idempotencyKey = call.idempotencyKey ? hashedName(call.idempotencyKey) : null
  const first =
    idempotencyKey === null ? undefined : await findFirstBatch(parts.db, { workspaceId, idempotencyKey, sha256 })
  if (first) return first
  const { db, clock, queue, intake } = parts
  const { body } = call
  await refuseForbiddenCallback(intake.egress, body.callback_url ?? null)
  const { items, warnings } = await itemsOf(parts, call)
  const request = await sharedRequest(parts, call, items[0])
  const now = clock.now()
  const batch: Batch = {
    id: newId(now),
    workspaceId,
    keyId: call.caller.keyId,
    name: body.name ?? null,
    status: 'running',
    callbackUrl: body.callback_url ?? null,
    total: items.length,
    inFlightMax: body.max_in_flight ?? limits.batchInFlight,
    warnings: [...request.ignored.map(ignoredWarning), ...warnings],
    createdAt: now,
    completedAt: null,
  }
  const written = await itemsJson(items)
  const isNew = await db.transaction(async (tx) => {
    if (
      !(await insertBatch(tx, {
        ...batch,
        request,
        zipFileId: body.zip_file_id?.toLowerCase() ?? null,
        idempotencyKey,
        bodySha256: sha256,
      }))
    )
      return false
    await insertItems(tx, batch, written)
    await queue.add(tx, batchTopic, { workspaceId, id: batch.id })
    const detail = { items: batch.total }
    await recordAction(tx, {
      workspaceId,
      keyId: batch.keyId,
      action: 'batch.create',
      subjectId: batch.id,
      detail,
      now,
    })
    return true
  })
  if (isNew) return batch
  const other = idempotencyKey === null ? undefined : await findFirstBatch(db, { workspaceId, idempotencyKey, sha256 })
  if (!other) throw new Error('a batch whose key was taken is not there')
  return other
}

async function findFirstBatch(
  db: Db,
  of: { workspaceId: string; idempotencyKey: string; sha256: Buffer },
): Promise<Batch | undefined> {
  const found = await findByKey(db, of)
  if (found && !found.bodySha256.equals(of.sha256))
    throw new Fault(
      'conflict',
      'idempotency_conflict',
      'This Idempotency-Key was already used for a batch with a different body',
    )
  return found
}
