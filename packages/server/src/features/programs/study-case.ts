import type { Job } from '@skillrun/core/job.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'

/** A case that a program is proved on. Answers are JSON texts: they may have hundreds of thousands of values. */
export interface StudiedCase {
  readonly source: string
  readonly schema: JsonSchema | null
  /** The known answer. */
  readonly known: string
  /** The program's answer; null if it gave none. */
  readonly answered: { readonly json: string; readonly evidence: EvidenceMap } | null
}

/** What the gate and the guard need of a case, by field. */
export interface CaseStudy {
  /** Fields whose known value stands in the source. */
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

/** Looks at every value of a case in a child: a large answer would stall the server. */
export const studyCaseJob: Job<StudiedCase, CaseStudy> = {
  name: 'study-case',
  givesJson: true,
  module: new URL('./study-case.job.ts', import.meta.url),
}
