import type { Job } from '@skillrun/core/job.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'

/** A text whose passages are to be found in documents. */
export interface CiteRequest {
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly text: string
}

/**
 * The key in evidence of a passage of an answer that is a text: a fragment of it, as in RFC 5147. Positions count UTF-16 code units.
 */
export const passageKey = (start: number, end: number): string => `#char=${start},${end}`

/** The passage of a key in evidence; undefined for the key of anything else. */
export function passageOf(key: string): { readonly start: number; readonly end: number } | undefined {
  const [, start, end] = /^#char=(\d+),(\d+)$/.exec(key) ?? []
  return start === undefined || end === undefined ? undefined : { start: Number(start), end: Number(end) }
}

/** Finds the passages of a text that are literally in documents, in the process pool. The keys of the evidence are `passageKey`s. */
export const citeTextJob: Job<CiteRequest, EvidenceMap> = {
  name: 'cite-text',
  module: new URL('./cite-text.job.ts', import.meta.url),
}
