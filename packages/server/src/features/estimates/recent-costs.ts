import type { Sql } from '../../adapters/db/db.ts'
import type { Micros } from '../../core/money.ts'

/** The cost of a completed execution at the standard rate, in micro-dollars. */
export interface PastCost {
  readonly agentId: string | null
  /** `program`: a program answered, if not all fields. */
  readonly mode: 'agent' | 'program'
  readonly micros: Micros
}

/** Older costs say little about today's prices, and a longer search would slow down with their number. */
const looked = 2_000
const taken = 500

/** The newest completed executions of a key with a model, among the newest of its workspace. */
export async function recentCosts(
  sql: Sql,
  of: { workspaceId: string; keyId: string; model: string },
): Promise<readonly PastCost[]> {
  return sql.query<PastCost>(
    `select agent_id as "agentId", case when program is null then 'agent' else 'program' end as mode, (usage->>'standardMicros')::bigint as micros
     from (select * from executions where workspace_id = $1 order by created_at desc, id desc limit ${looked}) recent
     where key_id = $2 and model = $3 and status = 'completed' and forked_from is null and imported_from is null and usage->>'standardMicros' is not null limit ${taken}`,
    [of.workspaceId, of.keyId, of.model],
  )
}
