import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import type { Queue } from '../../../adapters/queue/queue.ts'
import { type Tier, tiers } from '../../pricing/pricing.ts'
import { topicOf } from '../topics.ts'

/** Lets executions in, refuses those that would wait behind too many others, and gives each its turn. */
export interface Admission {
  /** The turn of a new execution. Throws Fault `unavailable` when the tier's queue is full, `limited` when the workspace has too many waiting. */
  admit(of: Waiting): Promise<number>
  /** The turn of an execution that was let in before. */
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

/** Waiting executions that are taken, of a tier, and of a workspace in a tier. */
export interface AdmissionBounds {
  readonly perTier: number
  readonly perWorkspace: number
}

/** A count is good for this long; what this process has let in since is added to it. */
const countMs = 1_000
/** Workspaces whose count is kept. */
const countsMax = 10_000

/**
 * Bounds what waits, and has workspaces take turns: the turn of an execution is that of whatever goes next, and one more for
 * each of its own workspace that waits before it (start-time fair queueing, Goyal, Vin and Cheng 1996, with every job of
 * one size). A workspace that comes new waits behind one job of each other at most, and none starves, for turns only grow.
 *
 * The queue is counted once a second at most, and not per request: bounds and turns may be off by what other processes let in
 * within that second.
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
      // One that was served in this round already waits for the next.
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

/** What was counted under a key, counted again when it is older than `countMs`. */
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
    // What failed is tried by the next who asks.
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
