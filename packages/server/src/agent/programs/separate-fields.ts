import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { type LeafField, leafFieldsOf } from './leaf-fields.ts'

/** Keywords of an object that relate its fields, so that one part of an answer cannot be checked without the other. */
const relating = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', '$dynamicRef', 'enum', 'const', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties', 'patternProperties'],
]

/**
 * The fields of a schema that can be answered separately: every leaf of its objects; as a whole a list, and an object that may be null or
 * something else. Undefined: the schema is not of an object with properties, relates its fields, or allows fields that it does not list.
 */
export function separateFields(schema: JsonSchema | null): readonly string[] | undefined {
  const fields = schema === null ? undefined : leafFieldsOf(schema)
  if (schema === null || fields === undefined) return undefined
  const separate = fields.map((field) => separatePart(schema, field))
  return separate.includes(undefined) ? undefined : [...new Set(separate.flatMap((pointer) => pointer ?? []))]
}

/** The pointer of a leaf, or of the object around it that is one field; undefined: an object around it relates its fields. */
function separatePart(schema: JsonSchema, { path }: LeafField): string | undefined {
  let at = schema
  let pointer = ''
  for (const step of path) {
    if (isRelating(at)) return undefined
    pointer += pointerStep(step)
    const below = isJsonObject(at['properties']) ? at['properties'][step] : undefined
    if (!isJsonObject(below) || below['type'] !== 'object') return pointer
    at = below
  }
  return pointer
}

const isRelating = (schema: JsonSchema): boolean =>
  relating.some((keyword) => Object.hasOwn(schema, keyword)) || (schema['additionalProperties'] ?? false) !== false

const isWithin = (field: string, pointer: string): boolean => pointer === field || pointer.startsWith(`${field}/`)

/** The field of a list that holds the value, or all values of a pattern (`*` for every index), at a pointer; undefined if none does. */
export const fieldHolding = (fields: readonly string[], pointer: string): string | undefined =>
  fields.find((field) => isWithin(field, pointer))

/** The schema of an answer that consists only of these of its separate fields. */
export function onlyFields(schema: JsonSchema, fields: readonly string[], pointer = ''): JsonSchema {
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {}).flatMap(
    ([name, below]): [string, Json][] => {
      const at = pointer + pointerStep(name)
      if (fields.includes(at)) return [[name, below]]
      if (!isJsonObject(below) || !fields.some((field) => isWithin(at, field))) return []
      return [[name, onlyFields(below, fields, at)]]
    },
  )
  const names = new Set(properties.map(([name]) => name))
  const { required } = schema
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(Array.isArray(required) && { required: required.filter((name) => names.has(String(name))) }),
  }
}

/** An answer without some of its separate fields, without objects that only consist of such, and without fields that its schema does not list. */
export function withoutFields(
  answer: Json,
  of: { all: readonly string[]; left: readonly string[] },
  pointer = '',
): Json {
  if (!isJsonObject(answer)) return answer
  const rest = Object.entries(answer).flatMap(([name, value]): [string, Json][] => {
    const at = pointer + pointerStep(name)
    if (of.all.includes(at)) return of.left.includes(at) ? [] : [[name, value]]
    const kept = of.all.some((field) => isWithin(at, field) && !of.left.includes(field))
    return kept ? [[name, withoutFields(value, of, at)]] : []
  })
  return Object.fromEntries(rest)
}

/** An answer without what stands at these pointers. */
export function withoutParts(answer: Json, pointers: readonly string[], pointer = ''): Json {
  if (!isJsonObject(answer) || pointers.length === 0) return answer
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]): [string, Json][] => {
      const at = pointer + pointerStep(name)
      if (pointers.includes(at)) return []
      const below = pointers.filter((one) => isWithin(one, at))
      return [[name, withoutParts(value, below, at)]]
    }),
  )
}

/** An answer with the left fields of another one and those that the schema does not list, in the order of the schema. */
export function withFields(
  answer: Json,
  other: Json,
  { schema, left }: { schema: JsonSchema; left: readonly string[] },
  pointer = '',
): Json {
  if (!isJsonObject(answer)) return other
  const given = isJsonObject(other) ? other : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const names = new Set([...Object.keys(properties), ...Object.keys(answer), ...Object.keys(given)])
  const entries = [...names].flatMap((name): [string, Json][] => {
    const at = pointer + pointerStep(name)
    const [mine, theirs] = [own(answer, name), own(given, name)]
    if (!Object.hasOwn(properties, name)) return theirs === undefined ? [] : [[name, theirs]]
    const isPart = left.some((field) => isWithin(at, field))
    if (left.includes(at) || (isPart && mine === undefined)) return theirs === undefined ? [] : [[name, theirs]]
    if (mine === undefined) return []
    const below = properties[name]
    if (!isPart || theirs === undefined || !isJsonObject(below)) return [[name, mine]]
    return [[name, withFields(mine, theirs, { schema: below, left }, at)]]
  })
  return Object.fromEntries(entries)
}

const own = (object: { readonly [name: string]: Json }, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
