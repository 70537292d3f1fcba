import type { Sql } from '../../adapters/db/db.ts'
import type { Micros } from '../../core/money.ts'
import type { ExecutionState } from '../executions/executions.ts'

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

/** A completed execution on the cheapest path. */
export interface PastPath {
  readonly path: Pick<NonNullable<ExecutionState['path']>, 'fields' | 'engines'>
  readonly micros: Micros
}

/** Older ones say little: what models are proven for grows. */
const pathsTaken = 200

/** The newest completed executions of a workspace on a path. */
export const recentPaths = (sql: Sql, of: { workspaceId: string; key: string }): Promise<readonly PastPath[]> =>
  sql.query<PastPath>(
    `select path, (usage->>'standardMicros')::bigint as micros
     from (select * from executions where workspace_id = $1 order by created_at desc, id desc limit ${looked}) recent
     where path->>'key' = $2 and status = 'completed' and forked_from is null and imported_from is null limit ${pathsTaken}`,
    [of.workspaceId, of.key],
  )

/**
 * The newest completed executions of a key with a model, among the newest of its workspace. Without those on the cheapest path, which ask other
 * models too, and those that kept fields of an earlier one.
 */
export async function recentCosts(
  sql: Sql,
  of: { workspaceId: string; keyId: string; model: string },
): Promise<readonly PastCost[]> {
  return sql.query<PastCost>(
    `select agent_id as "agentId", case when program is null then 'agent' else 'program' end as mode, (usage->>'standardMicros')::bigint as micros
     from (select * from executions where workspace_id = $1 order by created_at desc, id desc limit ${looked}) recent
     where key_id = $2 and model = $3 and status = 'completed' and forked_from is null and imported_from is null and path is null and field_modes is null
       and usage->>'standardMicros' is not null limit ${taken}`,
    [of.workspaceId, of.keyId, of.model],
  )
}
