import type { Json, JsonSchema } from '../kit/json.ts'
import type { Job } from '../seams/workshop/workshop.ts'
import type { EvidenceMap } from './evidence.ts'

/** An answer to look up in what it was made from. */
export interface GroundRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  readonly answer: Json
  readonly schema: JsonSchema | null
  /** Ids of what tools made in this run: an answer may refer to them. */
  readonly made?: readonly string[]
}

/** What was found. */
export interface Grounding {
  /** An entry for every leaf of the answer. */
  readonly evidence: EvidenceMap
  /** Leaves that hold a value, and how many there are. */
  readonly valued: number
  /** JSON Pointers of leaves whose value stands nowhere in the inputs. */
  readonly unsupported: readonly string[]
}

/**
 * Looks every leaf of a model's answer up in the words of the inputs, in the workshop. What the model claims plays no part
 * in it: evidence is what the server finds.
 */
export const groundAnswerJob: Job<GroundRequest, Grounding> = {
  name: 'ground-answer',
  module: new URL('./ground-answer.job.ts', import.meta.url),
}
