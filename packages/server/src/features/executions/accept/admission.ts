import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Queue } from '../../../adapters/queue/queue.ts'
import { type Tier, tiers } from '../../pricing/pricing.ts'
import { topicOf } from '../topics.ts'

/** Admits executions, refuses them when too many others wait, and assigns their turns. */
export interface Admission {
  /**
   * The turn of a new execution. Throws Fault `unavailable` when the tier's queue is full, `limited` when the workspace has too many
   * waiting.
   */
  admit(of: Waiting): Promise<number>
  /** The turn of an execution that was admitted before. */
  turnAgain(tier: Tier): Promise<number>
}

interface Waiting {
  readonly tier: Tier
  readonly workspaceId: string
}

export interface AdmissionParts {
  readonly db: Sql
  readonly clock: Clock
  readonly queue: Pick<Queue, 'waiting' | 'firstTurn'>
  readonly onRefused?: (reason: 'queue_full' | 'workspace_full') => void
}

/** Most waiting executions of a tier, and of a workspace in a tier. */
export interface AdmissionBounds {
  readonly perTier: number
  readonly perWorkspace: number
}

/** How long a count is valid; executions admitted here since are added to it. */
const countMs = 1_000
/** Workspaces whose count is cached. */
const countsMax = 10_000

/**
 * Bounds the queue and schedules workspaces fairly: the turn of an execution is the turn that runs next plus one per execution of its
 * workspace that waits before it (start-time fair queueing, Goyal, Vin and Cheng 1996, with jobs of equal size). A new workspace waits
 * behind at most one job of each other, and none starves, because turns only grow.
 *
 * The queue is counted at most once a second, not per request: other processes may shift bounds and turns within that second.
 */
export function makeAdmission(parts: AdmissionParts, bounds: AdmissionBounds): Admission {
  const { db, clock, queue } = parts
  const ofTier = counter(clock, async (key) => {
    const topic = topicOf[key as Tier]
    const [waiting, first] = await Promise.all([queue.waiting(topic, bounds.perTier), queue.firstTurn(topic)])
    return { waiting, first }
  })
  const ofWorkspace = counter(clock, async (key) => {
    const [tier = '', workspaceId = ''] = key.split(' ')
    return { waiting: await waitingOf(db, { tier, workspaceId }, bounds.perWorkspace) }
  })
  const lastTurns = new Map<string, number>()
  return {
    async admit({ tier, workspaceId }) {
      const all = await ofTier(tier)
      if (all.waiting >= bounds.perTier) {
        parts.onRefused?.('queue_full')
        const others = tiers.filter((one) => one !== tier).join(' and ')
        throw new Fault(
          'unavailable',
          'queue_full',
          `The queue of the ${tier} tier is full (${bounds.perTier} executions); try again later, or use another tier (${others})`,
        )
      }
      const place = `${tier} ${workspaceId}`
      const own = await ofWorkspace(place)
      if (own.waiting >= bounds.perWorkspace) {
        parts.onRefused?.('workspace_full')
        throw new Fault(
          'limited',
          'workspace_full',
          `This workspace has reached its limit of ${bounds.perWorkspace} waiting executions in the ${tier} tier; try again when some have ended`,
        )
      }
      // A workspace served in this round already waits for the next.
      const last = lastTurns.get(place)
      const turn = all.first + own.waiting + (last === all.first + own.waiting ? 1 : 0)
      if (lastTurns.size >= countsMax) lastTurns.clear()
      lastTurns.set(place, turn)
      all.waiting += 1
      own.waiting += 1
      return turn
    },
    turnAgain: async (tier) => (await ofTier(tier)).first,
  }
}

/** The count of a key, counted again when older than `countMs`. */
function counter<Count extends object>(
  clock: Clock,
  count: (key: string) => Promise<Count>,
): (key: string) => Promise<Count> {
  const counts = new Map<string, { counted: Promise<Count>; sinceMs: number }>()
  return (key) => {
    const known = counts.get(key)
    const nowMs = clock.monotonicMs()
    if (known && nowMs - known.sinceMs < countMs) return known.counted
    if (counts.size >= countsMax) counts.clear()
    const counted = count(key)
    counts.set(key, { counted, sinceMs: nowMs })
    // After a failure the next caller counts again.
    counted.catch(() => counts.delete(key))
    return counted
  }
}

async function waitingOf(sql: Sql, of: { tier: string; workspaceId: string }, most: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from (select 1 from executions where workspace_id = $1 and status = 'enqueued' and tier = $2 limit $3) waiting`,
    [of.workspaceId, of.tier, most],
  )
  return row?.count ?? 0
}
