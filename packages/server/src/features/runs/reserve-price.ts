import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { retryWhileUnavailable } from '../../adapters/db/retry-while-unavailable.ts'
import type { ModelRequest } from '../../adapters/models/model.ts'
import type { Micros } from '../../core/money.ts'
import { payerOf } from '../executions/executions.ts'
import { isPriced, type Rates } from '../models/models.ts'
import {
  payAtOnce,
  type Reservation,
  releaseLost,
  reserve,
  reservedMicros,
  settle,
  tierMicros,
} from '../pricing/pricing.ts'
import { refusalError, reserveCall } from './budget.ts'
import type { RecordParts } from './parts.ts'
import type { Run } from './run-state.ts'

/**
 * Reserves the price of a step before it is made: `micros`, or the fixed price of its name. Undefined: it is free. Throws BudgetSpent and RunSuperseded.
 * `record` settles the reservation; the end of the run releases the rest.
 */
export async function reservePrice(
  parts: RecordParts,
  run: Run,
  step: { name: string; micros?: Micros; detail?: JsonObject },
): Promise<Reservation | undefined> {
  const micros = reservedMicros(step.micros ?? parts.tools.priceOf(step.name), run.execution.tier)
  if (micros === 0) return undefined
  const detail = { tool: step.name, ...step.detail }
  const reserved = await reserve(parts, payerOf(run.execution), { micros, detail, signal: run.signal })
  if ('refused' in reserved) throw refusalError(reserved)
  run.unsettled += 1
  return reserved
}

/** The same for a model call, with its reply capped to what the budgets allow; see `reserveCall`. */
export async function reserveModelCall(
  parts: Omit<RecordParts, 'tools'>,
  run: Run,
  call: { request: ModelRequest; rates: Rates; detail: Json },
): Promise<{ readonly request: ModelRequest; readonly reservation: Reservation | undefined }> {
  const { request, rates } = call
  if (!isPriced(rates)) return { request, reservation: undefined }
  const { tier } = run.execution
  const allowed = await reserveCall(parts, payerOf(run.execution), { ...call, tier, signal: run.signal })
  run.unsettled += 1
  return allowed
}

/** Releases the reservation of a step that was not made. */
export async function releasePrice(parts: RecordParts, run: Run, reservation: Reservation | undefined): Promise<void> {
  if (!reservation) return
  const nothing = { reservation, micros: 0, now: parts.clock.now() }
  await retryWhileUnavailable(parts, run.signal, () =>
    parts.db.transaction((tx) => settle(tx, payerOf(run.execution), nothing)),
  )
  run.unsettled -= 1
}

/**
 * Settles a step in the transaction that records it. `earlier`: the cost of the steps before it at the standard rate; the tier applies to
 * the sum, so that settlements add up to the record's cost.
 */
export async function settleStep(
  tx: Sql,
  run: Run,
  step: { reservation: Reservation | undefined; name: string; micros: Micros; earlier: Micros; now: Date },
): Promise<void> {
  const { reservation, earlier, now } = step
  const { tier } = run.execution
  const micros = tierMicros(earlier + step.micros, tier) - tierMicros(earlier, tier)
  const payer = payerOf(run.execution)
  if (!reservation) return payAtOnce(tx, payer, { micros, detail: { tool: step.name }, now })
  await settle(tx, payer, { reservation, micros, now })
}

/** Releases the unsettled reservations of this run and of dead runs before it. */
export async function releaseOfRun(tx: Sql, run: Run, now: Date): Promise<void> {
  if (run.fence.attempt > 1 || run.unsettled > 0) await releaseLost(tx, payerOf(run.execution), now)
}
