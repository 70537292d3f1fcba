import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { RowCounts } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'

/** An answer whose values are to be found in its inputs. */
export interface GroundRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  /** The answer as JSON text. */
  readonly json: string
  /** Whether the answer is returned with evidence for each field; the model's own claims of evidence are removed. */
  readonly grounded?: boolean
  readonly schema: JsonSchema | null
  /** Ids of artifacts of this run, which an answer may refer to. */
  readonly made?: readonly string[]
}

/** The evidence of an answer. */
export interface Grounding {
  /** The answer with evidence beside each field, if `grounded`. */
  readonly answer?: Json
  /** An entry for each leaf, up to the limit of `boundedEvidence`. */
  readonly evidence: EvidenceMap
  /** The number of leaves with a value. */
  readonly valued: number
  /** JSON Pointers of the first leaves whose value is not in the inputs. `unsupportedCount` counts all of them. */
  readonly unsupported: readonly string[]
  readonly unsupportedCount: number
  readonly warnings: readonly Warning[]
  /** The rows that the inputs show for lists that lack some of them. */
  readonly expected: RowCounts
}

/**
 * Finds the values of a model's answer in the words of the inputs, in the process pool. Claims of the model are ignored:
 * evidence is only what the server finds.
 */
export const groundAnswerJob: Job<GroundRequest, Grounding> = {
  name: 'ground-answer',
  givesJson: true,
  module: new URL('./ground-answer.job.ts', import.meta.url),
}
