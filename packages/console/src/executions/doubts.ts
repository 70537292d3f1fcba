import { type Evidence, type EvidenceMap, isJsonObject, type Json } from '../wire.ts'

/**
 * Whether a person should look at a value: it is not in the input, is less sure than `below`, or was left out although something likely
 * was found. A field that the document does not have is no reason to look.
 */
export function isDoubtful(value: Json | undefined, found: Evidence, below: number): boolean {
  const { status, confidence, candidates: [likeliest] = [] } = found
  if (value !== null && value !== undefined) return status === 'unsupported' || confidence < below
  // A value that was left out is right as far as its likeliest candidate is not.
  return likeliest !== undefined && 1 - likeliest.confidence < below
}

/** The pointers of the values that a person should look at, in the order of the answer. */
export const doubtsOf = (answer: Json, evidence: EvidenceMap, below: number): readonly string[] =>
  Object.entries(evidence)
    .filter(([pointer, one]) => isDoubtful(valueAt(answer, pointer), one, below))
    .map(([pointer]) => pointer)

/** The value that a JSON Pointer (RFC 6901) leads to. */
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
