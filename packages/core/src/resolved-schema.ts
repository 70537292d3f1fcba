import { isJsonObject, type Json, type JsonSchema, valueAt } from './json.ts'

/** References followed at one place of a schema. */
const referencesMax = 20

/** The schema at a place of `root`, with references resolved; of a nullable alternative the other branch. */
export function resolvedSchema(root: JsonSchema, given: Json | undefined): JsonSchema | undefined {
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
