import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { SchemaProblem } from '../schema/schema.ts'

/** An answer of a program to be looked at. */
export interface SettleRequest {
  /** The answer as JSON text. */
  readonly json: string
  /** Null: there is none to hold it against. */
  readonly schema: JsonSchema | null
  /** What to look its values up in; null: where they stand is known. */
  readonly source: {
    readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
    readonly values: Readonly<Record<string, Json>>
  } | null
  /** Documents whose words are wanted; null: none are. */
  readonly wordsOf: readonly { readonly input: string; readonly packed: Uint8Array }[] | null
}

/** What breaks the schema, where values were found, and the words of the documents; null where there are no lines. */
export type Settled = {
  readonly problems: readonly SchemaProblem[]
  readonly evidence: EvidenceMap | null
  readonly words: readonly string[] | null
}

/** Holds an answer against its schema and looks its values up, in one way to the workshop and back. */
export const settleJob: Job<SettleRequest, Settled> = {
  name: 'settle',
  givesJson: true,
  module: new URL('./settle.job.ts', import.meta.url),
}
