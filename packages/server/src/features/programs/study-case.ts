import type { Job } from '@skillrun/core/job.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'

/** A case that a program is proved on. Answers are JSON texts: they may have hundreds of thousands of values. */
export interface StudiedCase {
  readonly source: string
  readonly schema: JsonSchema | null
  /** The correct answer. */
  readonly known: string
  /** The program's answer; null if it gave none. */
  readonly answered: { readonly json: string; readonly evidence: EvidenceMap } | null
}

/** Per-field results of a case for the gate and the guard. */
export interface CaseStudy {
  /** Fields whose correct value occurs in the source. */
  readonly smuggled: readonly string[]
  readonly answer: {
    /** See `groundingOf`. */
    readonly grounding: readonly (readonly [field: string, isSupported: boolean])[]
    /** See `givenIn`. */
    readonly given: readonly string[]
    readonly hasValue: boolean
    readonly hasDigits: boolean
  } | null
}

/** Examines every value of a case in a child process: a large answer would block the server. */
export const studyCaseJob: Job<StudiedCase, CaseStudy> = {
  name: 'study-case',
  givesJson: true,
  module: new URL('./study-case.job.ts', import.meta.url),
}
