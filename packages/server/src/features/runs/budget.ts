import type { Clock } from '@skillrun/core/clock.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import type { Model, ModelReply, ModelRequest, ModelUsage } from '../../adapters/models/model.ts'
import { usageMax } from '../../agent/plausible-usage.ts'
import { limits } from '../../core/limits.ts'
import type { Micros } from '../../core/money.ts'
import { costOf, isPriced, type Rates } from '../models/models.ts'
import {
  findRemainingBudget,
  type Payer,
  type Refusal,
  type Reservation,
  reserve,
  reservedMicros,
  settle,
  type Tier,
  tierMicros,
} from '../pricing/pricing.ts'
import { RunSuperseded } from './run-state.ts'

/** Thrown instead of a call that no budget allows. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** The error to throw for a refusal: RunSuperseded stops a run whose execution has ended or is another run's. */
export const refusalError = (refusal: Refusal): BudgetSpent | RunSuperseded =>
  refusal.refused === 'superseded' ? new RunSuperseded(refusal.message) : new BudgetSpent(refusal)

/** Pays for the model calls of a run. */
export interface RunBudget {
  /** Calls cost nothing, as with the embedded engine or in a replay: there is nothing to settle. */
  readonly isFree: boolean
  /** The model, with the worst case of each call reserved first, as `reserveCall` does. Throws BudgetSpent. */
  around(model: Model): Model
  /** The cost of a turn at the standard rate. */
  cost(reply: ModelReply): Micros
  /**
   * Settles a turn in the transaction that records it. `earlier`: the cost of the turns before it at the standard rate; the tier applies to
   * the sum, so that settlements add up to the record's cost.
   */
  settle(tx: Sql, reply: ModelReply, earlier: Micros): Promise<void>
}

/** What a call costs: the rates of its model, and the tier that multiplies them. */
export interface Terms {
  readonly rates: Rates
  readonly tier: Tier
}

/** The maximum cost of a call. */
const worstCase = (usage: ModelUsage, { rates, tier }: Terms): Micros => reservedMicros(costOf(usage, rates), tier)

/** The longest reply, between `least` and `most` tokens, whose worst case costs at most `remaining`; `least` if none does. */
function replyTokensWithin(
  remaining: Micros,
  priceOf: (tokens: number) => Micros,
  bounds: { least: number; most: number },
): number {
  let [low, high] = [bounds.least, bounds.most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (priceOf(middle) <= remaining) low = middle
    else high = middle - 1
  }
  return low
}

/** A call that the budgets allow. */
export interface AllowedCall {
  /** The call, with its reply capped if the budgets do not allow a full one. */
  readonly request: ModelRequest
  readonly reservation: Reservation
  /** The budget that did not allow a full reply. */
  readonly cappedBy?: Refusal['refused']
}

/**
 * Reserves the worst case of a call before it is made. If the budgets do not allow a reply of full length, caps it to what they allow.
 * Throws BudgetSpent when not even a reply of `limits.shortReplyTokens` fits, and RunSuperseded.
 */
export async function reserveCall(
  parts: { db: Db; clock: Clock },
  payer: Payer,
  call: Terms & { request: ModelRequest; detail: Json; signal: AbortSignal },
): Promise<AllowedCall> {
  const { request, detail, signal } = call
  const usage = usageMax(request)
  const priceOf = (outputTokens: number): Micros => worstCase({ ...usage, outputTokens }, call)
  const most = request.outputTokensMax
  const least = Math.min(most, limits.shortReplyTokens)
  const attempt = async (output: number): Promise<AllowedCall | Refusal> => {
    const reserved = await reserve(parts, payer, { micros: priceOf(output), detail, signal })
    return 'refused' in reserved
      ? reserved
      : { request: { ...request, outputTokensMax: output }, reservation: reserved }
  }
  const full = await attempt(most)
  if (!('refused' in full)) return full
  if (full.refused === 'superseded') throw refusalError(full)
  const remaining = await findRemainingBudget(parts.db, payer, parts.clock.now())
  const capped = await attempt(replyTokensWithin(remaining, priceOf, { least, most }))
  if (!('refused' in capped)) return { ...capped, cappedBy: full.refused }
  // Other executions of the key may have spent some of it by now: a short reply may still fit.
  const short = await attempt(least)
  if ('refused' in short) throw refusalError(short)
  return { ...short, cappedBy: full.refused }
}

/** Opens the budget of a run. */
export function openBudget(parts: { db: Db; clock: Clock }, payer: Payer, terms: Terms): RunBudget {
  const { db, clock } = parts
  const { rates, tier } = terms
  // Turns are sequential: there is one reservation at a time.
  let reserved: Reservation | undefined
  let cutShort: Refusal | undefined
  const isFree = !isPriced(rates)
  const cost = (reply: ModelReply): Micros => costOf(reply.usage, rates)
  return {
    isFree,
    cost,
    around: (model) => ({
      name: model.name,
      async reply(request, signal, onText) {
        if (isFree) return model.reply(request, signal, onText)
        // A retry would spend the rest of the budget in the same way.
        if (cutShort) throw new BudgetSpent(cutShort)
        const detail = { model: model.name }
        const allowed = await reserveCall(parts, payer, { rates, tier, request, detail, signal })
        try {
          const reply = await model.reply(allowed.request, signal, onText)
          reserved = allowed.reservation
          if (reply.finish === 'length') cutShort = cutShortBy(request, allowed, terms)
          return reply
        } catch (error) {
          // The call produced nothing, so it costs nothing.
          const nothing = { reservation: allowed.reservation, micros: 0, now: clock.now() }
          await retryWhileUnavailable(parts, signal, () => db.transaction((tx) => settle(tx, payer, nothing)))
          throw error
        }
      },
    }),
    async settle(tx, reply, earlier) {
      if (!reserved) return
      const micros = tierMicros(earlier + cost(reply), tier) - tierMicros(earlier, tier)
      await settle(tx, payer, { reservation: reserved, micros, now: clock.now() })
    },
  }
}

/** Why a truncated reply is not requested again under the same budget. Undefined: the budget did not cap it. */
function cutShortBy(
  request: ModelRequest,
  { request: { outputTokensMax }, cappedBy = 'execution' }: AllowedCall,
  terms: Terms,
): Refusal | undefined {
  if (outputTokensMax >= request.outputTokensMax) return undefined
  const outputTokens = Math.min(request.outputTokensMax, outputTokensMax * 2)
  return {
    refused: cappedBy,
    message: `The last reply was cut off after ${outputTokensMax} tokens, the most that the budget allowed (max_cost_dollars, or the key's daily budget)`,
    micros: worstCase({ ...usageMax(request), outputTokens }, terms),
  }
}
