import type { Json } from '@skillrun/core/json.ts'
import { leavesOf } from './evidence.ts'
import { smuggledFields } from './gate.ts'
import { givenIn, groundingOf } from './guard.ts'
import type { CaseStudy, StudiedCase } from './study-case.ts'

/** See `studyCaseJob`. */
export default function studyCase({ source, schema, known, answered }: StudiedCase): CaseStudy {
  const smuggled = smuggledFields(source, [JSON.parse(known) as Json], schema)
  if (answered === null) return { smuggled, answer: null }
  const answer = JSON.parse(answered.json) as Json
  return {
    smuggled,
    answer: {
      grounding: [...groundingOf(answer, answered.evidence)],
      given: [...givenIn(answer)],
      hasValue: leavesOf(answer).some(({ value }) => value !== null),
      hasDigits: /\d/.test(answered.json),
    },
  }
}
