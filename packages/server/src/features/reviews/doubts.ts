import { isJsonObject, type Json, type JsonSchema, pointerStep, pointerSteps } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'

/** A value that needs a review, and why. */
export interface Doubt {
  /** JSON Pointer into the response; empty: the whole. */
  readonly path: string
  /** `low_confidence`, `missing` (required, not found), `no_evidence`, or the code of a warning. */
  readonly code: string
  /** 0 to 1. */
  readonly confidence: number
}

export interface Doubts {
  /** The lowest confidence of all values; null if none is known. */
  readonly lowest: number | null
  /** The values below the threshold, least confident first; at most `doubtsKept`. */
  readonly doubts: readonly Doubt[]
}

/** With more, all of it needs a review anyway. */
const doubtsKept = 50
/** Warnings that do not question a value. */
const harmless: ReadonlySet<string> = new Set([
  'ignored_field',
  'not_found',
  'usage_implausible',
  'wrong_rate_not_promised',
  'evidence_truncated',
])
/** References followed at one place of a schema. */
const referencesMax = 20

/** The values of an answer with a confidence below `below`. */
export function doubtsOf(
  answer: {
    readonly response: Json
    readonly evidence: EvidenceMap | null
    readonly warnings: readonly Warning[]
    readonly schema: JsonSchema | null
  },
  below: number,
): Doubts {
  const { response, evidence, warnings, schema } = answer
  const missing = new Set(schema ? missingIn(schema, response) : [])
  const all: Doubt[] = [
    ...[...missing].map((path) => ({ path, code: 'missing', confidence: 0 })),
    ...warnings.filter(({ code }) => !harmless.has(code)).map(({ code, path }) => ({ path, code, confidence: 0 })),
    ...(evidence === null ? [{ path: '', code: 'no_evidence', confidence: 0 }] : []),
  ]
  for (const [path, one] of Object.entries(evidence ?? {})) {
    if (missing.has(path)) continue
    const isEmpty = (valueAt(response, path) ?? null) === null
    const likeliest = one.candidates?.[0]
    if (isEmpty && !likeliest) continue
    // An omitted value is as certain as it is that none of its candidates is right.
    const confidence = isEmpty && likeliest ? 1 - likeliest.confidence : one.confidence
    all.push({ path, code: 'low_confidence', confidence })
  }
  const lowest = all.reduce<number | null>((least, { confidence }) => Math.min(least ?? 1, confidence), null)
  const doubts = all.filter(({ confidence }) => confidence < below)
  return { lowest, doubts: doubts.toSorted((left, right) => left.confidence - right.confidence).slice(0, doubtsKept) }
}

/** The value at a JSON Pointer; undefined if it does not exist. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value))
      value = /^(0|[1-9]\d*)$/.test(step) ? (value[Number(step)] as Json | undefined) : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/** Required properties without a value. */
export function missingIn(root: JsonSchema, response: Json): string[] {
  const look = (given: Json | undefined, value: Json, pointer: string): string[] => {
    const schema = resolved(root, given)
    if (Array.isArray(value)) {
      const { items } = schema ?? {}
      return isJsonObject(items) ? value.flatMap((item: Json, n) => look(items, item, pointer + pointerStep(n))) : []
    }
    if (!isJsonObject(value) || !schema) return []
    const { required, properties } = schema
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
    const absent = names.filter((name) => (valueAt(value, pointerStep(name)) ?? null) === null)
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

/** The schema at a place, with references resolved; of a nullable alternative the other branch. */
function resolved(root: JsonSchema, given: Json | undefined): JsonSchema | undefined {
  let schema = given
  for (let n = 0; n < referencesMax; n += 1) {
    if (!isJsonObject(schema)) return undefined
    const { $ref, anyOf, oneOf } = schema
    const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
    const others = branches?.filter((one) => !(isJsonObject(one) && one['type'] === 'null'))
    if (typeof $ref === 'string' && $ref.startsWith('#')) schema = valueAt(root, $ref.slice(1))
    else if (others?.length === 1) schema = others[0]
    else return schema
  }
  return undefined
}
