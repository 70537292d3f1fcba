import type { Json, JsonSchema } from '../../kit/json.ts'
import type { Job } from '../../seams/workshop/workshop.ts'
import type { EvidenceMap } from '../evidence.ts'

/** What the embedded engine is asked in the workshop: readings stay packed until they are there. */
export interface AnswerRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  readonly schema: JsonSchema | null
  readonly prompt: string
}

/** The answer with its evidence, and how it violates the schema, if it does. */
export interface EmbeddedAnswer {
  readonly answer: Json
  readonly evidence: EvidenceMap
  readonly violations: readonly { readonly pointer: string; readonly message: string }[]
}

/** The embedded engine as a job. Throws Fault `needs_model` where rules cannot answer. */
export const answerJob: Job<AnswerRequest, EmbeddedAnswer> = {
  name: 'answer',
  module: new URL('./answer.job.ts', import.meta.url),
}
