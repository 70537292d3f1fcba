import { isJsonObject, type Json, type JsonObject, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { resolveSchema, typesOf } from '../schema/schema-shape.ts'
import type { WrongRatePromise } from '../score/decide.ts'
import { type EvidenceMap, likelyFrom } from './evidence.ts'
import type { Warning } from './warnings.ts'

/**
 * How much of what a schema asks for the answer contains. A field is a place of the schema that holds one value; a
 * column of a list is one field, found when any item has it.
 */
export interface Completeness {
  readonly asked: number
  readonly found: number
  readonly notFound: number
  /** Fields found with low confidence, or not sure enough for `maxWrongRate`, in any item of a list. */
  readonly lowConfidence: number
  /** The promised maximum share of wrong values among those that are sure enough; null when none was promised. */
  readonly maxWrongRate: number | null
  /** How it was applied: the score model, its thresholds, and the data that they were measured on. Older answers have none. */
  readonly calibration?: string | null
  /** Lists of the answer with their number of items and, where the input shows more, that number. */
  readonly listed: readonly { readonly path: string; readonly returned: number; readonly expected: number | null }[]
}

/** Numbers of rows by JSON Pointer of the list. */
export type RowCounts = Readonly<Record<string, number>>

/** How complete an answer is by its schema. */
export interface CompletenessReport {
  readonly completeness: Completeness
  /** Fields found with low confidence, whatever was promised. Older answers have none. */
  readonly doubtful?: number
  /** Pointers of the values that `lowConfidence` counts. Older answers have none. */
  readonly unsure?: readonly string[]
  /** JSON Pointers into the response where nothing was found, at most `missingMax`; a missing list stands for its columns. */
  readonly missing: readonly string[]
}

const missingMax = 20
const listedMax = 100
/** Deeper places are not visited: each counts as one field, whatever it holds. */
const depthMax = 32

/** The places of an answer that belong to one place of its schema: one, or one per item of the surrounding lists. */
interface Held {
  readonly pointer: string
  readonly value: Json | undefined
}

interface Walk {
  readonly root: JsonSchema
  readonly evidence: EvidenceMap
  readonly unsure: ReadonlySet<string>
  readonly expected: RowCounts
  steps: number
  asked: number
  found: number
  lowConfidence: number
  doubtful: number
  readonly low: string[]
  readonly missing: string[]
  readonly listed: Completeness['listed'][number][]
}

/** An answer, its schema and its evidence. */
export interface CompletenessRequest {
  readonly schema: JsonSchema
  readonly answer: Json
  readonly evidence: EvidenceMap
  /** Pointers of values that are not sure enough for what was promised. */
  readonly unsure?: readonly string[]
  /** What was promised of its values; absent or null: nothing. */
  readonly promise?: WrongRatePromise | null
  /** The rows that the documents show for lists that lack some. */
  readonly expected?: RowCounts
}

/**
 * Counts the fields of a schema that an answer contains. Returns undefined after `stepsMax` steps; with that limit,
 * also for a schema with references or alternatives, which may expand beyond its size.
 */
export function reportCompleteness(
  { schema, answer, evidence, unsure, promise, expected }: CompletenessRequest,
  stepsMax = Number.POSITIVE_INFINITY,
): CompletenessReport | undefined {
  const walk: Walk = {
    root: schema,
    evidence,
    unsure: new Set(unsure),
    expected: expected ?? {},
    steps: stepsMax,
    asked: 0,
    found: 0,
    lowConfidence: 0,
    doubtful: 0,
    low: [],
    missing: [],
    listed: [],
  }
  visit(walk, schema, { pointer: '', held: [{ pointer: '', value: answer }], within: [] })
  if (walk.steps < 0) return undefined
  const { asked, found, lowConfidence, doubtful, missing, listed } = walk
  const counts = { asked, found, notFound: asked - found, lowConfidence }
  return {
    completeness: {
      ...counts,
      maxWrongRate: promise?.maxWrongRate ?? null,
      calibration: promise?.calibration ?? null,
      listed: listed.slice(0, listedMax),
    },
    doubtful,
    unsure: walk.low,
    missing: missing.slice(0, missingMax),
  }
}

interface Place {
  readonly pointer: string
  readonly held: readonly Held[]
  /** The enclosing schemas: a recursive one is not followed. */
  readonly within: readonly JsonObject[]
}

function visit(walk: Walk, given: Json, { pointer, held, within }: Place): void {
  walk.steps -= 1 + held.length
  if (Number.isFinite(walk.steps) && isBranching(given)) walk.steps = -1
  if (walk.steps < 0) return
  const { schema, parts } = resolveSchema(walk.root, given)
  if (parts.some((part) => within.includes(part))) return
  if (within.length > depthMax) {
    count(walk, { pointer, held })
    return
  }
  const inside = { pointer, held, within: [...within, ...parts] }
  const types = typesOf(schema)
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  if (properties.length > 0 && (types.length === 0 || types.includes('object')))
    for (const [name, property] of properties)
      visit(walk, property, {
        ...inside,
        pointer: pointer + pointerStep(name),
        held: held.map((one) => heldIn(one, name)),
      })
  else if (types.includes('array') || (types.length === 0 && schema['items'] !== undefined))
    visitList(walk, schema['items'] ?? {}, inside)
  else count(walk, inside)
}

const isBranching = (schema: Json): boolean =>
  isJsonObject(schema) && ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)

function visitList(walk: Walk, item: Json, { pointer, held, within }: Place): void {
  const items: Held[] = []
  for (const { pointer: path, value } of held) {
    if (!Array.isArray(value)) continue
    walk.listed.push({ path, returned: value.length, expected: walk.expected[path] ?? null })
    value.forEach((one: Json, index) => {
      items.push({ pointer: path + pointerStep(index), value: one })
    })
  }
  // The document states that the list is empty.
  if (items.length === 0 && held.some(({ pointer: path }) => walk.evidence[path]?.status === 'verified')) {
    walk.asked += 1
    walk.found += 1
    return
  }
  const { length } = walk.missing
  visit(walk, item, { pointer, held: items, within })
  // The columns of a missing list count, but only the list itself is reported as missing.
  if (items.length === 0) walk.missing.splice(length, Number.POSITIVE_INFINITY, pointer)
}

function heldIn({ pointer, value }: Held, name: string): Held {
  const inner = isJsonObject(value ?? null) ? (value as JsonObject) : {}
  return { pointer: pointer + pointerStep(name), value: Object.hasOwn(inner, name) ? inner[name] : undefined }
}

function count(walk: Walk, { pointer, held }: Pick<Place, 'pointer' | 'held'>): void {
  walk.asked += 1
  const valued = held.filter(({ value }) => isValue(value))
  if (valued.length === 0) {
    walk.missing.push(pointer)
    return
  }
  walk.found += 1
  const isDoubtful = ({ pointer: path }: Held): boolean => (walk.evidence[path]?.confidence ?? 1) < likelyFrom
  if (valued.some(isDoubtful)) walk.doubtful += 1
  const low = valued.filter((one) => isDoubtful(one) || walk.unsure.has(one.pointer))
  if (low.length > 0) walk.lowConfidence += 1
  for (const { pointer: path } of low) walk.low.push(path)
}

/** True when something was found: `false` and `0` are values; empty texts, lists and objects are not. */
const isValue = (value: Json | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  (typeof value !== 'object' || Object.values(value).length > 0)

/** Whether a value was left out that is more likely right than wrong: the answer is then for a person to review, not empty. */
export const withholdsValues = (evidence: EvidenceMap): boolean =>
  Object.values(evidence).some(({ candidates }) => (candidates?.[0]?.confidence ?? 0) >= likelyFrom)

/** A warning for each missing field, with the reason where evidence has one; none for an answer with nothing, unless values were withheld. */
export function notFoundWarnings(
  { missing, completeness }: CompletenessReport,
  evidence: EvidenceMap,
  isWithheld = false,
): Warning[] {
  const named = missing.map((path) => ({
    code: 'not_found',
    path,
    message: evidence[path]?.reason ?? 'The answer has no value here.',
  }))
  return completeness.found === 0 && !isWithheld ? [] : named
}

const namedMax = 5

/** One sentence without a full stop on what is missing from an answer; undefined when nothing is. */
export function incompletenessMessage({ completeness, doubtful, missing }: CompletenessReport): string | undefined {
  const { asked, found } = completeness
  const lowConfidence = doubtful ?? completeness.lowConfidence
  if (found === asked && lowConfidence === 0) return undefined
  const shown = missing.slice(0, namedMax).map((path) => path || 'the answer')
  const more = missing.length > namedMax ? ' and more' : ''
  return [
    `Found ${found} of ${asked} fields`,
    ...(found < asked ? [`not found: ${shown.join(', ')}${more}`] : []),
    ...(lowConfidence > 0 ? [`${lowConfidence} with low confidence`] : []),
  ].join('; ')
}
