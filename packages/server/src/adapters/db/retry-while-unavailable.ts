import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '../../core/limits.ts'

/** Faults of a database that could not be reached, was stalled, or was lost during a commit. */
const awayCodes: ReadonlySet<string> = new Set(['database_unavailable', 'database_timeout', 'commit_unknown'])

/** Whether a retry may succeed when the database is available again. */
export const isUnavailable = (error: unknown): error is Fault => error instanceof Fault && awayCodes.has(error.code)

const firstPauseMs = 100
const pauseMsMax = 1_000

/**
 * Retries `work` while the database is unavailable, for up to `limits.databaseAwayMs` and until `signal` aborts; then throws
 * its error. `isAgain`: an earlier attempt may have been committed.
 */
export async function retryWhileUnavailable<T>(
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
  work: (isAgain: boolean) => Promise<T>,
): Promise<T> {
  const untilMs = clock.monotonicMs() + limits.databaseAwayMs
  for (let pauseMs = firstPauseMs, isAgain = false; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax), isAgain = true) {
    try {
      return await work(isAgain)
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || clock.monotonicMs() >= untilMs) throw error
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
