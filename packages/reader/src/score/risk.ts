import type { Warning } from '../evidence/warnings.ts'

/** The shares of wrong values among those given that a caller may choose from, and the one that holds where none was chosen. */
export const wrongRates = { min: 0.005, max: 0.2, default: 0.02 } as const

/** The warning that a requested share of wrong values cannot be guaranteed. */
export const noPromise: Warning = {
  code: 'wrong_rate_not_promised',
  path: '',
  message:
    'The answer is not held to max_wrong_rate: the score is calibrated for single fields that the embedded engine reads from pages and sheets, not for lists, JSON, electronic invoices and answers of a language model',
}

/** The share of wrong values that is accepted, and what becomes of values that are not sure enough for it. */
export interface Risk {
  readonly maxWrongRate: number
  /** `withhold`: they become candidates. `mark`: those that are likely, or found in two ways, are given with a note; the default where no share was asked for. */
  readonly unsure: 'withhold' | 'mark'
}

/** The risk of a request: the share that it names, withholding; null for none; else the default share, marking. */
export function riskOf(maxWrongRate: number | null | undefined): Risk | null {
  if (maxWrongRate === undefined) return { maxWrongRate: wrongRates.default, unsure: 'mark' }
  return maxWrongRate === null ? null : { maxWrongRate, unsure: 'withhold' }
}
