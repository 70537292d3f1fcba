import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import {
  compareWithDrawing,
  differenceWarnings,
  type Quotation,
  uncheckedWarnings,
  withoutDiffering,
} from './evidence/compare-drawn.ts'
import { type Completeness, reportCompleteness } from './evidence/completeness.ts'
import { boundedEvidence, type EvidenceMap } from './evidence/evidence.ts'
import type { Warning } from './evidence/warnings.ts'
import { extract } from './extract/extract.ts'
import type { Extraction } from './extract/extraction.ts'
import { declaredByName } from './media/declared-text.ts'
import type { ReadDocument } from './media/document.ts'
import { type ReadRequest, readDocument } from './media/read-document.ts'
import { noPromise, riskOf } from './score/risk.ts'

/** The path or URL of a file, its bytes, or a text. */
export type Source = string | URL | Uint8Array | { readonly text: string }

/** The result of reading a document. */
export interface Answer {
  /** The fields of the schema; null where the document does not state them, or where no value is sure enough for `maxWrongRate`. */
  readonly response: Json
  /** JSON Pointer (RFC 6901) of a value → the page, box and words that it was read from, and its confidence. */
  readonly evidence: EvidenceMap
  /** Remarks on given values, such as a row that does not add up. */
  readonly warnings: readonly Warning[]
  /** How many of the schema's fields were found; null where the schema is too large to count. */
  readonly completeness: Completeness | null
}

/** What to read. */
export interface ReadOptions {
  readonly schema: JsonSchema
  /** The name of the file, whose extension distinguishes tables (.csv), emails (.eml) and running text (.txt); by default that of a path or URL. */
  readonly fileName?: string
  /**
   * The share of wrong values that you accept, 0.005 to 0.2: less likely values become candidates. By default they are given, and marked
   * where they are not sure enough for 0.02. Null: values as the rules find them, without probabilities.
   */
  readonly maxWrongRate?: number | null
}

/**
 * Reads the fields of a JSON Schema from a document: PDF, image, office file, email, CSV, HTML, JSON or text.
 *
 * Runs in this process. Read files from untrusted sources in a child process that you can kill, as the server does.
 * Throws Fault: `unsupported_input`, `encrypted_document`, `unreadable_document`, `unknown_page`, `input_too_costly`.
 */
export async function read(source: Source, { schema, fileName, maxWrongRate }: ReadOptions): Promise<Answer> {
  const name = fileName ?? (typeof source === 'string' ? source : source instanceof URL ? source.pathname : undefined)
  const declared = name === undefined ? undefined : declaredByName(name)
  const document = await readDocument({ ...requestOf(source), ...(declared && { declared }) })
  const answerFrom = (from: ReadDocument): Extraction =>
    extract({ documents: [{ input, document: from }], values: {}, schema, risk: riskOf(maxWrongRate) })
  const doubted = new Set(document.pages.flatMap(({ isDoubted, index }) => (isDoubted ? [index] : [])))
  const {
    answered: extraction,
    differences,
    unchecked,
  } = await compareWithDrawing({
    isDoubted: (_, page) => doubted.has(page),
    answerWithout: async (differing) => answerFrom(withoutDiffering(input, document, differing)),
    findDifferences: (quotations) => findDifferences(source, quotations),
  })
  const isUnheld = Boolean(maxWrongRate) && !extraction.promise
  const { evidence, warnings } = boundedEvidence(extraction.evidence)
  return {
    response: extraction.answer,
    evidence,
    warnings: [
      ...(document.warnings ?? []).map((warning) => ({ ...warning, path: '' })),
      ...differenceWarnings(differences).map((warning) => ({ ...warning, path: '' })),
      ...uncheckedWarnings(unchecked),
      ...(extraction.warnings ?? []),
      ...(isUnheld ? [noPromise] : []),
      ...warnings,
    ],
    completeness: reportCompleteness({ schema, ...extraction })?.completeness ?? null,
  }
}

/** The one input of `read`. */
const input = 'document'

async function findDifferences(source: Source, quotations: readonly Quotation[]) {
  const { drawnOtherwise } = await import('./media/pdf/drawn-text.ts')
  const drawn = await drawnOtherwise(await bytesOf(source), quotations)
  return quotations.flatMap((one, at) => (drawn[at] == null ? [] : [{ ...one, drawn: drawn[at] }]))
}

async function bytesOf(source: Source): Promise<Uint8Array> {
  const request = requestOf(source)
  if ('bytes' in request) return request.bytes
  return 'path' in request ? readFile(request.path) : Buffer.from(request.text)
}

function requestOf(source: Source): ReadRequest {
  if (typeof source === 'string') return { path: source }
  if (source instanceof URL) return { path: fileURLToPath(source) }
  return source instanceof Uint8Array ? { bytes: source } : source
}
