import { usageMax } from '../../agent/plausible-usage.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Micros } from '../../kit/money.ts'
import type { Db, Sql } from '../../seams/db/db.ts'
import type { Model, ModelReply, ModelRequest } from '../../seams/models/model.ts'
import { costOf, isPriced, type Rates } from '../models/models.ts'
import {
  type Payer,
  type Refusal,
  type Reservation,
  releaseLost,
  reserve,
  settle,
  type Tier,
  tierMicros,
} from '../pricing/pricing.ts'
import type { ExecutionState } from './execution.ts'

/** Thrown instead of a call that no budget allows. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** What a run pays its model calls from. */
export interface Purse {
  /** The model asks nothing: there is nothing to settle. */
  readonly isFree: boolean
  /** The model, each call of which is made only when its worst case could be set aside. Throws BudgetSpent. */
  around(model: Model): Model
  /** What a turn cost at the standard rate. */
  cost(reply: ModelReply): Micros
  /**
   * Settles a turn in the transaction that records it. `earlier`: what the turns before it cost at the standard rate; the
   * tier applies to the sum, so that what is settled adds up to what the record says.
   */
  settle(tx: Sql, reply: ModelReply, earlier: Micros): Promise<void>
}

/** Who pays for an execution. */
export const payerOf = (execution: ExecutionState): Payer => ({
  workspaceId: execution.workspaceId,
  executionId: execution.id,
  keyId: execution.keyId,
  attempt: execution.attempt,
  executionMicrosMax: execution.maxCostMicros,
})

/** The most that a call may cost at the standard rate. */
export const worstCase = (request: ModelRequest, rates: Rates): Micros => costOf(usageMax(request), rates)

/** Opens the purse of a run. What a run that died had set aside is released first. */
export async function openPurse(
  parts: { db: Db; clock: Clock },
  payer: Payer,
  terms: { rates: Rates; tier: Tier; isFirstRun: boolean },
): Promise<Purse> {
  const { db, clock } = parts
  const { rates, tier } = terms
  if (!terms.isFirstRun) await db.transaction((tx) => releaseLost(tx, payer, clock.now()))
  // Turns are taken one after the other: there is one reservation at a time.
  let reserved: Reservation | undefined
  const isFree = !isPriced(rates)
  const cost = (reply: ModelReply): Micros => costOf(reply.usage, rates)
  return {
    isFree,
    cost,
    around: (model) => ({
      name: model.name,
      async reply(request, signal, hear) {
        if (isFree) return model.reply(request, signal, hear)
        const micros = tierMicros(worstCase(request, rates), tier)
        const set = await reserve(parts, payer, { micros, detail: { model: model.name } })
        if ('refused' in set) throw new BudgetSpent(set)
        try {
          const reply = await model.reply(request, signal, hear)
          reserved = set
          return reply
        } catch (error) {
          // Nothing came of the call: nothing is paid for it.
          await db.transaction((tx) => settle(tx, payer, { reservation: set, micros: 0, now: clock.now() }))
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
