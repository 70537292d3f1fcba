import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { Coverage } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { Wanted } from '@skillrun/reader/fields/instruction.ts'
import type { PictureCode } from '@skillrun/reader/fields/picture-codes.ts'

/** What the embedded engine is asked in the workshop: readings stay packed until they are there. */
export interface AnswerRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  readonly schema: JsonSchema | null
  /** What codes the pictures have; absent where none were looked for. */
  readonly codes?: readonly PictureCode[]
  /** Without a schema: what the documents have to have. */
  readonly wanted?: Wanted
  /** The share of wrong values that the caller accepts; absent: it set none. */
  readonly maxWrongRate?: number
  /** Whether the answer is wanted with its evidence beside each field. */
  readonly grounded?: boolean
}

/** The answer with its evidence, and how it violates the schema, if it does. */
export interface EmbeddedAnswer {
  /** With its evidence beside each field, where that was asked for. */
  readonly answer: Json
  readonly evidence: EvidenceMap
  /** Absent: no schema was given. */
  readonly coverage?: Coverage | undefined
  /** Without a schema: why there is nothing to answer with. */
  readonly nothing?: string | undefined
  /** What the reading of the values says beside them. Absent in steps that older versions recorded. */
  readonly warnings?: readonly Warning[]
  readonly violations: readonly { readonly pointer: string; readonly message: string }[]
}

/** The embedded engine as a job. Throws Fault `needs_model` where rules cannot answer. */
export const answerJob: Job<AnswerRequest, EmbeddedAnswer> = {
  name: 'answer',
  givesJson: true,
  module: new URL('./answer.job.ts', import.meta.url),
}
