import { type Evidence, type EvidenceMap, isJsonObject, type Json } from '../wire.ts'

/** Below this confidence a person should look at a value. */
const confidenceMin = 0.8

/**
 * Whether a person should look at a value: it is not in the input, is not sure enough, or was left out although something was found.
 * A field that the document does not have is no reason to look.
 */
export const isDoubtful = (value: Json | undefined, { status, confidence, candidates = [] }: Evidence): boolean =>
  value === null || value === undefined ? candidates.length > 0 : status === 'unsupported' || confidence < confidenceMin

/** The pointers of the values that a person should look at, in the order of the answer. */
export const doubtsOf = (answer: Json, evidence: EvidenceMap): readonly string[] =>
  Object.entries(evidence)
    .filter(([pointer, one]) => isDoubtful(valueAt(answer, pointer), one))
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
