import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { fieldHolding, onlyFields, separateFields, withoutFields } from '../../../agent/programs/separate-fields.ts'

/** The part of an answer that a program gives; an agent answers the rest. */
export interface AnswerPart {
  readonly value: Json
  /** The schema of the part. */
  readonly schema: JsonSchema | null
  /** The fields that are left to an agent. */
  readonly left: readonly string[]
}

/** An answer without the named fields (pointers or patterns). Undefined: nothing remains, or such a field cannot be answered separately. */
export function partOfAnswer(
  answer: Json,
  schema: JsonSchema | null,
  named: readonly string[],
): AnswerPart | undefined {
  if (named.length === 0) return { value: answer, schema, left: [] }
  const all = separateFields(schema)
  if (schema === null || all === undefined) return undefined
  const holding = named.map((one) => fieldHolding(all, one))
  const left = all.filter((field) => holding.includes(field))
  if (holding.includes(undefined) || left.length === all.length) return undefined
  const kept = all.filter((field) => !left.includes(field))
  return { value: withoutFields(answer, { all, left }), schema: onlyFields(schema, kept), left }
}
