import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'

/**
 * A JSON Schema that fits all these values and similar ones: members of every object are required, and leaves may be null, because the next
 * input may lack them. Numbers are never narrowed to integers.
 */
export function schemaOfAnswers(values: readonly Json[]): JsonSchema {
  const objects = values.filter(isJsonObject)
  const lists = values.filter((value) => Array.isArray(value)) as (readonly Json[])[]
  const ends = values.filter((value) => typeof value !== 'object' && value !== null).map((value) => typeof value)
  const types = [
    ...(objects.length > 0 ? ['object'] : []),
    ...(lists.length > 0 ? ['array'] : []),
    ...new Set<string>(ends),
  ]
  const isNullable = ends.length > 0 || values.includes(null)
  // Nothing is known of a value that was always null.
  if (types.length === 0) return {}
  const all = isNullable ? [...types, 'null'] : types
  return {
    type: all.length === 1 ? (all[0] ?? '') : all,
    ...(objects.length > 0 ? membersOf(objects) : {}),
    ...(lists.flat().length > 0 ? { items: schemaOfAnswers(lists.flat()) } : {}),
  }
}

function membersOf(objects: readonly JsonObject[]): JsonObject {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))]
  const valuesOf = (name: string): Json[] =>
    objects.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] ?? null] : []))
  return {
    properties: Object.fromEntries(names.map((name) => [name, schemaOfAnswers(valuesOf(name))])),
    required: names.filter((name) => valuesOf(name).length === objects.length),
  }
}
