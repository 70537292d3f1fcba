/** The source of time. Tests control it; no other code reads the machine's clock. */
export interface Clock {
  now(): Date
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  monotonicMs(): number
}

/** The later of two moments. */
export const later = (one: Date, other: Date): Date => (one < other ? other : one)

/**
 * A clock for one record: never before `floor`, and never going back. When the machine's clock is set back, it continues
 * from its last value, so that durations stay correct.
 */
export function steadyClock(clock: Clock, floor: Date): Clock {
  let latestMs = floor.getTime()
  let readMs = clock.monotonicMs()
  return {
    monotonicMs: () => clock.monotonicMs(),
    now() {
      const nowMs = clock.monotonicMs()
      latestMs = Math.max(clock.now().getTime(), latestMs + (nowMs - readMs))
      readMs = nowMs
      return new Date(latestMs)
    },
  }
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
