import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'

interface PackedDocument {
  readonly input: string
  readonly packed: Uint8Array
}

/** Two versions of the inputs of a request, and the answer that the earlier version got. */
export interface VersionsToCompare {
  readonly before: readonly PackedDocument[]
  readonly now: readonly PackedDocument[]
  /** JSON Pointers of the fields in question, and the schema of an answer that consists of them. */
  readonly fields: readonly string[]
  readonly schema: JsonSchema
  readonly answer: Json
  readonly evidence: EvidenceMap
  /** Whether the server found the evidence in the earlier documents, as it would in the new ones. */
  readonly isFound: boolean
}

/** Which fields cannot have changed, and which may have, with the reason as part of a sentence. */
export interface VersionsCompared {
  readonly kept: readonly string[]
  readonly asked: readonly { readonly field: string; readonly because: string }[]
  /** Pages of both versions; `changed` counts those that were changed, added, removed or moved. */
  readonly pages: { readonly before: number; readonly now: number; readonly changed: number }
  /** The evidence in the new documents of kept values that have the same places there as before, for sure. */
  readonly evidence: EvidenceMap
}

/**
 * Compares two versions of documents page by page, in the process pool, and decides for each field whether the pages that changed can matter
 * to it. See docs/decisions on delta executions for the rule and its limits.
 */
export const compareVersionsJob: Job<VersionsToCompare, VersionsCompared> = {
  name: 'compare-versions',
  module: new URL('./compare-versions.job.ts', import.meta.url),
}
