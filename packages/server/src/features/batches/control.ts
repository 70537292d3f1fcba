import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { type AuditAction, recordAction } from '../audit/audit.ts'
import { batchTopic, markReplaced } from '../executions/executions.ts'
import { announceBatch, applyToFlight, resumeFlight } from './advance.ts'
import type { Batch, BatchPlace, BatchStatus } from './batch.ts'
import { findBatch, moveBatch } from './batch-store.ts'
import { cancelQueued, hasUnretainedFailed, listFailed, requeueFailed, settleItems } from './item-store.ts'
import { purgeUnretained } from './purge.ts'
import type { BatchParts } from './request-items.ts'

type Control = BatchPlace & { readonly keyId: string }

/** The batch of this id in this workspace. Fault `missing`. */
export async function loadBatch({ db }: { db: Sql }, place: BatchPlace): Promise<Batch> {
  const id = place.id.toLowerCase()
  const batch = isId(id) ? await findBatch(db, { workspaceId: place.workspaceId, id }) : undefined
  if (!batch) throw new Fault('missing', 'unknown_batch', 'This workspace has no batch with this id')
  return batch
}

/**
 * Pauses a running batch: no new executions, waiting ones do not start, running ones stop after their current step. Faults `missing`, and
 * `conflict` when it is not running.
 */
export async function pauseBatch(parts: BatchParts, of: Control): Promise<Batch> {
  const batch = await move(parts, of, { action: 'batch.pause', from: ['running'], to: 'paused' })
  await applyToFlight(parts, batch)
  return batch
}

/** Resumes a paused batch and its paused executions. Faults `missing`, and `conflict` when it is not paused. */
export async function resumeBatch(parts: BatchParts, of: Control): Promise<Batch> {
  const batch = await move(parts, of, { action: 'batch.resume', from: ['paused'], to: 'running' })
  await resumeFlight(parts, batch)
  return batch
}

/** Cancels a batch and its unfinished executions; a cancelled batch stays as it is. Faults `missing`, and `conflict` when it is completed. */
export async function cancelBatch(parts: BatchParts, of: Control): Promise<Batch> {
  const batch = await move(parts, of, {
    action: 'batch.cancel',
    from: ['running', 'paused'],
    to: 'cancelled',
    alongside: async (tx, cancelled, now) => {
      await cancelQueued(tx, cancelled, now)
      return true
    },
  })
  await applyToFlight(parts, batch)
  await settleItems(parts.db, batch, null)
  return batch
}

/**
 * Retries the failed items of a batch, each with a new execution, and resumes it if it is paused. Faults `missing`, and `conflict` when no
 * item failed, when the inputs of none that did were retained, or when the batch was cancelled.
 */
export async function retryBatch(parts: BatchParts, of: Control): Promise<Batch> {
  return move(parts, of, {
    action: 'batch.retry',
    from: ['running', 'paused', 'completed'],
    to: 'running',
    alongside: async (tx, batch) => {
      const { workspaceId } = batch
      // Locked first: one that is resumed at the same time is left to that.
      const replaced = await markReplaced(tx, { workspaceId, ids: await listFailed(tx, batch) })
      if ((await requeueFailed(tx, { ...batch, replaced })) > 0) return true
      if (await hasUnretainedFailed(tx, batch))
        throw new Fault(
          'conflict',
          'not_retained',
          'The inputs of the failed items were not retained, so they cannot be run again; send them in a new batch',
        )
      throw new Fault(
        'conflict',
        'nothing_to_retry',
        'No item of this batch has failed, apart from any whose execution was resumed',
      )
    },
  })
}

interface Move {
  readonly action: Extract<AuditAction, `batch.${string}`>
  readonly from: readonly BatchStatus[]
  readonly to: BatchStatus
  readonly alongside?: (tx: Sql, batch: Batch, now: Date) => Promise<unknown>
}

/** Changes the status of a batch and adds a job that completes the change if this process cannot. */
async function move(parts: BatchParts, of: Control, to: Move): Promise<Batch> {
  const { db, clock, queue } = parts
  const { workspaceId, id } = await loadBatch(parts, of)
  const now = clock.now()
  const moved = await db.transaction(async (tx) => {
    const endedAt = to.to === 'cancelled' ? now : null
    const batch = await moveBatch(tx, { workspaceId, id }, { from: to.from, to: to.to, endedAt })
    if (!batch) return undefined
    await to.alongside?.(tx, batch, now)
    const resumes = batch.was === 'paused' && batch.status === 'running'
    await queue.add(tx, batchTopic, { workspaceId, id, ...(resumes && { resumes }) })
    await recordAction(tx, { workspaceId, keyId: of.keyId, action: to.action, subjectId: id, now })
    await announceBatch({ tx, queue }, batch, now)
    if (batch.status === 'cancelled') await purgeUnretained(tx, batch, now)
    return batch
  })
  if (moved) return moved
  const batch = await loadBatch(parts, { workspaceId, id })
  const { status } = batch
  // What another call has cancelled is cancelled.
  if (status === 'cancelled' && to.to === 'cancelled') return batch
  throw new Fault(
    'conflict',
    'not_allowed_now',
    `The batch is ${status}; this is only allowed when it is ${to.from.join(' or ')}`,
  )
}
