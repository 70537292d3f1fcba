import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'

/** The state of one counter in the current minute. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the counter resets. */
  readonly resetSeconds: number
  readonly exceeded: boolean
}

/** Counts events in windows of one minute, per key or address. */
export interface RateLimit {
  count(who: string): Promise<RateStanding>
}

/** Counters that all processes of one server share. */
export interface RateCounts {
  /**
   * Adds `count` to the counter of `who`, whose minute begins with its first event. Returns the total of this minute,
   * including `count`, and when it began.
   */
  take(of: { who: string; count: number; now: Date }): Promise<{ taken: number; beganAt: Date }>
}

export const rateWindowMs = 60_000
/** Counters in memory, about 10 MB; beyond that, the oldest are dropped and fetched again when needed. */
const knownMax = 100_000
/** A process takes a hundredth of the limit at once: few requests need the database, and little stays unused elsewhere. */
const shareOfLimit = 100

interface Known {
  readonly endsMs: number
  /** Taken by this process and not used yet. */
  here: number
  /** What all processes together may still take, at the time when this one last took. */
  left: number
}

/** At most `perMinute` events per `who` and minute, across all processes that share `counts`. `name` separates limits. */
export function makeRateLimit(
  { clock, counts }: { clock: Clock; counts: RateCounts },
  { name, perMinute }: { name: string; perMinute: number },
): RateLimit {
  const known = new Map<string, Known>()
  const taking = new Map<string, Promise<void>>()
  const share = Math.max(1, Math.floor(perMinute / shareOfLimit))

  const take = async (who: string): Promise<void> => {
    const now = clock.now()
    const { taken, beganAt } = await counts.take({ who: `${name} ${who}`, count: share, now })
    const passedMs = now.getTime() - beganAt.getTime()
    // The clocks of processes differ slightly.
    const leftMs = Math.min(rateWindowMs, Math.max(1, rateWindowMs - passedMs))
    const here = Math.min(share, Math.max(0, perMinute - (taken - share)))
    if (known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    known.set(who, { endsMs: clock.monotonicMs() + leftMs, here, left: Math.max(0, perMinute - taken) })
  }

  /** Concurrent callers share one request. */
  const takeOnce = (who: string): Promise<void> => {
    const taken = taking.get(who) ?? take(who).finally(() => taking.delete(who))
    taking.set(who, taken)
    return taken
  }

  return {
    async count(who) {
      for (;;) {
        const nowMs = clock.monotonicMs()
        const one = known.get(who)
        const isOver = one === undefined || nowMs >= one.endsMs
        if (isOver || (one.here === 0 && one.left > 0)) {
          await takeOnce(who)
          continue
        }
        const exceeded = one.here === 0
        if (!exceeded) one.here -= 1
        const resetSeconds = Math.max(1, Math.ceil((one.endsMs - nowMs) / 1000))
        return { limit: perMinute, remaining: one.here + one.left, resetSeconds, exceeded }
      }
    },
  }
}

/** Counters in the memory of this process. */
export function ownCounts(): RateCounts {
  const counts = new Map<string, { taken: number; beganAt: Date }>()
  return {
    async take({ who, count, now }) {
      const before = counts.get(who)
      const isOver = before === undefined || now.getTime() - before.beganAt.getTime() >= rateWindowMs
      const one = isOver ? { taken: count, beganAt: now } : { ...before, taken: before.taken + count }
      counts.set(who, one)
      return one
    },
  }
}

/**
 * The limits of operations that have their own. Throws Fault `invalid` (`bad_configuration`) for an unknown operation.
 */
export function makeRouteRates(
  parts: { clock: Clock; counts: RateCounts },
  perMinute: Readonly<Record<string, number>>,
  routes: readonly { readonly operation: string }[],
): ReadonlyMap<string, RateLimit> {
  const known = new Set(routes.map(({ operation }) => operation))
  for (const name of Object.keys(perMinute))
    if (!known.has(name))
      throw new Fault(
        'invalid',
        'bad_configuration',
        `SKILLRUN_CONFIG: limits.requests_per_minute_by_route names the unknown operation ${JSON.stringify(name)}; use an operationId of GET /openapi.json, such as executeAgent.`,
      )
  return new Map(
    Object.entries(perMinute).map(([name, count]) => [
      name,
      makeRateLimit(parts, { name: `route ${name}`, perMinute: count }),
    ]),
  )
}
