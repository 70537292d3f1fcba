import { limits } from '../../../core/limits.ts'
import type { Attempt } from './lease-table.ts'

/** A job that is given out and whose last heartbeat is not fresh. */
export interface QuietJob extends Attempt {
  /** Its last heartbeat; any text that changes with each. */
  readonly beat: string
  /** Whether the heartbeat is older than a lease lasts by the database's clock. */
  readonly isOverdue: boolean
}

/**
 * Decides which leases have lapsed. A heartbeat that is overdue by the database's clock is not enough: while the database was away
 * nobody could write one, and a clock may jump. The lease has lapsed once this process, looking all the while, has seen no new
 * heartbeat for about half of `limits.leaseMs`: a process that lives writes one or two in that time.
 */
export interface SilenceWatch {
  /** Takes what one look found, and gives the jobs whose leases have lapsed. */
  look<Job extends QuietJob>(quiet: readonly Job[], nowMs: number): readonly Job[]
  /** A look failed: whatever was silent may not have been able to speak. */
  lost(): void
}

/** Looks further apart than this are no watching: this process stood still itself. */
const gapMsMax = limits.sweepMs * 2
/** Half a lease, less what looks may come early or late. */
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
