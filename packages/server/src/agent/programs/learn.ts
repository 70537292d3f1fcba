import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** Documents with their expected answer. */
export interface Example {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly answer: Json
}

export interface LearnRequest {
  readonly schema: JsonSchema
  readonly examples: readonly Example[]
}

/** How a program finds a field, and the cross-validated results on the examples. */
export type FieldReport = Readonly<{
  /** JSON Pointer of the field. */
  pointer: string
  by: 'marks' | 'points' | 'extract'
  right: number
  wrong: number
  none: number
}>

/** A program that was learned from examples. */
export interface WrittenProgram {
  /** TypeScript for the sandbox. */
  readonly source: string
  readonly fields: readonly FieldReport[]
}

/**
 * Writes a program from a schema and a few cases, without a model: for each field it learns marks that distinguish the right
 * value from others, and emits readable source. Runs in the process pool. Throws Fault `cannot_compile` when there is nothing
 * to learn from: no cases with a document, or no object schema.
 */
export const learnJob: Job<LearnRequest, WrittenProgram> = {
  name: 'learn',
  module: new URL('./learn.job.ts', import.meta.url),
}
