import { isJsonObject, type Json, type JsonSchema, pointerStep, valueAt } from '@skillrun/core/json.ts'
import { resolvedSchema } from '@skillrun/core/resolved-schema.ts'
import { type EvidenceMap, likelyFrom } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import type { StoredCompleteness } from '../executions/executions.ts'
import { fieldAt } from './field-at.ts'

/** A value that needs a review, and why. */
export interface Doubt {
  /** JSON Pointer into the response; empty: the whole. */
  readonly path: string
  /** `low_confidence`, `missing` (required, not found), `no_evidence`, or the code of a warning. */
  readonly code: string
  /** 0 to 1. */
  readonly confidence: number
}

/** Warnings that do not question a value. */
const harmless: ReadonlySet<string> = new Set([
  'ignored_field',
  'not_found',
  'usage_implausible',
  'wrong_rate_not_promised',
  'evidence_truncated',
  'several_inputs',
])
/** Most values of an answer that are listed. */
const looksMax = 50_000

/** An answer and what is known of its values. */
export interface DoubtedAnswer {
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly warnings: readonly Warning[]
  readonly schema: JsonSchema | null
  /** Pointers of values that are not sure enough for what was promised. */
  readonly unsure?: readonly string[] | undefined
}

/**
 * What of an answer a person should check. `asked`: the confidence of the review rule. Undefined, without a rule, or 0: values that are
 * not sure enough for what was promised, and those left out although they are likelier right than wrong.
 */
export function doubtsOf(answer: DoubtedAnswer, asked: number | undefined): readonly Doubt[] {
  // No review is asked for, as without a rule; what is not sure remains so.
  const below = asked === 0 ? undefined : asked
  const { response, evidence, unsure = [] } = answer
  const ofRule = below === undefined ? [] : doubtsOfRule(answer)
  const missing = new Set(ofRule.flatMap(({ code, path }) => (code === 'missing' ? [path] : [])))
  const unpromised = new Set(unsure)
  const found: Doubt[] = [...ofRule]
  for (const [path, one] of Object.entries(evidence ?? {})) {
    if (missing.has(path)) continue
    const { confidence, status, candidates: [likeliest] = [] } = one
    const isSure = below === undefined ? confidence >= likelyFrom && !unpromised.has(path) : confidence >= below
    if (isSure && status !== 'unsupported' && !likeliest) continue
    if (!isAbsent(valueAt(response, path))) {
      if (!isSure || status === 'unsupported') found.push({ path, code: 'low_confidence', confidence })
    } else if (likeliest) {
      // An omitted value is as certain as it is that none of its candidates is right.
      const certainty = 1 - likeliest.confidence
      if (below === undefined ? certainty <= 1 - likelyFrom : certainty < below)
        found.push({ path, code: 'low_confidence', confidence: certainty })
    }
  }
  return found.toSorted((left, right) => left.confidence - right.confidence)
}

/** What a review rule asks to check besides unsure values. */
function doubtsOfRule({ response, evidence, warnings, schema }: DoubtedAnswer): readonly Doubt[] {
  const missing = new Set(schema ? missingIn(schema, response) : [])
  return [
    ...[...missing].map((path) => ({ path, code: 'missing', confidence: 0 })),
    ...warnings.filter(({ code }) => !harmless.has(code)).map(({ code, path }) => ({ path, code, confidence: 0 })),
    ...(evidence === null ? [{ path: '', code: 'no_evidence', confidence: 0 }] : []),
  ]
}

/** The fields of found values among doubts: their pointers with `*` for each index. */
const lowFields = (doubts: readonly Doubt[], response: Json): ReadonlySet<string> =>
  new Set(
    doubts.flatMap(({ path, code }) =>
      code === 'low_confidence' && !isAbsent(valueAt(response, path)) ? [fieldAt(path, response)] : [],
    ),
  )

/** The values of an answer that a person should check, and how many fields that are; see `doubtsOf`. */
export function looksOf(
  answer: DoubtedAnswer & { readonly completeness?: StoredCompleteness | null },
  below: number | undefined,
): { readonly needsLook: readonly string[]; readonly completeness: StoredCompleteness | null } {
  const { response, completeness = null } = answer
  const doubts = doubtsOf(answer, below)
  const needsLook = lookedAt(answer, doubts)
  if (completeness === null || !below) return { needsLook, completeness }
  const lowConfidence = Math.min(completeness.found, lowFields(doubts, response).size)
  return { needsLook, completeness: { ...completeness, lowConfidence, reviewBelow: below } }
}

/**
 * Where in the answer doubts are, in its order; then what has no evidence of its own: a required field that the answer lacks, a row whose
 * sums differ. Of an answer without evidence, all values.
 */
function lookedAt({ response, evidence }: DoubtedAnswer, doubts: readonly Doubt[]): readonly string[] {
  if (evidence === null) return doubts.length === 0 ? [] : valuesIn(response)
  // A warning may question an input or the answer as a whole, which is no place in the answer.
  const isPlace = ({ path, code }: Doubt) =>
    Object.hasOwn(evidence, path) || code === 'missing' || (path !== '' && valueAt(response, path) !== undefined)
  const doubted = new Set(doubts.filter(isPlace).map(({ path }) => path))
  return [...new Set([...Object.keys(evidence).filter((path) => doubted.has(path)), ...doubted])].slice(0, looksMax)
}

/** Pointers of the values in an answer. */
function valuesIn(value: Json, pointer = '', found: string[] = []): readonly string[] {
  if (found.length >= looksMax) return found
  if (Array.isArray(value)) for (const [at, one] of value.entries()) valuesIn(one, pointer + pointerStep(at), found)
  else if (isJsonObject(value))
    for (const [name, one] of Object.entries(value)) valuesIn(one, pointer + pointerStep(name), found)
  else if (value !== null) found.push(pointer)
  return found
}

/** An empty list is no value either: nothing was found for it. */
const isAbsent = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Required properties without a value. */
function missingIn(root: JsonSchema, response: Json): string[] {
  const look = (given: Json | undefined, value: Json, pointer: string): string[] => {
    const schema = resolvedSchema(root, given)
    if (Array.isArray(value)) {
      const { items } = schema ?? {}
      return isJsonObject(items) ? value.flatMap((item: Json, n) => look(items, item, pointer + pointerStep(n))) : []
    }
    if (!isJsonObject(value) || !schema) return []
    const { required, properties } = schema
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
    const absent = names.filter((name) => isAbsent(valueAt(value, pointerStep(name))))
    const inside = isJsonObject(properties) ? Object.entries(properties) : []
    return [
      ...absent.map((name) => pointer + pointerStep(name)),
      ...inside.flatMap(([name, one]) =>
        Object.hasOwn(value, name) ? look(one, value[name] ?? null, pointer + pointerStep(name)) : [],
      ),
    ]
  }
  return look(root, response, '')
}
