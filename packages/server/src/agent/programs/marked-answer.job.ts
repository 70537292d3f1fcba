import type { Json } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { groundedAnswer, withoutClaims } from '@skillrun/reader/evidence/grounding.ts'
import type { MarkRequest } from './marked-answer.ts'

/** See `markedAnswer`. */
export default function markAnswer({ json, evidenceJson, schema }: MarkRequest): Json {
  return groundedAnswer(withoutClaims(JSON.parse(json) as Json, schema), JSON.parse(evidenceJson) as EvidenceMap)
}
