import { systemClock } from '@skillrun/core/clock.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { type BoundedPattern, boundedPatterns } from '../values/bounded-pattern.ts'
import { type FieldMeaning, meaningOf } from './meaning.ts'
import { type ResolvedSchema, resolveSchema, typesOf } from './schema-shape.ts'

/** The time limit in milliseconds for all patterns of a schema together, per answer. */
const patternWallMs = 2_000

/** A place of the answer that holds one value. */
export interface LeafPlan {
  readonly type: 'leaf'
  readonly schema: JsonObject
  readonly meaning: FieldMeaning
  /** JSON types that the schema allows; empty means any. */
  readonly types: readonly string[]
  readonly nullable: boolean
  /** The enum values of the schema. */
  readonly choices: readonly Json[]
  readonly pattern: BoundedPattern | null
}

/** A place of the answer that holds an object. */
export interface ObjectPlan {
  readonly type: 'object'
  readonly nullable: boolean
  readonly properties: readonly PropertyPlan[]
}

export interface PropertyPlan {
  readonly name: string
  readonly required: boolean
  readonly plan: Plan
}

/** A place of the answer that holds a list. */
export interface ArrayPlan {
  readonly type: 'array'
  readonly nullable: boolean
  readonly item: Plan
  readonly meaning: FieldMeaning
  /** True when the schema allows an empty list. */
  readonly mayBeEmpty: boolean
}

/** The places that a schema asks for. */
export type Plan = LeafPlan | ObjectPlan | ArrayPlan

/** The maximum nesting of objects and arrays; deeper places stay empty. */
const depthMax = 12
/** The maximum number of places of a schema; later ones stay empty. Bounds schemas that multiply through references. */
const placesMax = 20_000

interface Walk {
  readonly root: JsonSchema
  readonly patternFor: (source: string) => BoundedPattern | undefined
  places: number
}

/** Property names from the root to this place, and the annotations of the property. */
interface Place {
  readonly path: readonly string[]
  readonly depth: number
  /** True inside the items of an array. */
  readonly inItem: boolean
  /** The enclosing schemas. */
  readonly within: ReadonlySet<JsonObject>
}

/** Longer patterns are only checked when the answer is validated. */
const patternCharactersMax = 500

function patternOf(walk: Walk, schema: JsonObject): BoundedPattern | null {
  const pattern = schema['pattern']
  if (typeof pattern !== 'string' || pattern.length > patternCharactersMax) return null
  return walk.patternFor(pattern) ?? null
}

function planObject(walk: Walk, resolved: ResolvedSchema, place: Place): ObjectPlan {
  const { schema, nullable } = resolved
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties: PropertyPlan[] = []
  if (isJsonObject(schema['properties']) && place.depth < depthMax) {
    for (const [name, child] of Object.entries(schema['properties'])) {
      if (walk.places >= placesMax) break
      const inner = { ...place, path: [...place.path, name], depth: place.depth + 1 }
      properties.push({ name, required: required.has(name), plan: planPlace(walk, child, inner) })
    }
  }
  return { type: 'object', nullable, properties }
}

function planPlace(walk: Walk, given: Json, outer: Place): Plan {
  walk.places++
  const resolved = resolveSchema(walk.root, given)
  const { schema, nullable, parts } = resolved
  // Rules cannot decide what belongs inside a recursive schema, such as a tree, so it stays empty.
  if (parts.some((part) => outer.within.has(part))) return { type: 'object', nullable, properties: [] }
  const place = { ...outer, within: new Set([...outer.within, ...parts]) }
  const types = typesOf(schema)
  const meaning = (): FieldMeaning => meaningOf({ path: place.path, schema, types, inItem: place.inItem })
  if (types.includes('object') || (types.length === 0 && isJsonObject(schema['properties']))) {
    return planObject(walk, resolved, place)
  }
  if ((types.includes('array') || (types.length === 0 && schema['items'] !== undefined)) && place.depth < depthMax) {
    const item = planPlace(walk, schema['items'] ?? {}, { ...place, depth: place.depth + 1, inItem: true })
    const mayBeEmpty = !(Number(schema['minItems'] ?? 0) > 0)
    return { type: 'array', nullable, item, meaning: meaning(), mayBeEmpty }
  }
  const listed = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const'] ?? null] : []
  return {
    type: 'leaf',
    schema,
    meaning: meaning(),
    types,
    nullable,
    choices: listed.filter((choice) => choice !== null),
    pattern: patternOf(walk, schema),
  }
}

/** The plan of a field for the amount of a known concept. */
export function planAmount(concept: string): LeafPlan {
  const schema = { type: 'number' }
  const meaning = meaningOf({ path: [concept], schema, types: ['number'], inItem: false })
  return { type: 'leaf', schema, meaning, types: ['number'], nullable: true, choices: [], pattern: null }
}

/**
 * Turns a JSON Schema into the places of an answer. Unknown keywords are ignored. Its patterns throw PatternTooCostly
 * when they exceed their shared time limit.
 */
export function planSchema(schema: JsonSchema): Plan {
  const patternFor = boundedPatterns(systemClock, patternWallMs)
  return planPlace({ root: schema, patternFor, places: 0 }, schema, {
    path: [],
    depth: 0,
    inItem: false,
    within: new Set(),
  })
}
