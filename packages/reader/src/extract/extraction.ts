import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { PictureCode } from '../fields/picture-codes.ts'
import type { ReadDocument } from '../media/document.ts'

/** One document of an execution with the name that its evidence is given under. */
export interface NamedDocument {
  /** The input slot, with `/n` for the n-th item of an array slot. */
  readonly input: string
  readonly document: ReadDocument
}

/** What the embedded engine is asked. */
export interface ExtractionRequest {
  readonly documents: readonly NamedDocument[]
  /** Slots that are plain JSON and not text to be read, by slot name. */
  readonly values: Readonly<Record<string, Json>>
  /** Schema of the answer, already checked; null asks for text, tables and facts. */
  readonly schema: JsonSchema | null
  /** What codes the pictures have; absent where none were looked for. */
  readonly codes?: readonly PictureCode[]
}

/** What the embedded engine answers. */
export interface Extraction {
  readonly answer: Json
  /** An entry for every leaf of the answer, those that stayed null or were left out included. */
  readonly evidence: EvidenceMap
  /** What a caller should know although a value is given, such as a row that does not add up. */
  readonly warnings?: readonly Warning[]
}
