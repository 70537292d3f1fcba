/** Where the time comes from. Tests set it; nothing else reads the machine's clock. */
export interface Clock {
  /** The present moment. */
  now(): Date
  /** Milliseconds of a clock that never goes back; only differences mean anything. */
  monotonicMs(): number
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
