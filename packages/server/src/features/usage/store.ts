import type { Sql } from '../../adapters/db/db.ts'
import { multiplierThousandths } from '../pricing/pricing.ts'

/** Groupings of figures. */
export const dimensions = ['day', 'key', 'skill', 'model', 'tier'] as const
export type Dimension = (typeof dimensions)[number]

/** Figures summed over executions. Money in whole micro-dollars. */
export interface UsageRow {
  readonly key: readonly string[]
  readonly executions: number
  readonly standardMicros: number
  readonly costMicros: number
  readonly savingsMicros: number
  readonly credits: number
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly steps: number
  /** From creation to completion, in whole milliseconds; null without completed executions. */
  readonly latencyMedianMs: number | null
  readonly latencyP95Ms: number | null
}

// The names of an execution's skills form one group: counted under each of them, the groups would exceed the total.
const expressionOf: Readonly<Record<Dimension, string>> = {
  day: `to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD')`,
  key: 'e.key_id::text',
  skill: `coalesce((select string_agg(skill->>'name', ',' order by skill->>'name') from json_array_elements(e.skills) skill), '')`,
  model: 'e.model',
  tier: 'e.tier',
}

const latencyAt = (share: number): string =>
  `(percentile_disc(${share}) within group (order by round(extract(epoch from e.completed_at - e.created_at) * 1000)::bigint)
       filter (where e.status = 'completed'))::bigint`

/**
 * Sums the executions that this workspace created in `[from, to)`, by groups. Rounds each cost as its record shows it (`priceOf`) before
 * summing, so that a total equals the sum of its records to the micro-dollar.
 */
export async function sumUsage(
  sql: Sql,
  of: { workspaceId: string; from: Date; to: Date; groupBy: readonly Dimension[] },
): Promise<readonly UsageRow[]> {
  const keys = of.groupBy.map((dimension) => expressionOf[dimension])
  return sql.query<UsageRow>(
    `with priced as (
       select e.*, coalesce((e.usage->>'standardMicros')::bigint, 0) as standard,
         (coalesce((e.usage->>'standardMicros')::bigint, 0) * case e.tier when 'flex' then $4::bigint when 'priority' then $5::bigint else $6::bigint end + 500) / 1000 as cost
       from executions e
       where e.workspace_id = $1 and e.created_at >= $2 and e.created_at < $3 and e.imported_from is null
     )
     select ${keys.length ? `array[${keys.join(', ')}]` : `array[]::text[]`} as key,
       count(*)::bigint as executions,
       coalesce(sum(standard), 0)::bigint as "standardMicros",
       coalesce(sum(cost), 0)::bigint as "costMicros",
       coalesce(sum(case when e.tier = 'flex' then standard - cost else 0 end), 0)::bigint as "savingsMicros",
       coalesce(sum((cost + 9999) / 10000), 0)::bigint as credits,
       coalesce(sum((e.usage->>'inputTokens')::bigint), 0)::bigint as "inputTokens",
       coalesce(sum((e.usage->>'cachedInputTokens')::bigint), 0)::bigint as "cachedInputTokens",
       coalesce(sum((e.usage->>'outputTokens')::bigint), 0)::bigint as "outputTokens",
       coalesce(sum((e.usage->>'steps')::bigint), 0)::bigint as steps,
       ${latencyAt(0.5)} as "latencyMedianMs",
       ${latencyAt(0.95)} as "latencyP95Ms"
     from priced e ${keys.length ? `group by ${keys.join(', ')} order by 1` : ''}`,
    [
      of.workspaceId,
      of.from,
      of.to,
      multiplierThousandths.flex,
      multiplierThousandths.priority,
      multiplierThousandths.standard,
    ],
  )
}
