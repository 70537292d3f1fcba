import type { Clock } from '@skillrun/core/clock.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { purgeBatches } from '../batches/batches.ts'
import { forgetElsewhere } from '../chat/chat.ts'
import { collectBlobs, sweepBlobs } from '../files/files.ts'
import { deleteParsedDocumentsBefore } from '../inputs/inputs.ts'
import { type PurgeParts, purgeExecutions } from './purge.ts'

export interface TidyParts {
  readonly db: Db
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

const dayMs = 24 * 3_600_000
/** Rounds per sweep; the next sweep continues. */
const purgeRoundsMax = 500
/** Finding old executions scans all of them, so once an hour is enough. */
const oldLookMs = 3_600_000

/**
 * Purges expired content and collects unreferenced bytes in all workspaces every `limits.tidyMs`, and looks for bytes without any row every
 * `limits.blobSweepMs`, starting with the first sweep. Drops the content of executions `retentionDays` after their end, and parsed documents
 * as long after they were parsed; null keeps both. The returned function stops it.
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
    try {
      const purged = await purgeAllDue(purge, { now, olderThan: isOldLook ? olderThan : null })
      if (purged > 0) log.info({ purged }, 'purged the contents of executions')
      if (isOldLook && olderThan) await purgeOldBatches(db, { now, olderThan, isStopped: purge.isStopped })
      if (isOldLook) oldLookedMs = now.getTime()
    } catch (error) {
      log.warn({ error: String(error) }, 'purging failed; retrying')
    }
    await collectBlobs(parts, now)
    if (now.getTime() - sweptMs < limits.blobSweepMs) return
    sweptMs = now.getTime()
    const removed = await sweepBlobs(parts, now)
    if (removed > 0) log.warn({ removed }, 'removed the bytes of interrupted uploads')
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'removing unused files failed; retrying')
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
 * Purges until nothing is due: otherwise a server that ends more executions than one round takes would never catch up. Then deletes what was
 * parsed before `olderThan`. Returns how many executions it dropped.
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
  if (at.olderThan) await deleteParsedDocumentsBefore(parts.db, at.olderThan)
  return purged
}
