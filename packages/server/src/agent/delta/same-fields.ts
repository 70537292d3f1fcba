import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { onlyFields, separateFields } from '../programs/separate-fields.ts'

/** The fields that two schemas define alike, in the same surroundings, as JSON Pointers. */
export function sameFields(schema: JsonSchema, earlier: JsonSchema): readonly string[] {
  const before = separateFields(earlier) ?? []
  return (separateFields(schema) ?? []).filter(
    (field) =>
      before.includes(field) && canonical(onlyFields(schema, [field])) === canonical(onlyFields(earlier, [field])),
  )
}

/** JSON in which the order of members does not matter. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_name, one: Json) =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
