/** Where the time comes from. Tests set it; nothing else reads the machine's clock. */
export interface Clock {
  /** The present moment. */
  now(): Date
  /** Milliseconds of a clock that never goes back; only differences mean anything. */
  monotonicMs(): number
}

/** The later of two moments. */
export const later = (one: Date, other: Date): Date => (one < other ? other : one)

/**
 * The clock as one record sees it: never before `floor`, and never back. While the machine's clock is behind, time goes on from where it
 * was, so that durations stay true.
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

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
