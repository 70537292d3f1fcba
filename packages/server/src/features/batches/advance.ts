import { Fault } from '@skillrun/core/fault.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import { parsePart, refusalIn } from '../../adapters/http/validation.ts'
import { Deferred, type Job } from '../../adapters/queue/queue.ts'
import { jsonBytes } from '../../core/json-pieces.ts'
import {
  cancel,
  createExecution,
  executeRequest,
  pauseInTransaction,
  resume,
  type Status,
} from '../executions/executions.ts'
import { addCallback } from '../webhooks/webhooks.ts'
import { entryInput } from './archive.ts'
import { bodyOnBase } from './base-items.ts'
import type { Batch, BatchPlace, BatchRequest, QueuedItem } from './batch.ts'
import { completeBatch, findBatch, findRequest, lockPaused } from './batch-store.ts'
import { failItem, linkExecution, listInFlight, listStartable, progressOf, settleItems } from './item-store.ts'
import { purgeUnretained } from './purge.ts'
import type { BatchParts } from './request-items.ts'
import { documentSlot } from './shared-request.ts'
import { batchOf } from './wire.ts'

/** Delay before creating executions again when the queue is full or the database is away. */
const againMs = 2_000

/**
 * Advances a batch: records the ends of its executions, creates as many as may be in flight, and completes it. Each end and each change of
 * the batch adds a job for this. Jobs may repeat and overlap, so every step is idempotent.
 */
export async function advanceBatch(parts: BatchParts, job: Job, signal: AbortSignal): Promise<void> {
  const place = { workspaceId: String(job.data['workspaceId']), id: String(job.data['id']) }
  const executionId = job.data['executionId']
  await settleItems(parts.db, place, typeof executionId === 'string' ? executionId : null)
  const batch = await findBatch(parts.db, place)
  if (!batch) return
  // Completes a change of the batch that its process left unfinished when it died.
  if (batch.status === 'cancelled' || batch.status === 'paused') return applyToFlight(parts, batch)
  if (batch.status === 'completed') return
  if (job.data['resumes'] === true) await resumeFlight(parts, batch)
  await startItems(parts, batch, signal)
  await complete(parts, place)
}

/** Creates the executions of the next items, up to the limit in flight. */
async function startItems(parts: BatchParts, batch: Batch, signal: AbortSignal): Promise<void> {
  const request = await findRequest(parts.db, batch)
  if (!request) return
  for (;;) {
    const items = await listStartable(parts.db, batch)
    if (items.length === 0) return
    for (const item of items) {
      signal.throwIfAborted()
      if (!(await startItem(parts, { batch, request, item, signal }))) return
    }
  }
}

/** Thrown in the transaction that creates an item's execution when the execution must not exist. */
class NotStartable extends Error {
  override name = 'NotStartable'
}

/** Creates the execution of an item. False: the batch was paused, cancelled or purged, or the item has an execution already. */
async function startItem(
  parts: BatchParts,
  of: {
    batch: Batch
    request: BatchRequest & { readonly zipFileId: string | null }
    item: QueuedItem
    signal: AbortSignal
  },
): Promise<boolean> {
  const { batch, request, item, signal } = of
  const { workspaceId, id, keyId } = batch
  const { number, attempt, clientId, fileName } = item
  try {
    const body = item.baseExecution
      ? await bodyOnBase(parts.db, { workspaceId, id: item.baseExecution, shared: request.body })
      : { ...request.body, inputs: item.inputs ?? (await archiveInputs(parts, of)) }
    await createExecution(parts, {
      caller: { workspaceId, keyId, scopes: [] },
      body: parsePart(executeRequest, body, 'body'),
      idempotencyKey: undefined,
      ignored: request.ignored,
      ...(request.origin === undefined ? {} : { origin: request.origin }),
      batch: {
        id,
        clientId,
        fileName,
        callbackUrl: batch.callbackUrl,
        alongside: async (tx, execution) => {
          const isLinked = await linkExecution(tx, { workspaceId, id, number, attempt, executionId: execution.id })
          if (!isLinked) throw new NotStartable('the batch does not run, or the item was started already')
        },
      },
      signal,
    })
    return true
  } catch (error) {
    if (error instanceof NotStartable) return false
    if (error instanceof Fault && error.retryable) throw new Deferred(error.message, againMs, { defersGroup: false })
    const refused = refusalIn(error)
    if (!refused) throw error
    await failItem(parts.db, { workspaceId, id, number, attempt, error: refused, now: parts.clock.now() })
    return true
  }
}

/** An item that is a file in the batch's archive. */
async function archiveInputs(
  { db, blobs, intake }: BatchParts,
  { batch, request, item, signal }: Parameters<typeof startItem>[1],
): Promise<JsonObject> {
  const of = { workspaceId: batch.workspaceId, fileId: request.zipFileId ?? '', entry: item.entry ?? '', signal }
  return { [documentSlot]: await entryInput({ db, blobs, processPool: intake.processPool }, of) }
}

/** Completes the batch when all its items have ended, and adds its callback. */
async function complete({ db, clock, queue }: BatchParts, place: BatchPlace): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const batch = await completeBatch(tx, place, now)
    if (!batch) return
    await announceBatch({ tx, queue }, batch, now)
    await purgeUnretained(tx, batch, now)
  })
}

/** Adds the callback of a batch in the transaction that ended it. */
export async function announceBatch(parts: Parameters<typeof addCallback>[0], batch: Batch, now: Date): Promise<void> {
  const { workspaceId, id, callbackUrl: url, status } = batch
  if (url === null || (status !== 'completed' && status !== 'cancelled')) return
  const progress = await progressOf(parts.tx, { workspaceId, ids: [id] })
  const body = await jsonBytes(batchOf(batch, progress(id)))
  await addCallback(parts, { workspaceId, executionId: id, event: `batch.${status}`, url, body, now })
}

/** Pauses or cancels the executions of a paused or cancelled batch. */
export async function applyToFlight(parts: BatchParts, batch: Batch): Promise<void> {
  const { db, clock, queue } = parts
  const inFlight = (statuses: readonly Status[]) => listInFlight(db, batch, statuses)
  if (batch.status === 'cancelled')
    return changeEach(parts, batch, {
      ids: await inFlight(['pending', 'enqueued', 'running', 'paused']),
      change: cancel,
    })
  const { workspaceId } = batch
  for (const id of await inFlight(['enqueued', 'running']))
    await db.transaction(async (tx) => {
      // Once the batch was resumed, nobody would resume what is paused after that.
      if (await lockPaused(tx, batch)) await pauseInTransaction({ tx, queue }, { workspaceId, id, now: clock.now() })
    })
}

/** Resumes the paused executions of the batch. */
export async function resumeFlight(parts: BatchParts, batch: Batch): Promise<void> {
  await changeEach(parts, batch, { ids: await listInFlight(parts.db, batch, ['paused']), change: resume })
}

/** Changes these executions, without those that have ended by now, or have no budget left. */
async function changeEach(
  parts: BatchParts,
  { workspaceId }: BatchPlace,
  { ids, change }: { ids: readonly string[]; change: typeof cancel | typeof resume },
): Promise<void> {
  for (const id of ids)
    try {
      await change(parts, { workspaceId, id })
    } catch (error) {
      if (!(error instanceof Fault) || (error.kind !== 'conflict' && error.kind !== 'missing')) throw error
    }
}
