import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { Difference } from '@skillrun/reader/evidence/compare-drawn.ts'
import type { CompletenessReport } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { ImageCode } from '@skillrun/reader/fields/image-codes.ts'
import type { Wanted } from '@skillrun/reader/fields/instruction.ts'
import type { Risk } from '@skillrun/reader/score/risk.ts'

/** A request to the embedded engine. Documents stay packed until they are in the child process. */
export interface AnswerRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  readonly schema: JsonSchema | null
  /** Where pages show something else than their text says: that text is not used. */
  readonly differences?: readonly Difference[]
  /** Codes that were read from images; absent when they were not searched for. */
  readonly codes?: readonly ImageCode[]
  /** Without a schema: what the request asks for by name. */
  readonly wanted?: Wanted
  /** The share of wrong values that is accepted; null or absent: any. */
  readonly risk?: Risk | null
  /** Whether each field of the answer is returned with its evidence. */
  readonly grounded?: boolean
}

/** The answer with its evidence and its violations of the schema. */
export interface EmbeddedAnswer {
  /** Each field has its evidence, if that was requested. */
  readonly answer: Json
  readonly evidence: EvidenceMap
  /** Absent without a schema. */
  readonly report?: CompletenessReport | undefined
  /** Without a schema: the reason why there is no answer. */
  readonly nothing?: string | undefined
  /** Warnings of the extraction. Absent in steps recorded by older versions. */
  readonly warnings?: readonly Warning[]
  readonly violations: readonly { readonly pointer: string; readonly message: string }[]
}

/** Runs the embedded engine. Throws Fault `needs_model` when it cannot answer. */
export const answerJob: Job<AnswerRequest, EmbeddedAnswer> = {
  name: 'answer',
  givesJson: true,
  module: new URL('./answer.job.ts', import.meta.url),
}
