import type { Clock } from '@skillrun/core/clock.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { purgeBatches } from '../batches/batches.ts'
import { forgetElsewhere } from '../chat/chat.ts'
import { collectBlobs, sweepBlobs } from '../files/files.ts'
import { type PurgeParts, purgeExecutions } from './purge.ts'

export interface TidyParts {
  readonly db: Db
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

const dayMs = 24 * 3_600_000
/** Rounds of one look: what is beyond waits for the next. */
const purgeRoundsMax = 500
/** Looking for old executions goes through all of them: an hour is no age. */
const oldLookMs = 3_600_000

/**
 * Purges what may not be kept any longer and collects bytes that nobody needs, every `limits.tidyMs`, in all workspaces; and
 * every `limits.blobSweepMs`, from the first look on, bytes that no row has ever named. The
 * content of executions goes `retentionDays` after their end; null keeps it. Ends with the returned function.
 */
export function keepTidy(parts: TidyParts, { retentionDays }: { retentionDays: number | null }): () => Promise<void> {
  const { db, clock, log } = parts
  let looking = Promise.resolve()
  let sweptMs = Number.NEGATIVE_INFINITY
  let oldLookedMs = Number.NEGATIVE_INFINITY
  let stopped = false
  const look = async () => {
    const now = clock.now()
    const olderThan = retentionDays === null ? null : new Date(now.getTime() - retentionDays * dayMs)
    const isOldLook = now.getTime() - oldLookedMs >= oldLookMs
    const purge = { db, forgetMore: forgetElsewhere, isStopped: () => stopped }
    const purged = await purgeAllDue(purge, { now, olderThan: isOldLook ? olderThan : null })
    if (isOldLook && olderThan) await purgeOldBatches(db, { now, olderThan, isStopped: purge.isStopped })
    if (isOldLook) oldLookedMs = now.getTime()
    await collectBlobs(parts, now)
    if (purged > 0) log.info({ purged }, 'purged the contents of executions')
    if (now.getTime() - sweptMs < limits.blobSweepMs) return
    sweptMs = now.getTime()
    const removed = await sweepBlobs(parts, now)
    if (removed > 0) log.warn({ removed }, 'removed the bytes of interrupted uploads')
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'purging failed; retrying')
    })
  }, limits.tidyMs)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await looking
  }
}

async function purgeOldBatches(db: Db, at: { now: Date; olderThan: Date; isStopped: () => boolean }): Promise<void> {
  for (let round = 0; round < purgeRoundsMax && !at.isStopped(); round += 1)
    if ((await purgeBatches(db, at)) === 0) return
}

/**
 * Purges until nothing is due: a server that ends more executions than one round takes would never catch up. Gives how many it
 * dropped.
 */
export async function purgeAllDue(
  parts: PurgeParts & { readonly isStopped: () => boolean },
  at: Parameters<typeof purgeExecutions>[1],
): Promise<number> {
  let purged = 0
  for (let round = 0; round < purgeRoundsMax && !parts.isStopped(); round += 1) {
    const dropped = await purgeExecutions(parts, at)
    if (dropped === 0) break
    purged += dropped
  }
  return purged
}
