import { fileURLToPath } from 'node:url'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { type Completeness, coverageOf } from './evidence/completeness.ts'
import { boundedEvidence, type EvidenceMap } from './evidence/evidence.ts'
import type { Warning } from './evidence/warnings.ts'
import { extract } from './extract/extract.ts'
import { type ReadRequest, readDocument } from './media/read-document.ts'

/** A file by its path, its bytes, or a text. */
export type Source = string | URL | Uint8Array | { readonly text: string }

/** What was read. */
export interface Answer {
  /** The fields of the schema; null where the document does not say. */
  readonly values: Json
  /** JSON Pointer (RFC 6901) of a value → the page, box and words that it was read from, and how sure that is. */
  readonly evidence: EvidenceMap
  /** What to know although a value is given, such as a row that does not add up. */
  readonly warnings: readonly Warning[]
  /** How many of the schema's fields were found; null where the schema is too large to count. */
  readonly completeness: Completeness | null
}

/**
 * Reads the fields of a JSON Schema from a document: PDF, picture, office file, CSV, HTML, JSON or text.
 *
 * It reads in this process: bytes from people you do not trust belong into a child process that you can kill, as the server
 * does it. Throws Fault: `unsupported_input`, `encrypted_document`, `unreadable_document`, `unknown_page`, `input_too_costly`.
 */
export async function read(source: Source, { schema }: { readonly schema: JsonSchema }): Promise<Answer> {
  const document = await readDocument(requestOf(source))
  const extraction = extract({ documents: [{ input: 'document', document }], values: {}, schema })
  const { evidence, warnings } = boundedEvidence(extraction.evidence)
  return {
    values: extraction.answer,
    evidence,
    warnings: [...(extraction.warnings ?? []), ...warnings],
    completeness: coverageOf({ schema, ...extraction })?.completeness ?? null,
  }
}

function requestOf(source: Source): ReadRequest {
  if (typeof source === 'string') return { path: source }
  if (source instanceof URL) return { path: fileURLToPath(source) }
  return source instanceof Uint8Array ? { bytes: source } : source
}
