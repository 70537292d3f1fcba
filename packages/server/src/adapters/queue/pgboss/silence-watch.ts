import { limits } from '../../../core/limits.ts'
import type { Attempt } from './lease-table.ts'

/** An active job without a recent heartbeat. */
export interface QuietJob extends Attempt {
  /** Its last heartbeat, as text that changes with each one. */
  readonly beat: string
  /** Whether the heartbeat is older than a lease, by the database's clock. */
  readonly isOverdue: boolean
}

/**
 * Decides which leases have lapsed. An overdue heartbeat by the database's clock is not enough: nobody can write one while
 * the database is unavailable, and a clock can jump. A lease has lapsed when this process, checking continuously, has seen
 * no new heartbeat for about half of `limits.leaseMs`: a live process writes one or two in that time.
 */
export interface SilenceWatch {
  /** Records the result of one check, and returns the jobs whose leases have lapsed. */
  look<Job extends QuietJob>(quiet: readonly Job[], nowMs: number): readonly Job[]
  /** A check failed: silent processes may have been unable to write, so observation restarts. */
  lost(): void
}

/** After a longer gap between checks observation restarts, because this process was stalled itself. */
const gapMsMax = limits.sweepMs * 2
/** Half a lease, minus the jitter of checks. */
const silentMs = (limits.leaseMs - limits.sweepMs) / 2

export function createSilenceWatch(): SilenceWatch {
  let silences = new Map<string, number>()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    look(quiet, nowMs) {
      const isGap = nowMs - lookedAtMs > gapMsMax
      const before = isGap ? new Map<string, number>() : silences
      lookedAtMs = nowMs
      silences = new Map(
        quiet.map((job) => {
          const key = `${job.id} ${job.retryCount} ${job.beat}`
          return [key, before.get(key) ?? nowMs]
        }),
      )
      return quiet.filter((job) => {
        const sinceMs = silences.get(`${job.id} ${job.retryCount} ${job.beat}`) ?? nowMs
        return job.isOverdue && nowMs - sinceMs >= silentMs
      })
    },
    lost() {
      silences = new Map()
    },
  }
}
