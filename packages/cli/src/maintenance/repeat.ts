import type { Clock } from '@skillrun/core/clock.ts'

/** The longest wait between two looks at the clock: a machine that slept is not late by a day. */
const pollMs = 60_000
/** Before work that failed is tried again. */
const againMs = 10 * 60_000

/** Work that is repeated until `pause` rejects. */
interface Repeated {
  readonly everyMs: number
  readonly clock: Clock
  pause(ms: number): Promise<void>
  /** When it was done last; undefined: never. */
  findLast(): Promise<Date | undefined>
  work(): Promise<void>
  /** Called after each run with the time of the next. */
  onNext(due: Date): void
  /** Called with a failure that will be retried. */
  onFailure(error: unknown): void
}

/**
 * Repeats work, also across restarts: the first time when `everyMs` have passed since it was done last. Rejects when the first try fails, because then
 * its settings may be wrong; later ones are tried again after ten minutes.
 */
export async function repeat({ everyMs, clock, pause, findLast, work, onNext, onFailure }: Repeated): Promise<never> {
  const last = (await findLast())?.getTime()
  const nowMs = () => clock.now().getTime()
  let isTried = false
  // A time in the future is that of another clock.
  let dueMs = last === undefined ? nowMs() : Math.min(last, nowMs()) + everyMs
  for (;;) {
    if (dueMs > nowMs()) onNext(new Date(dueMs))
    for (let leftMs = dueMs - nowMs(); leftMs > 0; leftMs = dueMs - nowMs()) await pause(Math.min(leftMs, pollMs))
    const startedMs = nowMs()
    try {
      await work()
      dueMs = startedMs + everyMs
    } catch (error) {
      // Stopping the command interrupts the work as well.
      await pause(0)
      if (!isTried) throw error
      onFailure(error)
      dueMs = nowMs() + Math.min(againMs, everyMs)
    }
    isTried = true
  }
}
