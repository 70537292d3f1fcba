import type { Json } from '@skillrun/core/json.ts'
import { atCorrectedPlaces, correctedPlaces, type RowsChange } from '@skillrun/core/list-rows.ts'
import type { Sql } from '../../adapters/db/db.ts'
import type { BatchItem, BatchPlace, ItemStatus } from './batch.ts'
import { statusSql } from './item-store.ts'

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

/** SQL: what people changed, without the values. */
const changesOf = `select change - 'from' - 'to' from jsonb_array_elements(e.review->'changes') with ordinality as list (change, place)
  where e.is_retained order by place`

/** Start of a page: after item `number`, whose sort value is `value`. */
export interface ItemCursor {
  readonly value: string | number | null
  readonly number: number
}

/** Items with the answers of their executions and what is known of their values, without answers that must not be kept. */
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
  const items = await sql.query<
    BatchItem & { readonly changes: readonly RowsChange[]; readonly sortValue: string | null }
  >(
    `with page as materialized (
       select i.*, ${statusSql} as status, (${value})::text as sort_value from batch_items i
         left join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
       where ${where.join(' and ')} order by ${value} ${of.order} nulls last, i.number limit $3
     )
     select i.number, i.client_id as "clientId", i.file_name as "fileName", i.status, i.execution_id as "executionId", i.base_execution as "baseExecution",
       coalesce(i.error, e.error) as error, case when e.is_retained then coalesce(e.reviewed_response, e.response) end as response,
       e.review->>'status' as review, array(${changesOf}) as changes,
       case when e.is_retained then e.evidence end as evidence, array(${openLook}) as "needsLook", i.cost_micros as "costMicros",
       i.lowest_confidence as "lowestConfidence", i.low_confidence as "lowConfidence", i.not_found as "notFound",
       i.ended_at as "completedAt", i.sort_value as "sortValue"
     from page i left join executions e on e.workspace_id = i.workspace_id and e.id = i.execution_id
     order by ${value} ${of.order} nulls last, i.number`,
    params,
  )
  return items.map(({ changes, ...item }) => {
    const placeOf = correctedPlaces(changes)
    return {
      ...item,
      evidence: item.evidence && atCorrectedPlaces(item.evidence, changes),
      needsLook: item.needsLook.flatMap((path) => placeOf(path) ?? []),
    }
  })
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
