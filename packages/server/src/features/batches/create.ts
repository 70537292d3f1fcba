import { Fault } from '@skillrun/core/fault.ts'
import { hashedName, newId } from '@skillrun/core/ids.ts'
import type { JsonObject } from '@skillrun/core/json.ts'
import type { Db } from '../../adapters/db/db.ts'
import { type IgnoredField, ignoredFields } from '../../adapters/http/ignored-fields.ts'
import { parsePart } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import {
  batchTopic,
  bodySha256,
  type ExecuteRequest,
  executeRequest,
  ignoredWarning,
  mayRetain,
  prepare,
} from '../executions/executions.ts'
import { tierOf } from '../pricing/pricing.ts'
import { refuseForbiddenCallback } from '../webhooks/webhooks.ts'
import { bodyOnBase } from './base-items.ts'
import type { Batch, BatchRequest, NewItem } from './batch.ts'
import { findByKey, insertBatch } from './batch-store.ts'
import { insertItems, itemsJson } from './item-store.ts'
import { type BatchCreation, type BatchParts, documentSlot, inputsOfItem, itemsOf } from './request-items.ts'
import { batchRequest } from './wire.ts'

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
  const request = await readRequest(parts, call, items)
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

/** The shared request of the batch, validated with the first item. Pins the versions of skills and agent. */
async function readRequest(
  parts: BatchParts,
  { caller, body, sentBody, origin, signal }: BatchCreation,
  items: readonly NewItem[],
): Promise<BatchRequest> {
  const { agent: name, model, metadata, toolsets, config } = body
  const shared: ExecuteRequest = {
    name,
    model,
    metadata,
    toolsets,
    config: { ...config, service_tier: body.service_tier ?? config?.service_tier ?? 'flex' },
  }
  const archive = body.zip_file_id ? inputsOfItem({ file_id: body.zip_file_id }) : {}
  const [item] = items
  const first = item?.baseExecution
    ? await firstOnBase(parts, {
        workspaceId: caller.workspaceId,
        id: item.baseExecution,
        shared: shared as JsonObject,
      })
    : { ...shared, inputs: item?.inputs ?? archive }
  const { agent, request } = await prepare(parts, { caller, body: first, signal })
  const pinned = request.skills ?? []
  return {
    body: {
      ...shared,
      ...(name && agent ? { name: `${agent.name}:${agent.version}` } : {}),
      config: {
        ...shared.config,
        ...(config?.skills
          ? { skills: config.skills.map((entry, at) => pinnedEntry(pinned[at]?.id ?? null) ?? entry) }
          : {}),
      },
    } as JsonObject,
    tier: tierOf(shared.config?.service_tier),
    ignored: ignoredOf(sentBody),
    origin,
    isRetained: mayRetain(request),
  }
}

/** The request of the first item, to validate what the batch replaces. An earlier execution that was not retained fails as an item. */
async function firstOnBase(
  { db }: BatchParts,
  of: { workspaceId: string; id: string; shared: JsonObject },
): Promise<ExecuteRequest> {
  const body = await bodyOnBase(db, of).catch((error: unknown): JsonObject => {
    if (error instanceof Fault) return { ...of.shared, inputs: { [documentSlot]: '' } }
    throw error
  })
  const { base_execution: _, ...config } = (body['config'] ?? {}) as JsonObject
  return parsePart(executeRequest, { ...body, config }, 'body')
}

const pinnedEntry = (id: string | null) => (id === null ? undefined : { type: 'skill_reference', skill_id: id })

/** Unknown fields are allowed inside `config` and `metadata` only. */
const ignoredOf = (sent: unknown): readonly IgnoredField[] =>
  ignoredFields(batchRequest, sent).filter(({ path }) => path[0] === 'config')
