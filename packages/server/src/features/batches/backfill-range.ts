import type { JsonSchema } from '@skillrun/core/json.ts'
import { sameFields } from '../../agent/delta/same-fields.ts'
import { separateFields } from '../../agent/programs/separate-fields.ts'
import type { Micros } from '../../core/money.ts'
import type { FullCost, PastWork } from '../executions/executions.ts'

/** What asking earlier executions again may cost at the standard rate. */
export interface BackfillRange {
  /** Executions of which a model would be asked something. */
  readonly asked: number
  /** Executions whose cost is not known, and not in `low` and `high`. */
  readonly unpriced: number
  readonly low: Micros
  readonly high: Micros
}

/** What earlier executions would be asked. */
export interface BackfillTask {
  readonly schema: JsonSchema
  /** Whether something else changes that an answer depends on, so that no field may be kept. */
  readonly changesMore: boolean
  /** The model of the new executions; null: that of each earlier one. */
  readonly model: { readonly name: string; readonly isEmbedded: boolean } | null
  readonly fullCosts: readonly FullCost[]
}

const nothing: BackfillRange = { asked: 0, unpriced: 0, low: 0, high: 0 }

/**
 * A model reads the documents of an earlier execution again and answers fewer fields: that costs no less than the share of these fields in what
 * it cost, and no more than it, or what it would have cost with as many fields. The embedded engine costs what it cost.
 */
export function backfillRange(work: readonly PastWork[], task: BackfillTask): BackfillRange {
  const ranges = work.map((one) => rangeOf(one, task))
  const sum = (of: keyof BackfillRange): number => ranges.reduce((total, one) => total + one[of], 0)
  return { asked: sum('asked'), unpriced: sum('unpriced'), low: sum('low'), high: sum('high') }
}

function rangeOf(work: PastWork, task: BackfillTask): BackfillRange {
  const { schema: earlier, executions } = work
  const isEmbedded = task.model?.isEmbedded ?? work.isEmbedded
  const all = separateFields(task.schema)?.length ?? 0
  const before = (earlier && separateFields(earlier)?.length) || 0
  const same = earlier && !work.isGrounded ? sameFields(task.schema, earlier).length : 0
  const isSeparable = !isEmbedded && all > 0 && before > 0
  const most = task.changesMore ? all : all - same
  if (isSeparable && most === 0) return nothing
  const asked = isEmbedded ? 0 : executions
  const cost = costOf(work, task)
  if (!cost) return { ...nothing, asked, unpriced: executions }
  const { low, high } = cost
  if (!isSeparable) return { asked, unpriced: 0, low, high }
  const answered = cost.answered ?? before
  return {
    ...{ asked, unpriced: 0 },
    low: Math.min(low, Math.round((low * (all - same)) / answered)),
    high: Math.max(high, Math.round((high * most) / answered)),
  }
}

/** What the executions cost, or where that says nothing of the engine, what their agent costs with it. Undefined if that is not known. */
function costOf(
  { isPriced, micros, answered, agentId, model: earlier, executions }: PastWork,
  { model, fullCosts }: BackfillTask,
): { readonly low: Micros; readonly high: Micros; readonly answered: number | null } | undefined {
  const name = model?.name ?? earlier
  if (isPriced && name === earlier) return { low: micros, high: micros, answered }
  const full = fullCosts.find((one) => one.agentId === agentId && one.model === name)
  return full && { low: full.low * executions, high: full.high * executions, answered: null }
}
