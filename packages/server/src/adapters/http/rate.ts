import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'

/** How one who is counted stands within the minute. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the count starts anew. */
  readonly resetSeconds: number
  readonly exceeded: boolean
}

/** Counts what happens in windows of one minute: by key, or by address. */
export interface RateLimit {
  count(who: string): Promise<RateStanding>
}

/** The counts of all who are limited, which the processes of one server share. */
export interface RateCounts {
  /**
   * Takes `count` from what `who` may do in a minute, which begins with the first of them. Gives how much was taken in this
   * minute, `count` included, and when it began.
   */
  take(of: { who: string; count: number; now: Date }): Promise<{ taken: number; beganAt: Date }>
}

export const rateWindowMs = 60_000
/** How many are known here; beyond them, who came first is asked about anew. About 10 MB. */
const knownMax = 100_000
/** What a process takes at once: a hundredth, so that few requests ask, and little is left over in another process. */
const shareOfLimit = 100

interface Known {
  readonly endsMs: number
  /** Taken by this process and not used yet. */
  here: number
  /** What all processes together may still take, as it was when this one last took. */
  left: number
}

/** At most `perMinute` for each in each minute, in all processes that share `counts`. `name` tells limits apart. */
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
    // Clocks of processes differ a little.
    const leftMs = Math.min(rateWindowMs, Math.max(1, rateWindowMs - passedMs))
    const here = Math.min(share, Math.max(0, perMinute - (taken - share)))
    if (known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    known.set(who, { endsMs: clock.monotonicMs() + leftMs, here, left: Math.max(0, perMinute - taken) })
  }

  /** Those who come while it is taken wait for it. */
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

/** Counts of this process alone, for a server that has nothing to share. */
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
 * A limit for each route that has one of its own, by operation. Throws Fault `invalid` (`bad_configuration`) for an operation that
 * is none.
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
        `SKILLRUN_CONFIG: limits.requests_per_minute_by_route names ${JSON.stringify(name)}, but should name an operationId of GET /openapi.json, such as executeAgent.`,
      )
  return new Map(
    Object.entries(perMinute).map(([name, count]) => [
      name,
      makeRateLimit(parts, { name: `route ${name}`, perMinute: count }),
    ]),
  )
}
