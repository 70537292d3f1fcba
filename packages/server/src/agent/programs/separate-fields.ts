import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { leafFieldsOf } from './leaf-fields.ts'

/** Keywords of an object that relate its fields, so that one part of an answer cannot be checked without the other. */
const relating = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', '$dynamicRef', 'enum', 'const', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
]

/**
 * The fields of a schema that can be answered separately: every leaf of its objects, a list as a whole. Undefined: the schema is not of an
 * object with properties, or relates its fields.
 */
export function separateFields(schema: JsonSchema | null): readonly string[] | undefined {
  const fields = schema === null ? undefined : leafFieldsOf(schema)
  if (schema === null || fields === undefined) return undefined
  const paths = new Set(fields.flatMap(({ path }) => path.map((_, depth) => path.slice(0, depth).join('\n'))))
  return [...paths].some((path) => isRelating(schema, path)) ? undefined : fields.map(({ pointer }) => pointer)
}

function isRelating(schema: JsonSchema, path: string): boolean {
  let at: JsonSchema = schema
  for (const step of path === '' ? [] : path.split('\n')) {
    const below = isJsonObject(at['properties']) ? at['properties'][step] : undefined
    if (!isJsonObject(below)) return true
    at = below
  }
  return relating.some((keyword) => Object.hasOwn(at, keyword))
}

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

/** An answer without some of its separate fields, and without objects that only consist of such. */
export function withoutFields(
  answer: Json,
  of: { all: readonly string[]; left: readonly string[] },
  pointer = '',
): Json {
  if (!isJsonObject(answer)) return answer
  const rest = Object.entries(answer).flatMap(([name, value]): [string, Json][] => {
    const at = pointer + pointerStep(name)
    const below = of.all.filter((field) => isWithin(at, field))
    const left = below.filter((field) => of.left.includes(field))
    if (left.length === 0) return [[name, value]]
    return left.length === below.length ? [] : [[name, withoutFields(value, of, at)]]
  })
  return Object.fromEntries(rest)
}

/** An answer with the left fields of another one, in the order of the schema. */
export function withFields(
  answer: Json,
  other: Json,
  { schema, left }: { schema: JsonSchema; left: readonly string[] },
  pointer = '',
): Json {
  if (!isJsonObject(answer)) return other
  const given = isJsonObject(other) ? other : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const names = [...new Set([...Object.keys(properties), ...Object.keys(answer)])]
  const entries = names.flatMap((name): [string, Json][] => {
    const at = pointer + pointerStep(name)
    const [mine, theirs] = [own(answer, name), own(given, name)]
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
