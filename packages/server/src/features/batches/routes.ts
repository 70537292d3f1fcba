import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { moment } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import type { Batch } from './batch.ts'
import { listBatches } from './batch-store.ts'
import { cancelBatch, loadBatch, pauseBatch, resumeBatch, retryBatch } from './control.ts'
import { createBatch } from './create.ts'
import { estimateBackfill } from './estimate-backfill.ts'
import { contentTypeOf, writeResults } from './exports/results.ts'
import { type ItemCursor, listItems, sortColumns } from './item-list.ts'
import { progressOf } from './item-store.ts'
import type { BatchParts } from './request-items.ts'
import {
  type BatchRecord,
  backfillEstimate,
  backfillRequest,
  batchesQuery,
  batchOf,
  batchRecord,
  batchRequest,
  type ItemsQuery,
  itemList,
  itemOf,
  itemsQuery,
  resultsQuery,
} from './wire.ts'

export interface BatchRouteParts extends Omit<BatchParts, 'db'> {
  /** Public scheme and host of this server; undefined: take them from the request. */
  readonly publicUrl: string | undefined
}

const byId = z.object({ id: z.string() })
const tag = 'batches'
const reply = { status: 200, description: 'The batch', schema: batchRecord }

/** Batches: one configuration for many documents. */
export function batchRoutes(parts: BatchRouteParts): Route[] {
  return [
    createRoute(parts),
    estimateRoute(parts),
    listRoute(),
    findRoute(),
    itemsRoute(),
    resultsRoute(parts),
    controlRoute(parts, {
      verb: 'pause',
      does: pauseBatch,
      summary: 'Pause a batch: no new execution is created, and those in flight pause after their current step',
    }),
    controlRoute(parts, {
      verb: 'resume',
      does: resumeBatch,
      summary: 'Resume a paused batch and its paused executions',
    }),
    controlRoute(parts, {
      verb: 'cancel',
      does: cancelBatch,
      summary: 'Cancel a batch and its executions that have not ended',
    }),
    controlRoute(parts, {
      verb: 'retry',
      does: retryBatch,
      summary: 'Execute the failed items of a batch again, each as a new execution',
    }),
  ]
}

/** The current state of the batch. */
async function recordOf(db: Db, { workspaceId, id }: Batch): Promise<BatchRecord> {
  const progress = await progressOf(db, { workspaceId, ids: [id] })
  return batchOf(await loadBatch({ db }, { workspaceId, id }), progress(id))
}

function createRoute(parts: BatchRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/batches',
    operation: 'createBatch',
    tag,
    scope: 'execute',
    summary:
      'Execute an agent on up to 10,000 documents, each by itself; repeating an Idempotency-Key returns the first batch',
    body: batchRequest,
    reply: { ...reply, status: 201 },
    failures: [404, 409],
    handle: async ({ db, caller, body, sentBody, headers, origin: reached, signal }) => {
      const idempotencyKey = idempotencyKeyOf(headers)
      const origin = parts.publicUrl ?? reached
      const batch = await createBatch({ ...parts, db }, { caller, body, sentBody, idempotencyKey, origin, signal })
      return { json: await recordOf(db, batch), about: { batch: batch.id } }
    },
  })
}

function estimateRoute(parts: BatchRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/batches/estimate',
    operation: 'estimateBackfill',
    tag,
    scope: 'execute',
    summary:
      'Estimate what a batch over earlier executions would cost, from what they cost. Starts nothing. Takes the body of the batch, and rejects what POST /v1/agent/batches rejects',
    body: backfillRequest,
    reply: { status: 200, description: 'The estimate', schema: backfillEstimate },
    failures: [404],
    handle: async ({ db, caller, body, sentBody, origin, signal }) => ({
      json: await estimateBackfill({ ...parts, db }, { caller, body, sentBody, origin, signal }),
    }),
  })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/batches',
    operation: 'listBatches',
    tag,
    scope: 'read',
    summary: 'List the batches of this workspace, newest first',
    query: batchesQuery,
    reply: {
      status: 200,
      description: 'The batches; the Link header has the URL of the next page',
      schema: z.array(batchRecord),
    },
    handle: async ({ db, caller: { workspaceId }, query }) => {
      const after = query.cursor === undefined ? null : parseBatchCursor(query.cursor)
      const batches = await listBatches(db, { workspaceId, status: query.status ?? null, after, limit: query.limit })
      const progress = await progressOf(db, { workspaceId, ids: batches.map(({ id }) => id) })
      const last = batches.length === query.limit ? batches.at(-1) : undefined
      const cursor = last && `${last.createdAt.toISOString()}_${last.id}`
      return {
        json: batches.map((batch) => batchOf(batch, progress(batch.id))),
        ...nextPage('/v1/agent/batches', query, cursor),
      }
    },
  })
}

function findRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/batches/{id}',
    operation: 'getBatch',
    tag,
    scope: 'read',
    summary: 'Get a batch with its progress and cost',
    params: byId,
    reply,
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const batch = await loadBatch({ db }, { workspaceId: caller.workspaceId, id: params.id })
      return { json: await recordOf(db, batch) }
    },
  })
}

function itemsRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/batches/{id}/items',
    operation: 'listBatchItems',
    tag,
    scope: 'read',
    summary: 'List the items of a batch with their values and confidence',
    params: byId,
    query: itemsQuery,
    reply: {
      status: 200,
      description: 'The items; the Link header has the URL of the next page',
      schema: itemList,
    },
    failures: [404],
    handle: async ({ db, caller, params, query }) => {
      const batch = await loadBatch({ db }, { workspaceId: caller.workspaceId, id: params.id })
      const { sort, order, limit, status = null, filter = null } = query
      const after = query.cursor === undefined ? null : parseItemCursor(query.cursor, sort)
      const { workspaceId, id } = batch
      const items = await listItems(db, { workspaceId, id, status, filter, sort, order, after, limit })
      const last = items.length === limit ? items.at(-1) : undefined
      const cursor = last && JSON.stringify([last.sortValue, last.number])
      return {
        json: items.map(itemOf),
        ...nextPage(`/v1/agent/batches/${id}/items`, query, cursor && Buffer.from(cursor).toString('base64url')),
      }
    },
  })
}

function resultsRoute({ publicUrl }: BatchRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/agent/batches/{id}/results',
    operation: 'getBatchResults',
    tag,
    scope: 'read',
    summary: 'Download the results of a batch, one row per item, as CSV, XLSX or JSON Lines',
    params: byId,
    query: resultsQuery,
    reply: { status: 200, description: 'The file; JSON Lines has one BatchItem per line', contentType: '*/*' },
    failures: [404, 413],
    handle: async ({ db, caller, params, query, origin }) => {
      const batch = await loadBatch({ db }, { workspaceId: caller.workspaceId, id: params.id })
      const { format, status = null, filter = null, evidence: hasEvidence } = query
      const baseUrl = publicUrl ?? origin
      const stream = await writeResults(db, batch, { format, status, filter, hasEvidence, baseUrl })
      return {
        stream,
        headers: {
          'Content-Type': contentTypeOf[format],
          'Content-Disposition': `attachment; filename="results-${batch.id}.${format}"`,
        },
      }
    },
  })
}

function controlRoute(
  parts: BatchRouteParts,
  control: { verb: string; does: typeof pauseBatch; summary: string },
): Route {
  return route({
    method: 'post',
    path: `/v1/agent/batches/{id}/${control.verb}`,
    operation: `${control.verb}Batch`,
    tag,
    scope: 'execute',
    summary: control.summary,
    params: byId,
    reply,
    failures: [404, 409],
    handle: async ({ db, caller: { workspaceId, keyId }, params }) => ({
      json: await recordOf(db, await control.does({ ...parts, db }, { workspaceId, keyId, id: params.id })),
    }),
  })
}

function nextPage(path: string, query: Readonly<Record<string, unknown>>, cursor: string | undefined) {
  if (cursor === undefined) return {}
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) params.set(name, String(value))
  return { headers: { Link: `<${path}?${params}>; rel="next"` } }
}

const foreignCursor = (input: string) =>
  invalid(['query', 'cursor'], 'Input should be a cursor from the Link header of an earlier page', { input })

function parseBatchCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = '', ...rest] = cursor.split('_')
  const createdAt = moment().safeParse(time).data
  if (!createdAt || createdAt.toISOString() !== time || !isId(id) || rest.length > 0) throw foreignCursor(cursor)
  return { createdAt, id }
}

/** The value of a type of the database that a text stands for; undefined: it stands for none. */
const cursorValues = {
  integer: (text) => (/^\d{1,9}$/.test(text) ? text : undefined),
  bigint: (text) => (/^\d{1,18}$/.test(text) ? text : undefined),
  // The number and not its text, which may be too small for the database.
  float8: (text) => (/^[\d.e+-]{1,30}$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  // As the database writes it: with a space before the time, and an offset that may be whole hours.
  timestamptz: (text) =>
    moment().safeParse(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).success ? text : undefined,
  text: (text) => (text.includes('\0') ? undefined : text),
} satisfies Record<string, (text: string) => string | number | undefined>

function parseItemCursor(cursor: string, sort: ItemsQuery['sort']): ItemCursor {
  try {
    const [given, number, ...rest]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const read = cursorValues[sortColumns[sort].type]
    const value = given === null ? null : typeof given === 'string' ? read(given) : undefined
    if (value !== undefined && Number.isInteger(number) && Math.abs(number as number) < 2 ** 31 && rest.length === 0)
      return { value, number: number as number }
  } catch {
    // Malformed; refused below.
  }
  throw foreignCursor(cursor)
}
