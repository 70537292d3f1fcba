import { systemClock } from '../../kit/clock.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../kit/json.ts'
import { limits } from '../../kit/limits.ts'
import { type BoundedPattern, boundedPatterns } from '../bounded-pattern.ts'
import { type FieldMeaning, meaningOf } from './meaning.ts'

/** A place of the answer that holds one value. */
export interface LeafPlan {
  readonly type: 'leaf'
  readonly schema: JsonObject
  readonly meaning: FieldMeaning
  /** Types of JSON that the schema allows here; empty means any. */
  readonly types: readonly string[]
  readonly nullable: boolean
  /** Values that the schema allows, when it lists them. */
  readonly choices: readonly Json[]
  readonly pattern: BoundedPattern | null
}

/** A place of the answer that holds an object. */
export interface ObjectPlan {
  readonly type: 'object'
  readonly nullable: boolean
  readonly properties: readonly PropertyPlan[]
}

/** One property of an object. */
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
}

/** What a schema asks for. */
export type Plan = LeafPlan | ObjectPlan | ArrayPlan

/** Objects and arrays inside each other; deeper places stay empty. */
const depthMax = 12
/** Places of one schema; later ones stay empty. Stops schemas that multiply through references. */
const placesMax = 20_000

interface Walk {
  readonly root: JsonSchema
  readonly patternFor: (source: string) => BoundedPattern | undefined
  places: number
}

/** Property names from the root to here, and what the property says of itself. */
interface Place {
  readonly path: readonly string[]
  readonly depth: number
  /** True inside the items of an array. */
  readonly inItem: boolean
  /** The schemas that this place lies within. */
  readonly within: ReadonlySet<JsonObject>
}

function resolvePointer(root: JsonSchema, pointer: string): JsonObject | null {
  if (!pointer.startsWith('#')) return null
  let at: Json | undefined = root
  for (const step of pointer.slice(1).split('/').slice(1)) {
    if (Array.isArray(at)) {
      at = at[Number(step)]
      continue
    }
    if (!isJsonObject(at)) return null
    const name = decodeStep(step)
    at = Object.hasOwn(at, name) ? at[name] : undefined
  }
  return isJsonObject(at) ? at : null
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

interface Resolved {
  readonly schema: JsonObject
  readonly nullable: boolean
  /** What the schema is made of as it stands in the document: itself, and what it refers to. */
  readonly parts: readonly JsonObject[]
}

const isNullSchema = (schema: Json): boolean =>
  isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null)

/** Two parts of an `allOf`: what is said of properties, and which are required, is said by both. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const both = (key: 'properties' | 'required' | 'allOf'): JsonObject => {
    const [left, right] = [one[key], other[key]]
    if (isJsonObject(left) && isJsonObject(right)) return { [key]: { ...left, ...right } }
    if (Array.isArray(left) && Array.isArray(right)) return { [key]: [...new Set([...left, ...right])] }
    return {}
  }
  return { ...one, ...other, ...both('properties'), ...both('required'), ...both('allOf') }
}

/** Puts what `$ref` leads to in its place, and notes it; a reference that leads to another is left to the next round. */
function followed(walk: Walk, schema: JsonObject, parts: JsonObject[]): JsonObject {
  const { $ref: ref, ...own } = schema
  if (typeof ref !== 'string') return schema
  const target = resolvePointer(walk.root, ref)
  if (target) parts.push(target)
  return { ...target, ...own }
}

/** Follows `$ref`, merges `allOf`, takes the first real branch of `anyOf` and `oneOf`. */
function resolve(walk: Walk, given: Json): Resolved {
  let schema: JsonObject = isJsonObject(given) ? given : {}
  const parts = [schema]
  let nullable = false
  for (let step = 0; step < 16; step++) {
    if (typeof schema['$ref'] === 'string') {
      schema = followed(walk, schema, parts)
      continue
    }
    const branches = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(branches)) {
      const real = branches.filter((branch) => !isNullSchema(branch))
      nullable ||= real.length < branches.length
      const { anyOf: _a, oneOf: _o, ...own } = schema
      schema = { ...mergeBranches(real), ...own }
      continue
    }
    const all = schema['allOf']
    if (Array.isArray(all)) {
      const { allOf: _, ...own } = schema
      schema = all
        .filter(isJsonObject)
        .map((part) => followed(walk, part, parts))
        .reduce(together, own)
      continue
    }
    break
  }
  const type = schema['type']
  nullable ||= schema['nullable'] === true || (Array.isArray(type) && type.includes('null')) || type === 'null'
  const choices = schema['enum']
  nullable ||= Array.isArray(choices) && choices.includes(null)
  return { schema, nullable, parts }
}

/** Several plain branches are one place that takes any of their types; else the first branch counts. */
function mergeBranches(branches: readonly Json[]): JsonObject {
  const objects = branches.filter(isJsonObject)
  const first = objects[0] ?? {}
  const scalar = objects.every(
    (branch) => typeof branch['type'] === 'string' && branch['type'] !== 'object' && branch['type'] !== 'array',
  )
  if (objects.length < 2 || !scalar) return first
  return { ...first, type: objects.map((branch) => branch['type'] ?? 'string') }
}

const typesOf = (schema: JsonObject): string[] => {
  const type = schema['type']
  const list = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== 'null')
}

/** Patterns longer than this are left to the caller's check of the answer. */
const patternCharactersMax = 500

function patternOf(walk: Walk, schema: JsonObject): BoundedPattern | null {
  const pattern = schema['pattern']
  if (typeof pattern !== 'string' || pattern.length > patternCharactersMax) return null
  return walk.patternFor(pattern) ?? null
}

function planObject(walk: Walk, resolved: Resolved, place: Place): ObjectPlan {
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
  const resolved = resolve(walk, given)
  const { schema, nullable, parts } = resolved
  // Of a schema that is within itself, as in a tree, rules cannot tell what would stand further in: it stays empty.
  if (parts.some((part) => outer.within.has(part))) return { type: 'object', nullable, properties: [] }
  const place = { ...outer, within: new Set([...outer.within, ...parts]) }
  const types = typesOf(schema)
  const meaning = (): FieldMeaning => meaningOf({ path: place.path, schema, types, inItem: place.inItem })
  if (types.includes('object') || (types.length === 0 && isJsonObject(schema['properties']))) {
    return planObject(walk, resolved, place)
  }
  if ((types.includes('array') || (types.length === 0 && schema['items'] !== undefined)) && place.depth < depthMax) {
    const item = planPlace(walk, schema['items'] ?? {}, { ...place, depth: place.depth + 1, inItem: true })
    return { type: 'array', nullable, item, meaning: meaning() }
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

/** The plan of a field that holds the amount of a known concept. */
export function planAmount(concept: string): LeafPlan {
  const schema = { type: 'number' }
  const meaning = meaningOf({ path: [concept], schema, types: ['number'], inItem: false })
  return { type: 'leaf', schema, meaning, types: ['number'], nullable: true, choices: [], pattern: null }
}

/**
 * Turns a JSON Schema into the places that an answer has. Unknown words of the schema are passed over. Its patterns throw
 * PatternTooCostly when all of them together took too long.
 */
export function planSchema(schema: JsonSchema): Plan {
  const patternFor = boundedPatterns(systemClock, limits.schemaPatternWallMs)
  return planPlace({ root: schema, patternFor, places: 0 }, schema, {
    path: [],
    depth: 0,
    inItem: false,
    within: new Set(),
  })
}
