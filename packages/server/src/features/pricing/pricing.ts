import { creditsOf, dollarsOf, type Micros, multiplied } from '../../core/money.ts'

export { findRefusal, payAtOnce, releaseLost, reserve, settle } from './ledger.ts'
export type { Payer, Refusal, Reservation } from './reservation.ts'
export { findRemainingBudget } from './store.ts'

/** Service tiers in the order of priority. */
export const tiers = ['priority', 'standard', 'flex'] as const
export type Tier = (typeof tiers)[number]

/** Multipliers of the standard price, in thousandths. */
export const multiplierThousandths: Readonly<Record<Tier, number>> = { standard: 1000, flex: 500, priority: 1800 }

/** The tier of a request's `service_tier`: `auto`, `default` and an absent one mean standard. */
export function tierOf(serviceTier: string | null | undefined): Tier {
  return serviceTier === 'flex' || serviceTier === 'priority' ? serviceTier : 'standard'
}

/** A standard cost in a tier, in whole micro-dollars. */
export const tierMicros = (standardMicros: Micros, tier: Tier): Micros =>
  multiplied(standardMicros, multiplierThousandths[tier])

/** The most that a call of a standard cost adds to the rounded cost of an execution in a tier: what is reserved for it. */
export const reservedMicros = (standardMicros: Micros, tier: Tier): Micros =>
  Math.ceil((standardMicros * multiplierThousandths[tier]) / 1000)

/** The cost of an execution as in the wire format's usage object. */
export interface Price {
  readonly service_tier: Tier
  readonly mode_multiplier: number
  readonly standard_cost_dollars: number
  readonly cost_dollars: number
  readonly savings_dollars: number
  readonly credits_used: number
}

/**
 * Prices a standard cost in a tier. Applies the multiplier once, to the sum; only flex reports savings; credits are whole and rounded
 * up.
 */
export function priceOf(standardMicros: Micros, tier: Tier): Price {
  const costMicros = tierMicros(standardMicros, tier)
  return {
    service_tier: tier,
    mode_multiplier: multiplierThousandths[tier] / 1000,
    standard_cost_dollars: dollarsOf(standardMicros),
    cost_dollars: dollarsOf(costMicros),
    savings_dollars: tier === 'flex' ? dollarsOf(standardMicros - costMicros) : 0,
    credits_used: creditsOf(costMicros),
  }
}
