import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { ReadDocument } from '../../src/media/document.ts'
import type { Accepts } from '../documents/schemas.ts'

/** A document with its right answer. A field whose truth is null is not in the document; one that is absent was not labelled. */
export interface LabelledDocument {
  readonly set: string
  readonly id: string
  readonly document: ReadDocument
  readonly schema: JsonSchema
  readonly truth: JsonObject
  readonly accepts: Accepts
  readonly recognised: boolean
  /** Whether a value is that of the truth, where the set has a judgement of its own. */
  readonly isRight?: (given: Json, wanted: Json) => boolean
}
