import type { Clock } from '../../kit/clock.ts'
import { Fault } from '../../kit/fault.ts'

/** How one who is counted stands within the minute. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the count starts anew. */
  readonly resetSeconds: number
  readonly exceeded: boolean
}

/** Counts what happens in windows of one minute, in this process: by key, or by address. */
export interface RateLimit {
  count(who: string): RateStanding
}

/** How many are counted apart; beyond them, who came first in the minute is counted anew. About 10 MB. */
const countedMax = 100_000

/** At most `perMinute` for each in each minute of this process's clock. */
export function makeRateLimit({ clock }: { clock: Clock }, perMinute: number): RateLimit {
  const windowMs = 60_000
  let windowStart = clock.monotonicMs()
  let counts = new Map<string, number>()
  return {
    count(who) {
      const now = clock.monotonicMs()
      if (now - windowStart >= windowMs) {
        windowStart = now
        counts = new Map()
      }
      const used = (counts.get(who) ?? 0) + 1
      if (used === 1 && counts.size >= countedMax) counts.delete(counts.keys().next().value ?? '')
      counts.set(who, used)
      const resetSeconds = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000))
      return { limit: perMinute, remaining: Math.max(0, perMinute - used), resetSeconds, exceeded: used > perMinute }
    },
  }
}

/**
 * A limit for each route that has one of its own, by operation. Throws Fault `invalid` (`bad_configuration`) for an operation that
 * is none.
 */
export function makeRouteRates(
  parts: { clock: Clock },
  perMinute: Readonly<Record<string, number>>,
  routes: readonly { readonly operation: string }[],
): ReadonlyMap<string, RateLimit> {
  const known = new Set(routes.map(({ operation }) => operation))
  for (const name of Object.keys(perMinute))
    if (!known.has(name))
      throw new Fault(
        'invalid',
        'bad_configuration',
        `SKILLRUN_CONFIG: limits.requests_per_minute_by_route names ${JSON.stringify(name)}, but should name an operationId of GET /openapi.json, such as executeAgent.`,
      )
  return new Map(Object.entries(perMinute).map(([name, count]) => [name, makeRateLimit(parts, count)]))
}
