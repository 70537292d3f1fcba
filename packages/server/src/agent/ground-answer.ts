import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'

/** An answer to look up in what it was made from. */
export interface GroundRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  /** The answer as JSON text. */
  readonly json: string
  /** Whether the answer is wanted with its evidence beside each field, and without what it says of it itself. */
  readonly grounded?: boolean
  readonly schema: JsonSchema | null
  /** Ids of what tools made in this run: an answer may refer to them. */
  readonly made?: readonly string[]
}

/** What was found. */
export interface Grounding {
  /** The answer as it is given out, where it is not as it came. */
  readonly answer?: Json
  /** An entry for every leaf of the answer, as far as `boundedEvidence` keeps them. */
  readonly evidence: EvidenceMap
  /** Leaves that hold a value, and how many there are. */
  readonly valued: number
  /** JSON Pointers of the first leaves whose value stands nowhere in the inputs, and how many there are. */
  readonly unsupported: readonly string[]
  readonly unsupportedCount: number
  readonly warnings: readonly Warning[]
}

/**
 * Looks every leaf of a model's answer up in the words of the inputs, in the workshop. What the model claims plays no part
 * in it: evidence is what the server finds.
 */
export const groundAnswerJob: Job<GroundRequest, Grounding> = {
  name: 'ground-answer',
  givesJson: true,
  module: new URL('./ground-answer.job.ts', import.meta.url),
}
