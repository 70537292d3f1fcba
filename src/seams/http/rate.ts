import type { Clock } from '../../kit/clock.ts'

/** How a key stands within its minute. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the count starts anew. */
  readonly resetSeconds: number
  readonly exceeded: boolean
}

/** Counts requests by key in windows of one minute, in this process. */
export interface RateLimit {
  count(keyId: string): RateStanding
}

/** At most `perMinute` requests a key in each minute of this process's clock. */
export function makeRateLimit({ clock }: { clock: Clock }, perMinute: number): RateLimit {
  const windowMs = 60_000
  let windowStart = clock.monotonicMs()
  let counts = new Map<string, number>()
  return {
    count(keyId) {
      const now = clock.monotonicMs()
      if (now - windowStart >= windowMs) {
        windowStart = now
        counts = new Map()
      }
      const used = (counts.get(keyId) ?? 0) + 1
      counts.set(keyId, used)
      const resetSeconds = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000))
      return { limit: perMinute, remaining: Math.max(0, perMinute - used), resetSeconds, exceeded: used > perMinute }
    },
  }
}
