import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { SchemaProblem } from '../schema/schema.ts'

/** A program's answer to validate and ground. */
export interface SettleRequest {
  /** The answer as JSON text. */
  readonly json: string
  /** Null: no schema. */
  readonly schema: JsonSchema | null
  /** The inputs in which its values are searched; null: their positions are already known. */
  readonly source: {
    readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
    readonly values: Readonly<Record<string, Json>>
  } | null
  /** Documents whose words are returned; null: none. */
  readonly wordsOf: readonly { readonly input: string; readonly packed: Uint8Array }[] | null
}

/** Violations of the schema, the evidence of values, and the words of the documents; null where they were not requested or there are no lines. */
export type Settled = {
  readonly problems: readonly SchemaProblem[]
  readonly evidence: EvidenceMap | null
  readonly words: readonly string[] | null
}

/** Validates an answer and finds its values in one job. */
export const settleJob: Job<SettleRequest, Settled> = {
  name: 'settle',
  givesJson: true,
  module: new URL('./settle.job.ts', import.meta.url),
}
