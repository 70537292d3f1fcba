import { type Evidence, type EvidenceMap, isJsonObject, type Json } from '../wire.ts'

/**
 * Whether a person should check a value: it is not in the input, its confidence is below `below`, or it was omitted although a likely
 * candidate was found. A field that the document lacks needs no check.
 */
export function isDoubtful(value: Json | undefined, found: Evidence, below: number): boolean {
  const { status, confidence, candidates: [likeliest] = [] } = found
  if (value !== null && value !== undefined) return status === 'unsupported' || confidence < below
  // An omitted value is as certain as it is that its likeliest candidate is wrong.
  return likeliest !== undefined && 1 - likeliest.confidence < below
}

/** The pointers of the values to check, in the order of the answer. */
export const doubtsOf = (answer: Json, evidence: EvidenceMap, below: number): readonly string[] =>
  Object.entries(evidence)
    .filter(([pointer, one]) => isDoubtful(valueAt(answer, pointer), one, below))
    .map(([pointer]) => pointer)

/** The value at a JSON Pointer (RFC 6901). */
export function valueAt(answer: Json, pointer: string): Json | undefined {
  let value: Json | undefined = answer
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = value[key]
    else return undefined
  }
  return value
}
