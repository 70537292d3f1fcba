import type { Sql } from '../../adapters/db/db.ts'
import type { Tier } from '../pricing/pricing.ts'

/** The open executions of a workspace in one tier. */
interface QueueFigures {
  readonly tier: Tier
  /** Waiting for their inputs. */
  readonly pending: number
  readonly waiting: number
  readonly running: number
  readonly paused: number
  /** Running in a process that is gone: another worker takes them over. */
  readonly stalled: number
  /** Open executions that lost a worker before. */
  readonly retried: number
  readonly oldestWaitingAt: Date | null
}

/** Counts the open executions of a workspace by tier; `processIds` are the live processes. Tiers without any are absent. */
export async function queueFigures(
  sql: Sql,
  of: { workspaceId: string; processIds: readonly string[] },
): Promise<readonly QueueFigures[]> {
  return sql.query<QueueFigures>(
    `select tier,
       count(*) filter (where status = 'pending')::integer as pending,
       count(*) filter (where status = 'enqueued')::integer as waiting,
       count(*) filter (where status = 'running')::integer as running,
       count(*) filter (where status = 'paused')::integer as paused,
       count(*) filter (where status = 'running' and process_id <> all($2::uuid[]))::integer as stalled,
       count(*) filter (where lost_attempts <> '{}')::integer as retried,
       min(created_at) filter (where status = 'enqueued') as "oldestWaitingAt"
     from executions
     where workspace_id = $1 and status in ('pending', 'enqueued', 'running', 'paused')
     group by tier`,
    [of.workspaceId, of.processIds],
  )
}
