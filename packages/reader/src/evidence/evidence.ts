import type { Json } from '@skillrun/core/json.ts'
import type { Box } from '../media/document.ts'
import type { Warning } from './warnings.ts'

/**
 * How a value compares with the source. `verified`: the quoted text is the value. `normalised`: the value is the quoted
 * text in another form (a date, a number). `derived`: it follows from other evidence (a sum, a currency from a symbol).
 * `unsupported`: nothing in the source supports a value.
 */
export type EvidenceStatus = 'verified' | 'normalised' | 'derived' | 'unsupported'

/** Where one leaf of an answer comes from. */
export interface Evidence {
  readonly status: EvidenceStatus
  /** Name of the input slot that holds the document, with `/n` for the n-th item of an array slot. */
  readonly input?: string
  /** 0-based page. */
  readonly page?: number
  readonly bbox?: Box
  /** Characters `[start, end)` in a plain-text input. */
  readonly span?: readonly [start: number, end: number]
  /** Start and end in the video or audio; equal for a frame. */
  readonly seconds?: readonly [from: number, to: number]
  /** XPath of the element or attribute of an electronic invoice that holds the value. */
  readonly element?: string
  /** The text as printed in the source. */
  readonly quote?: string
  /** Confidence from 0 to 1; with a maximum share of wrong values, the calibrated probability that the value is right. */
  readonly confidence: number
  /** An optional sentence, such as what a derived value follows from. */
  readonly note?: string
  /** For a place without a value: the reason. */
  readonly reason?: string
  /** For a place without a value: candidates, the likeliest first. */
  readonly candidates?: readonly EvidenceCandidate[]
}

/** A value whose confidence was too low; `confidence` is the calibrated probability that it is right. */
export interface EvidenceCandidate extends Omit<Evidence, 'reason' | 'candidates'> {
  readonly value: Json
}

/** A value of less confidence is likelier wrong than right. */
export const likelyFrom = 0.5

/** JSON Pointer (RFC 6901) of a leaf of the answer → its evidence. */
export type EvidenceMap = Readonly<Record<string, Evidence>>

/** The maximum number of entries stored per answer. With more, reading the record would block other work. */
const evidenceEntriesMax = 50_000

/** The evidence of the first fields of an answer, and a warning when later fields were cut. */
export function boundedEvidence(evidence: EvidenceMap): { evidence: EvidenceMap; warnings: readonly Warning[] } {
  const pointers = Object.keys(evidence)
  const [first] = pointers.slice(evidenceEntriesMax)
  if (first === undefined) return { evidence, warnings: [] }
  const kept = Object.fromEntries(Object.entries(evidence).slice(0, evidenceEntriesMax))
  const message = `The answer has ${pointers.length} values; evidence is kept for the first ${evidenceEntriesMax}`
  return { evidence: kept, warnings: [{ code: 'evidence_truncated', path: first, message }] }
}
