import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { RowCounts } from '../evidence/completeness.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { ImageCode } from '../fields/image-codes.ts'
import type { ReadDocument } from '../media/document.ts'
import type { WrongRatePromise } from '../score/decide.ts'
import type { Risk } from '../score/risk.ts'

/** A document of an execution with its input name, which evidence refers to. */
export interface NamedDocument {
  /** The input slot, with `/n` for the n-th item of an array slot. */
  readonly input: string
  readonly document: ReadDocument
}

/** The input of the embedded engine. */
export interface ExtractionRequest {
  readonly documents: readonly NamedDocument[]
  /** Slots with plain JSON, by slot name: values that are used as they are. */
  readonly values: Readonly<Record<string, Json>>
  /** The validated schema of the answer; null requests text, tables and facts. */
  readonly schema: JsonSchema | null
  /** Barcodes found in images; absent when none were searched for. */
  readonly codes?: readonly ImageCode[]
  /** Null or absent: what the rules find is given, with their own confidence. */
  readonly risk?: Risk | null
}

/** The output of the embedded engine. */
export interface Extraction {
  readonly answer: Json
  /** One entry per leaf of the answer, including null and omitted ones. */
  readonly evidence: EvidenceMap
  /** Remarks on values that are given, such as a row that does not add up. */
  readonly warnings?: readonly Warning[]
  /** Pointers of values that are given although they are not sure enough for what is promised. */
  readonly unsure?: readonly string[]
  /** What is promised of the values of single fields; null or absent where nothing is. */
  readonly promise?: WrongRatePromise | null
  /** The rows that the documents show for lists that lack some of them. */
  readonly expected?: RowCounts
}
