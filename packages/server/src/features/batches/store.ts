import type { Json } from '@skillrun/core/json.ts'
import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { Micros } from '../../core/money.ts'
import type { Status } from '../executions/executions.ts'
import { type Tier, tierMicros } from '../pricing/pricing.ts'
import {
  type Batch,
  type BatchItem,
  type BatchPlace,
  type BatchRequest,
  type BatchStatus,
  type ItemStatus,
  itemStatuses,
  type NewItem,
  type Progress,
  type QueuedItem,
} from './batch.ts'

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

/** Inserts all items of a batch in one statement. */
export async function insertItems(tx: Sql, place: BatchPlace, items: string): Promise<void> {
  await tx.query(
    `insert into batch_items (workspace_id, batch_id, number, client_id, file_name, inputs, entry, base_execution)
     select $1, $2, place - 1, item->>'clientId', item->>'fileName', case when json_typeof(item->'inputs') = 'object' then item->'inputs' end, item->>'entry', (item->>'baseExecution')::uuid
     from json_array_elements($3::json) with ordinality as list (item, place)`,
    [place.workspaceId, place.id, items],
  )
}

/** Makes the JSON of `insertItems` before the transaction. */
export const itemsText = (items: readonly NewItem[]): Promise<string> => largeJsonb(items)

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

/** SQL: the text of the value of an answer at a JSON Pointer; null where it is null or absent. */
const givenValue = (answer: string, pointer: string): string =>
  `(${answer} #>> array(select replace(replace(step, '~1', '/'), '~0', '~')
     from unnest(string_to_array(substr(${pointer}, 2), '/')) with ordinality as list (step, place) order by place))`

/** SQL: the status of execution `e`, where a cancelled one is not among the failed. */
const endedSql = `case when e.status = 'failed' and e.error->>'code' = 'cancelled' then 'cancelled' else e.status end`

/** SQL: the status of item `i` with execution `e`. */
const statusSql = `case i.state when 'queued' then 'enqueued'
  when 'started' then case e.status when 'pending' then 'enqueued' else ${endedSql} end else i.state end`

/** The progress of batches by id. */
export async function progressOf(
  sql: Sql,
  of: { workspaceId: string; ids: readonly string[] },
): Promise<(id: string) => Progress> {
  const rows = await sql.query<{
    batchId: string
    status: ItemStatus
    count: number
    reviewNeeded: number
    costMicros: number
  }>(
    `select i.batch_id as "batchId", ${statusSql} as status, count(*)::integer as count,
       (count(*) filter (where e.review->>'status' = 'needed'))::integer as "reviewNeeded",
       sum(i.cost_micros + i.earlier_micros)::bigint as "costMicros"
     from batch_items i
       left join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     where i.workspace_id = $1 and i.batch_id = any($2::uuid[]) group by 1, 2`,
    [of.workspaceId, of.ids],
  )
  return (id) => {
    const own = rows.filter(({ batchId }) => batchId === id)
    const countOf = (status: ItemStatus) => own.find((row) => row.status === status)?.count ?? 0
    return {
      counts: Object.fromEntries(itemStatuses.map((status) => [status, countOf(status)])) as Progress['counts'],
      reviewNeeded: own.reduce((sum, row) => sum + row.reviewNeeded, 0),
      costMicros: own.reduce((sum, row) => sum + row.costMicros, 0),
    }
  }
}

/** The first items without an execution, in order, as many as may start now. */
export async function listStartable(sql: Sql, place: BatchPlace): Promise<readonly QueuedItem[]> {
  return sql.query<QueuedItem>(
    `select i.number, i.attempt, i.client_id as "clientId", i.file_name as "fileName", i.inputs, i.entry, i.base_execution as "baseExecution"
     from batch_items i where i.workspace_id = $1 and i.batch_id = $2 and i.state = 'queued' order by i.number
     limit greatest(0, (select b.in_flight_max from batches b where b.workspace_id = $1 and b.id = $2)
       - (select count(*) from batch_items s where s.workspace_id = $1 and s.batch_id = $2 and s.state = 'started'))`,
    [place.workspaceId, place.id],
  )
}

/**
 * Assigns an execution to an item, in the transaction that creates it. The share lock orders this with pausing and cancelling the batch.
 * False: the batch is not running, or the item has an execution.
 */
export async function linkExecution(
  tx: Sql,
  item: BatchPlace & { number: number; attempt: number; executionId: string },
): Promise<boolean> {
  const running = await tx.query(
    `select from batches where workspace_id = $1 and id = $2 and status = 'running' for share`,
    [item.workspaceId, item.id],
  )
  if (running.length === 0) return false
  const rows = await tx.query(
    `update batch_items set state = 'started', execution_id = $5
     where workspace_id = $1 and batch_id = $2 and number = $3 and attempt = $4 and state = 'queued' returning number`,
    [item.workspaceId, item.id, item.number, item.attempt, item.executionId],
  )
  return rows.length === 1
}

/** Records that an item cannot be executed. */
export async function failItem(
  sql: Sql,
  item: BatchPlace & { number: number; attempt: number; error: { code: string; message: string }; now: Date },
): Promise<void> {
  await sql.query(
    `update batch_items set state = 'failed', error = $5, ended_at = $6
     where workspace_id = $1 and batch_id = $2 and number = $3 and attempt = $4 and state = 'queued'`,
    [item.workspaceId, item.id, item.number, item.attempt, jsonb({ ...item.error, retryable: false }), item.now],
  )
}

/**
 * Records the ends of executions: of all in flight, and of `executionId`, which may have been resumed after the batch recorded its failure.
 */
export async function settleItems(sql: Sql, place: BatchPlace, executionId: string | null): Promise<void> {
  const ended = await sql.query<{
    number: number
    executionId: string
    tier: Tier
    standardMicros: number | null
    lowestConfidence: number | null
  }>(
    `select i.number, e.id as "executionId", e.tier, (e.usage->>'standardMicros')::bigint as "standardMicros",
       (select min((one.value->>'confidence')::float8) from json_each(e.evidence) one
        where ${givenValue('e.response', 'one.key')} not in ('[]', '{}')) as "lowestConfidence"
     from batch_items i join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     where i.workspace_id = $1 and i.batch_id = $2 and (i.state = 'started' or i.execution_id = $3)
       and e.status in ('completed', 'failed')`,
    [place.workspaceId, place.id, executionId],
  )
  if (ended.length === 0) return
  await sql.query(
    `update batch_items i set state = ${endedSql}, error = e.error, ended_at = e.completed_at, cost_micros = one.cost_micros,
       lowest_confidence = one.lowest_confidence, low_confidence = (e.completeness->>'lowConfidence')::integer,
       not_found = (e.completeness->>'notFound')::integer,
       inputs = case when e.is_retained then i.inputs end, file_name = case when e.is_retained then i.file_name end
     from unnest($3::integer[], $4::uuid[], $5::bigint[], $6::float8[]) as one (number, execution_id, cost_micros, lowest_confidence)
       join executions e on e.workspace_id = $1 and e.id = one.execution_id and e.status in ('completed', 'failed')
     where i.workspace_id = $1 and i.batch_id = $2 and i.number = one.number and i.execution_id = one.execution_id`,
    [
      place.workspaceId,
      place.id,
      ended.map(({ number }) => number),
      ended.map((one) => one.executionId),
      ended.map(({ standardMicros, tier }): Micros => tierMicros(standardMicros ?? 0, tier)),
      ended.map(({ lowestConfidence }) => lowestConfidence),
    ],
  )
}

/** Executions of the batch in one of these statuses whose end the batch has not recorded, or which were resumed after it. */
export async function listInFlight(
  sql: Sql,
  place: BatchPlace,
  statuses: readonly Status[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select e.id from batch_items i join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     where i.workspace_id = $1 and i.batch_id = $2 and i.state in ('started', 'failed') and e.status = any($3::text[]) order by i.number`,
    [place.workspaceId, place.id, statuses],
  )
  return rows.map(({ id }) => id)
}

/** SQL: a running batch whose items have all ended. */
const canComplete = `workspace_id = $1 and id = $2 and status = 'running' and not exists (
  select from batch_items i where i.workspace_id = $1 and i.batch_id = $2 and i.state in ('queued', 'started'))`

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

/** Cancels the items of a cancelled batch that have no execution. */
export async function cancelQueued(tx: Sql, place: BatchPlace, now: Date): Promise<void> {
  await tx.query(
    `update batch_items set state = 'cancelled', ended_at = $3 where workspace_id = $1 and batch_id = $2 and state = 'queued'`,
    [place.workspaceId, place.id, now],
  )
}

/** SQL: whether an item failed and can be executed again. */
const canBeRetried = `state = 'failed' and (inputs is not null or entry is not null or base_execution is not null)`

/** Whether items of a batch failed that cannot be executed again, because their inputs were not retained. */
export async function hasUnretainedFailed(tx: Sql, place: BatchPlace): Promise<boolean> {
  const rows = await tx.query(
    `select from batch_items where workspace_id = $1 and batch_id = $2 and state = 'failed' and not (${canBeRetried}) limit 1`,
    [place.workspaceId, place.id],
  )
  return rows.length === 1
}

/** The executions of the failed items of a batch. */
export async function listFailed(tx: Sql, place: BatchPlace): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `select execution_id as id from batch_items
     where workspace_id = $1 and batch_id = $2 and ${canBeRetried} and execution_id is not null`,
    [place.workspaceId, place.id],
  )
  return rows.map(({ id }) => id)
}

/**
 * Queues the failed items of a batch again and returns their number: those without an execution, and those whose execution is among `replaced`. The others
 * were resumed.
 */
export async function requeueFailed(tx: Sql, of: BatchPlace & { replaced: readonly string[] }): Promise<number> {
  const rows = await tx.query(
    `update batch_items set state = 'queued', attempt = attempt + 1, execution_id = null, error = null, ended_at = null,
       earlier_micros = earlier_micros + cost_micros, cost_micros = 0, lowest_confidence = null, low_confidence = null, not_found = null
     where workspace_id = $1 and batch_id = $2 and ${canBeRetried} and (execution_id is null or execution_id = any($3::uuid[])) returning number`,
    [of.workspaceId, of.id, of.replaced],
  )
  return rows.length
}

/** Sort orders of items: the SQL of the value, and its type for a cursor. */
export const sortColumns = {
  number: { sql: 'i.number', type: 'integer' },
  file_name: { sql: 'i.file_name collate "C"', type: 'text' },
  confidence: { sql: 'i.lowest_confidence', type: 'float8' },
  cost: { sql: 'i.cost_micros', type: 'bigint' },
  completed_at: { sql: 'i.ended_at', type: 'timestamptz' },
} as const

const filters = {
  low_confidence: `e.is_retained and e.review->>'status' is distinct from 'done' and json_array_length(e.needs_look) > 0`,
  not_found: 'i.not_found > 0',
  failed: `i.state = 'failed'`,
} as const

/** SQL: the values of an answer to check that no reviewer has confirmed or changed, as `openLooks` gives them. */
const openLook = `select look from json_array_elements_text(e.needs_look) with ordinality as list (look, place)
  where e.is_retained and e.review->>'status' is distinct from 'done' and not exists (
    select from jsonb_array_elements(e.review->'changes') change where change->>'path' = look) order by place`

/** Start of a page: after item `number`, whose sort value is `value`. */
export interface ItemCursor {
  readonly value: string | number | null
  readonly number: number
}

/** Items with the answers of their executions, without answers that must not be kept. */
export async function listItems(
  sql: Sql,
  of: BatchPlace & {
    status: ItemStatus | null
    filter: keyof typeof filters | null
    sort: keyof typeof sortColumns
    order: 'asc' | 'desc'
    after: ItemCursor | null
    limit: number
  },
): Promise<readonly (BatchItem & { readonly sortValue: string | null })[]> {
  const { sql: value, type } = sortColumns[of.sort]
  const params: unknown[] = [of.workspaceId, of.id, of.limit]
  const where = ['i.workspace_id = $1', 'i.batch_id = $2']
  if (of.status) where.push(`${statusSql} = $${params.push(of.status)}`)
  if (of.filter) where.push(filters[of.filter])
  if (of.after) {
    const number = `$${params.push(of.after.number)}::integer`
    if (of.after.value === null) where.push(`(${value} is null and i.number > ${number})`)
    else {
      const last = `$${params.push(of.after.value)}::${type}`
      where.push(
        `(${value} ${of.order === 'asc' ? '>' : '<'} ${last} or (${value} = ${last} and i.number > ${number}) or ${value} is null)`,
      )
    }
  }
  // Select the page before reading the answers.
  return sql.query(
    `with page as materialized (
       select i.*, ${statusSql} as status, (${value})::text as sort_value from batch_items i
         left join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
       where ${where.join(' and ')} order by ${value} ${of.order} nulls last, i.number limit $3
     )
     select i.number, i.client_id as "clientId", i.file_name as "fileName", i.status, i.execution_id as "executionId", i.base_execution as "baseExecution",
       coalesce(i.error, e.error) as error, case when e.is_retained then coalesce(e.reviewed_response, e.response) end as response,
       e.review->>'status' as review,
       case when e.is_retained then e.evidence end as evidence, array(${openLook}) as "needsLook", i.cost_micros as "costMicros",
       i.lowest_confidence as "lowestConfidence", i.low_confidence as "lowConfidence", i.not_found as "notFound",
       i.ended_at as "completedAt", i.sort_value as "sortValue"
     from page i left join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     order by ${value} ${of.order} nulls last, i.number`,
    params,
  )
}

/** The answers of a batch after item `after`, in item order. */
export async function listResponses(
  sql: Sql,
  of: BatchPlace & { after: number; limit: number },
): Promise<readonly { readonly number: number; readonly response: Json }[]> {
  return sql.query(
    `select i.number, coalesce(e.reviewed_response, e.response) as response from batch_items i
       join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     where i.workspace_id = $1 and i.batch_id = $2 and i.number > $3 and e.is_retained and e.response is not null
     order by i.number limit $4`,
    [of.workspaceId, of.id, of.after, of.limit],
  )
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
 * Drops the content of an ended batch: the request and the names of items. Counts, costs and times stay. False: it runs again since the
 * caller looked, or was purged, and stays as it is.
 */
export async function scrubBatch(tx: Sql, place: BatchPlace & { now: Date }): Promise<boolean> {
  const ended = await tx.query(
    `update batches set request = null, name = null, zip_file_id = null, callback_url = null, warnings = '[]', purged_at = $3
     where workspace_id = $1 and id = $2 and status in ('completed', 'cancelled') and purged_at is null returning id`,
    [place.workspaceId, place.id, place.now],
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
