import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '../../core/limits.ts'

/** Faults of a database that could not be reached, stood still, or was lost before it said whether it had committed. */
const awayCodes: ReadonlySet<string> = new Set(['database_unavailable', 'database_timeout', 'commit_unknown'])

/** Whether the same statement may succeed when the database is back. */
export const isAway = (error: unknown): error is Fault => error instanceof Fault && awayCodes.has(error.code)

const firstPauseMs = 100
const pauseMsMax = 1_000

/**
 * Does `work` again for as long as the database is away, up to `limits.databaseAwayMs` and until `signal` aborts; then its error is
 * thrown. `isAgain`: an earlier time may have been committed without anybody hearing of it.
 */
export async function whileAway<T>(
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
  work: (isAgain: boolean) => Promise<T>,
): Promise<T> {
  const untilMs = clock.monotonicMs() + limits.databaseAwayMs
  for (let pauseMs = firstPauseMs, isAgain = false; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax), isAgain = true) {
    try {
      return await work(isAgain)
    } catch (error) {
      if (!isAway(error) || signal.aborted || clock.monotonicMs() >= untilMs) throw error
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}
