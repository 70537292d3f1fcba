import type { JsonSchema } from '@skillrun/core/json.ts'
import { sameFields } from '../../agent/delta/same-fields.ts'
import { separateFields } from '../../agent/programs/separate-fields.ts'
import type { Micros } from '../../core/money.ts'
import type { PastWork } from '../executions/executions.ts'

/** What asking earlier executions again may cost at the standard rate. */
export interface BackfillRange {
  /** Executions of which a model would be asked something. */
  readonly asked: number
  readonly low: Micros
  readonly high: Micros
}

/**
 * Earlier executions cost a known sum. A model reads their documents again and answers fewer fields: that costs no less than the share of these
 * fields, and no more than the earlier run, or what it would have cost with as many fields. The embedded engine costs what it cost.
 */
export function backfillRange(work: readonly PastWork[], schema: JsonSchema): BackfillRange {
  const all = separateFields(schema)?.length ?? 0
  const ranges = work.map(({ schema: earlier, isEmbedded, executions, micros }): BackfillRange => {
    const before = (earlier && separateFields(earlier)?.length) ?? 0
    if (isEmbedded || earlier === null || all === 0 || before === 0)
      return { asked: isEmbedded ? 0 : executions, low: micros, high: micros }
    const left = all - sameFields(schema, earlier).length
    if (left === 0) return { asked: 0, low: 0, high: 0 }
    const share = Math.round((micros * left) / before)
    return { asked: executions, low: Math.min(micros, share), high: Math.max(micros, share) }
  })
  const sum = (of: keyof BackfillRange): number => ranges.reduce((total, one) => total + one[of], 0)
  return { asked: sum('asked'), low: sum('low'), high: sum('high') }
}
