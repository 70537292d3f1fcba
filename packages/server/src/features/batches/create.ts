import { Fault } from '@skillrun/core/fault.ts'
import { hashedName, isId, newId } from '@skillrun/core/ids.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { type IgnoredField, ignoredFields } from '../../adapters/http/ignored-fields.ts'
import type { Caller } from '../../adapters/http/route.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import {
  batchTopic,
  bodySha256,
  type CreateParts,
  type ExecuteRequest,
  ignoredWarning,
  mayRetain,
  prepare,
} from '../executions/executions.ts'
import { findFilenames, findPendingUploads } from '../files/files.ts'
import { readSlots } from '../inputs/inputs.ts'
import { tierOf } from '../pricing/pricing.ts'
import { refuseForbiddenCallback } from '../webhooks/webhooks.ts'
import { archiveItems } from './archive.ts'
import type { Batch, BatchRequest, NewItem } from './batch.ts'
import { findByKey, insertBatch, insertItems, itemsText } from './store.ts'
import { type BatchRequestBody, batchRequest, type ItemRequest } from './wire.ts'

/** What batches need: the same as creating executions, and the bytes of archives. */
export interface BatchParts extends CreateParts {
  readonly blobs: Pick<Blobs, 'localPath'>
}

interface BatchCall {
  readonly caller: Caller
  readonly body: BatchRequestBody
  readonly sentBody: unknown
  readonly idempotencyKey: string | undefined
  /** Scheme and host at which people reach this server. */
  readonly origin: string
  readonly signal: AbortSignal
}

/** The slot of an item that names a file or a URL. */
export const documentSlot = 'document'

/**
 * Accepts a batch: checks all items and what their executions have in common, then writes everything in one transaction. No
 * execution exists then: a worker creates them. The same idempotency key with the same body gives the first batch again.
 *
 * Throws ValidationFailures, and Faults `missing` (agent, file) and `conflict` (key with another body).
 */
export async function createBatch(parts: BatchParts, call: BatchCall): Promise<Batch> {
  const { workspaceId } = call.caller
  const sha256 = await bodySha256(call.body)
  const idempotencyKey = call.idempotencyKey === undefined ? null : hashedName(call.idempotencyKey)
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
  const written = await itemsText(items)
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

/** The items of a batch, and what is to be said of them. */
async function itemsOf(
  parts: BatchParts,
  call: BatchCall,
): Promise<{ readonly items: readonly NewItem[]; readonly warnings: Batch['warnings'] }> {
  const { caller, body, signal } = call
  if (!body.zip_file_id) {
    const items = await readItems(parts, call)
    return { items: body.combine ? [combined(items)] : items, warnings: [] }
  }
  const { processPool } = parts.intake
  const of = { workspaceId: caller.workspaceId, fileId: body.zip_file_id, signal }
  const archive = await archiveItems({ ...parts, processPool }, of)
  if (!body.combine) return archive
  // An execution reads all files of an archive.
  const inputs = inputsOf({ file_id: body.zip_file_id })
  return { ...archive, items: [{ clientId: null, fileName: null, inputs, entry: null }] }
}

/** The items of a body, checked one by one. */
async function readItems(parts: BatchParts, { caller, body }: BatchCall): Promise<readonly NewItem[]> {
  const items = (body.items ?? []).map(readItem)
  const names = await fileNames(parts, caller.workspaceId, items)
  return items.map(({ fileId, item }) => ({
    ...item,
    fileName: item.fileName ?? (fileId === null ? null : (names.get(fileId) ?? null)),
  }))
}

interface ReadItem {
  readonly item: NewItem
  /** The file that the item is named after. */
  readonly fileId: string | null
  /** The files that it needs. */
  readonly fileIds: readonly string[]
}

function readItem(given: ItemRequest, index: number): ReadItem {
  const loc = ['body', 'items', index]
  const kinds = [given.file_id, given.url, given.inputs].filter((kind) => kind !== undefined && kind !== null)
  if (kinds.length !== 1)
    throw invalid(loc, 'Give exactly one of file_id, url and inputs', {
      type: kinds.length === 0 ? 'missing' : 'ambiguous',
    })
  const inputs = inputsOf(given)
  const files = within(loc, () => readSlots(inputs, { beside: false })).inputs.flatMap(({ source }) =>
    source.kind === 'file' ? [source.fileId] : [],
  )
  const [fileId = null] = files
  return {
    item: {
      clientId: given.client_id ?? null,
      fileName: given.file_name ?? (given.url ? nameOfUrl(given.url) : null),
      inputs,
      entry: null,
    },
    fileId: fileId?.toLowerCase() ?? null,
    fileIds: files,
  }
}

function inputsOf({ file_id, url, inputs }: ItemRequest): JsonObject {
  if (file_id) return { [documentSlot]: { type: 'input_file', file_id } }
  if (url) return { [documentSlot]: { type: 'file_url', file_url: { url } } }
  return (inputs ?? {}) as JsonObject
}

/** Puts the item in front of the place that a failure names. */
function within<T>(loc: readonly (string | number)[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValidationFailure)) throw error
    throw new ValidationFailure(error.details.map((detail) => ({ ...detail, loc: [...loc, ...detail.loc.slice(1)] })))
  }
}

/** The last part of a URL's path, else its host. */
function nameOfUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text.slice(0, limits.filenameCharactersMax)
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname
  return decoded(last).slice(0, limits.filenameCharactersMax)
}

function decoded(text: string): string {
  try {
    // A name is shown to people and written into files: no control characters.
    return decodeURIComponent(text).replaceAll(/\p{Cc}/gu, ' ')
  } catch {
    return text
  }
}

/** The names of all files that the items need. Fault `missing` (`unknown_file`) for one that neither exists nor is being uploaded. */
async function fileNames(
  { db, clock }: BatchParts,
  workspaceId: string,
  items: readonly ReadItem[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.flatMap(({ fileIds }) => fileIds.map((id) => id.toLowerCase())))].filter(isId)
  const files = ids.length === 0 ? [] : await findFilenames(db, { workspaceId, ids })
  const names = new Map(files.map(({ id, filename }) => [id, filename]))
  const missing = ids.filter((id) => !names.has(id))
  const uploads =
    missing.length === 0 ? [] : await findPendingUploads(db, { workspaceId, ids: missing, now: clock.now() })
  const known = new Set([...names.keys(), ...uploads.map(({ id }) => id)])
  for (const [index, { fileIds }] of items.entries()) {
    const unknown = fileIds.find((id) => !known.has(id.toLowerCase()))
    if (unknown !== undefined)
      throw new Fault(
        'missing',
        'unknown_file',
        `items.${index}: this workspace has no file ${JSON.stringify(unknown.slice(0, 100))}`,
      )
  }
  return names
}

/** One item of all: its execution reads them together. */
function combined(items: readonly NewItem[]): NewItem {
  const slots = items.map(({ inputs }) => Object.values(inputs ?? {}))
  const single = slots.findIndex((values) => values.length !== 1)
  if (single >= 0)
    throw invalid(['body', 'items', single], 'With combine, each item has exactly one input', {
      type: 'not_combinable',
    })
  if (items.length > limits.inputItemsMax)
    throw invalid(['body', 'items'], `With combine, a batch takes at most ${limits.inputItemsMax} items`, {
      type: 'too_many_inputs',
      ctx: { max_items: limits.inputItemsMax },
    })
  const [first] = items
  return {
    clientId: null,
    fileName:
      first && items.length > 1 ? `${first.fileName ?? 'item 0'} + ${items.length - 1}` : (first?.fileName ?? null),
    inputs: { [documentSlot]: slots.flat().map(listItemOf) },
    entry: null,
  }
}

/** A plain text is an input as the value of a slot, but not as an item of a list. */
const listItemOf = (value: Json): Json =>
  typeof value === 'string' && !/^(https?:|data:)/i.test(value) ? { type: 'text', text: value } : value

/** What all executions of the batch have in common, checked with the first item. Skills and the agent keep their version. */
async function readRequest(
  parts: BatchParts,
  { caller, body, sentBody, origin, signal }: BatchCall,
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
  const archive = body.zip_file_id ? inputsOf({ file_id: body.zip_file_id }) : {}
  const first = { ...shared, inputs: items[0]?.inputs ?? archive }
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

const pinnedEntry = (id: string | null) => (id === null ? undefined : { type: 'skill_reference', skill_id: id })

/** Unknown fields of `config` and `metadata`; those beside them are refused. */
const ignoredOf = (sent: unknown): readonly IgnoredField[] =>
  ignoredFields(batchRequest, sent).filter(({ path }) => path[0] === 'config')
