import type { Clock } from '../../kit/clock.ts'
import { Fault } from '../../kit/fault.ts'
import type { Sql } from '../../seams/db/db.ts'
import type { Queue } from '../../seams/queue/queue.ts'
import { type Tier, tiers } from '../pricing/pricing.ts'
import { topicOf } from './topics.ts'

/** Refuses executions that would wait behind too many others. */
export interface Admission {
  /** Throws Fault `unavailable` when the tier's queue is full, `limited` when the workspace has too many waiting. */
  admit(of: { tier: Tier; workspaceId: string }): Promise<void>
}

export interface AdmissionParts {
  readonly db: Sql
  readonly clock: Clock
  readonly queue: Pick<Queue, 'waiting'>
  readonly onRefused?: (reason: 'queue_full' | 'workspace_full') => void
}

/** Waiting executions that are taken, of a tier and of a workspace in all tiers. */
export interface AdmissionBounds {
  readonly perTier: number
  readonly perWorkspace: number
}

/** A count is good for this long; what this process has let in since is added to it. */
const countMs = 1_000
/** Workspaces whose count is kept. */
const countsMax = 10_000

/**
 * Bounds what waits. The queue is counted once a second at most, and not per request: the bound may be passed by what other
 * processes let in within that second.
 */
export function makeAdmission(parts: AdmissionParts, bounds: AdmissionBounds): Admission {
  const { db, clock, queue } = parts
  const counts = new Map<string, { count: number; countedMs: number }>()
  const counted = async (key: string, count: () => Promise<number>): Promise<{ count: number }> => {
    const known = counts.get(key)
    const nowMs = clock.monotonicMs()
    if (known && nowMs - known.countedMs < countMs) return known
    if (counts.size >= countsMax) counts.clear()
    const fresh = { count: await count(), countedMs: nowMs }
    counts.set(key, fresh)
    return fresh
  }
  return {
    async admit({ tier, workspaceId }) {
      const ofTier = await counted(tier, () => queue.waiting(topicOf[tier], bounds.perTier))
      if (ofTier.count >= bounds.perTier) {
        parts.onRefused?.('queue_full')
        const others = tiers.filter((one) => one !== tier).join(' and ')
        throw new Fault(
          'unavailable',
          'queue_full',
          `${bounds.perTier} executions of the tier ${tier} are waiting, which is as many as this server takes; try again later (${others} have queues of their own)`,
        )
      }
      const own = await counted(workspaceId, () => waitingOf(db, workspaceId, bounds.perWorkspace))
      if (own.count >= bounds.perWorkspace) {
        parts.onRefused?.('workspace_full')
        throw new Fault(
          'limited',
          'workspace_full',
          `This workspace has ${bounds.perWorkspace} executions waiting, which is as many as one may have; try again when some have ended`,
        )
      }
      ofTier.count += 1
      own.count += 1
    },
  }
}

async function waitingOf(sql: Sql, workspaceId: string, most: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from (select 1 from executions where workspace_id = $1 and status = 'enqueued' limit $2) waiting`,
    [workspaceId, most],
  )
  return row?.count ?? 0
}
