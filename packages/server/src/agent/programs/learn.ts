import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** Documents with their known answer. */
export interface Example {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly answer: Json
}

export interface LearnRequest {
  readonly schema: JsonSchema
  readonly examples: readonly Example[]
}

/** How a field of a written program is found, and how that fared on the examples when it was learned without them. */
export type FieldReport = Readonly<{
  /** JSON Pointer of the field. */
  pointer: string
  by: 'marks' | 'points' | 'extract'
  right: number
  wrong: number
  none: number
}>

/** A program that was written from examples. */
export interface WrittenProgram {
  /** TypeScript for the sandbox. */
  readonly source: string
  readonly fields: readonly FieldReport[]
}

/**
 * Writes a program from a schema and a few known answers, without a model: for each field it learns by which marks the
 * right value is told from the others, and says so in readable source. In the workshop. Throws Fault `cannot_compile` where
 * there is nothing to learn from: no example with a document, no object in the schema.
 */
export const learnJob: Job<LearnRequest, WrittenProgram> = {
  name: 'learn',
  module: new URL('./learn.job.ts', import.meta.url),
}
