import type { Sql } from '../../adapters/db/db.ts'

/** Figures of the reviews finished in a period, of one skill or all. */
export interface StatisticsFilter {
  readonly workspaceId: string
  readonly skillName: string | null
  readonly from: Date | null
  readonly to: Date | null
}

export interface ReviewStatistics {
  /** Finished reviews. */
  readonly reviewed: number
  /** Documents that wait for a review. */
  readonly waiting: number
  /** Reviews made under a claim. */
  readonly medianMs: number | null
  readonly meanMs: number | null
  readonly fields: readonly FieldStatistics[]
}

export interface FieldStatistics {
  readonly field: string
  readonly confirmed: number
  readonly corrected: number
  readonly untouched: number
}

const conditions = `i.workspace_id = $1 and ($2::text is null or i.skill_name = $2)`
const done = `${conditions} and i.status = 'done' and ($3::timestamptz is null or i.done_at >= $3) and ($4::timestamptz is null or i.done_at < $4)`

/** How often reviewers agreed with each field, and how long a document took. */
export async function readStatistics(sql: Sql, of: StatisticsFilter): Promise<ReviewStatistics> {
  const params = [of.workspaceId, of.skillName, of.from, of.to]
  const [sums] = await sql.query<Omit<ReviewStatistics, 'fields' | 'waiting'>>(
    `select count(*)::integer as reviewed,
       percentile_cont(0.5) within group (order by i.busy_ms) filter (where i.busy_ms > 0) as "medianMs",
       (avg(i.busy_ms) filter (where i.busy_ms > 0))::float8 as "meanMs"
     from review_items i where ${done}`,
    params,
  )
  const [open] = await sql.query<{ waiting: number }>(
    `select count(*)::integer as waiting from review_items i where ${conditions} and i.status = 'needed'`,
    [of.workspaceId, of.skillName],
  )
  const fields = await sql.query<FieldStatistics>(
    `select field.key as field, sum((field.value->>'confirmed')::integer)::integer as confirmed,
       sum((field.value->>'corrected')::integer)::integer as corrected, sum((field.value->>'untouched')::integer)::integer as untouched
     from review_items i, jsonb_each(i.fields) field where ${done}
     group by field.key order by sum((field.value->>'corrected')::integer) desc, field.key limit 1000`,
    params,
  )
  return { reviewed: 0, medianMs: null, meanMs: null, ...sums, waiting: open?.waiting ?? 0, fields }
}
