import { pointerStep } from '@skillrun/core/json.ts'
import type { DocumentWarning } from '../media/document.ts'

/** A remark on an answer that is given nevertheless. */
export interface Warning {
  /** A stable code for programs: `row_does_not_add_up`, `sums_do_not_add_up`, `list_incomplete`, `ignored_field`, `not_found`, … */
  readonly code: string
  /** JSON Pointer into the response; for `ignored_field` and warnings of an input, into the request. Empty: the whole. */
  readonly path: string
  /** One sentence for people. */
  readonly message: string
}

/** The warnings of a document as those of the input that it came in. */
export const inputWarnings = (input: string, warnings: readonly DocumentWarning[] = []): Warning[] =>
  warnings.map(({ code, message }) => ({ code, path: `/inputs${pointerStep(input)}`, message }))
