import { jsonb, type Sql } from '../../adapters/db/db.ts'
import { largeJsonb } from '../../adapters/db/large-json.ts'
import type { Micros } from '../../core/money.ts'
import type { Status } from '../executions/executions.ts'
import { type Tier, tierMicros } from '../pricing/pricing.ts'
import {
  type BatchPlace,
  type ItemStatus,
  itemStatuses,
  type NewItem,
  type Progress,
  type QueuedItem,
} from './batch.ts'

/** Inserts all items of a batch in one statement. */
export async function insertItems(tx: Sql, place: BatchPlace, items: string): Promise<void> {
  await tx.query(
    `insert into batch_items (workspace_id, batch_id, number, client_id, file_name, inputs, entry, base_execution)
     select $1, $2, place - 1, item->>'clientId', item->>'fileName', case when json_typeof(item->'inputs') = 'object' then item->'inputs' end, item->>'entry', (item->>'baseExecution')::uuid
     from json_array_elements($3::json) with ordinality as list (item, place)`,
    [place.workspaceId, place.id, items],
  )
}

/** The items as `insertItems` takes them: a large list is serialised before the transaction begins. */
export const itemsJson = (items: readonly NewItem[]): Promise<string> => largeJsonb(items)

/** SQL: the status of execution `e`, where a cancelled one is not among the failed. */
const endedSql = `case when e.status = 'failed' and e.error->>'code' = 'cancelled' then 'cancelled' else e.status end`

/** SQL: the status of item `i` with execution `e`. */
export const statusSql = `case i.state when 'queued' then 'enqueued'
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

/** SQL: the text of the value of an answer at a JSON Pointer; null where it is null or absent. */
const givenValue = (answer: string, pointer: string): string =>
  `(${answer} #>> array(select replace(replace(step, '~1', '/'), '~0', '~')
     from unnest(string_to_array(substr(${pointer}, 2), '/')) with ordinality as list (step, place) order by place))`

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
