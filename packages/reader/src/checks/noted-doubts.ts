import { pointerStep } from '@skillrun/core/json.ts'
import type { EvidenceCandidate } from '../evidence/evidence.ts'
import type { Finding } from '../extract/assemble.ts'
import type { NamedDocument } from '../extract/extraction.ts'
import type { Field } from '../layout/sheet.ts'
import type { Fields } from '../schema/fields.ts'
import { endOfRange } from '../tables/cells/ranges.ts'

/** What is found, mutable, and why places stay empty. */
interface Found {
  readonly single: Map<string, Finding>
  readonly lists: ReadonlyMap<string, readonly Map<string, Finding>[]>
  readonly notes: Map<string, string>
  readonly candidates: Map<string, readonly EvidenceCandidate[]>
}

/** Why a value may be another one than it seems, as a sentence; undefined: nothing says so. */
export type DoubtOf = (finding: Finding, field: Field | undefined) => string | undefined

/** Nothing shows that such a value is right. */
const doubtedConfidence = 0.5

/**
 * Doubts the values that `doubtOf` has a sentence for. A single one that `mayLeave` leaves out becomes a candidate; any other stays, with a
 * note. Modifies `found`, and returns the pointers.
 */
export function doubtNoted(
  found: Found,
  { fields, doubtOf }: { readonly fields: Fields; readonly doubtOf: DoubtOf },
  mayLeave: (pointer: string) => boolean,
): readonly string[] {
  const unsure: string[] = []
  const doubted = (finding: Finding, path: string, field: Field | undefined): Finding | undefined => {
    const note = doubtOf(finding, field)
    if (note === undefined) return undefined
    unsure.push(path)
    const { evidence } = finding
    return {
      ...finding,
      evidence: { ...evidence, confidence: Math.min(evidence.confidence, doubtedConfidence), note },
    }
  }
  const byPointer = new Map(fields.single.map((field) => [field.pointer, field]))
  for (const [pointer, finding] of found.single) {
    const one = doubted(finding, pointer, byPointer.get(pointer))
    if (one === undefined) continue
    found.single.set(pointer, one)
    if (!mayLeave(pointer)) continue
    const { note = '', ...evidence } = one.evidence
    found.single.delete(pointer)
    found.notes.set(pointer, note)
    found.candidates.set(pointer, [{ ...evidence, value: one.value }])
  }
  for (const list of fields.lists) {
    const columns = new Map(list.columns.map((field) => [field.pointer, field]))
    for (const [at, row] of (found.lists.get(list.pointer) ?? []).entries())
      for (const [pointer, finding] of row) {
        const one = doubted(finding, list.pointer + pointerStep(at) + pointer, columns.get(pointer))
        if (one) row.set(pointer, one)
      }
  }
  return unsure
}

/** Doubts values with letters beyond ASCII from texts whose encoding was assumed. */
export function doubtOfEncoding(documents: readonly NamedDocument[]): DoubtOf {
  const assumed = new Set(
    documents.flatMap(({ input, document: { warnings = [] } }) =>
      warnings.some(({ code }) => code === 'encoding_assumed') ? [input] : [],
    ),
  )
  return ({ value, evidence: { input, quote = '' } }) =>
    input !== undefined && assumed.has(input) && /[^\0-\x7f]/.test(typeof value === 'string' ? value + quote : quote)
      ? 'The encoding of the text was assumed, so its letters may be others.'
      : undefined
}

/** A time of day, and UTC behind it. */
const inUtc =
  /\d{1,2}[:.h]\d{2}(?:[:.,]\d+)*(?:\s?[AP]M)?\s*\(?(?:Z|UTC|GMT|[+-]00(?::?00)?)(?!\s?[+−–-]\s?\d|[\p{L}\d])/u

/** Doubts moments that are not printed in UTC: a `date-time` or `time` of JSON Schema has a zone. */
export const doubtOfZone: DoubtOf = ({ value, evidence: { quote = '', element } }, field) =>
  /^(?:date-)?time$/.test(String(field?.plan.schema['format'])) &&
  element === undefined &&
  typeof value === 'string' &&
  /\d:\d.*Z$/.test(value) &&
  !inUtc.test(quote)
    ? 'The time is given as printed; Z was assumed, whatever its zone.'
    : undefined

const bound = /(?<![-=<>])[<>≤≥]=?\s?[^\d\s]{0,3}\s?\d/u

/** Doubts numbers that are printed as a bound, except for fields that ask for one: `<0.01` is not 0.01. */
export const doubtOfBound: DoubtOf = ({ value, evidence: { quote = '' } }, field) =>
  typeof value === 'number' && bound.test(quote) && endOfRange(field?.plan.meaning.path ?? '') === null
    ? `The document has ${JSON.stringify(quote)}: a bound, not the number itself.`
    : undefined
