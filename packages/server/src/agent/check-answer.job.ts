import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { OutOfTime, withinTime } from '@skillrun/core/within-time.ts'
import { limits } from '../core/limits.ts'
import { type CompiledSchema, compileSchema } from './schema/compile-schema.ts'
import { surelyHolds } from './schema/plain-schema.ts'
import { type SchemaProblem, schemaTooCostly } from './schema/schema.ts'

const problemsMax = 10
/** Schemas that this child keeps compiled: the same ones come again and again. */
const keptMax = 20
const keptCharactersMax = 100_000
const kept = new Map<string, CompiledSchema>()

/** A schema compiled by a compiler of its own, or as it was compiled before. */
function compiled(schema: JsonSchema): CompiledSchema {
  const text = JSON.stringify(schema)
  const known = kept.get(text)
  if (known) return known
  const made = compileSchema(schema)
  if (text.length > keptCharactersMax) return made
  const oldest = kept.size >= keptMax ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(text, made)
  return made
}

/**
 * Answers how an answer, or the JSON text of one, violates a schema; an empty list means that it holds. Throws Fault
 * `schema_too_costly`.
 */
export default function checkAnswer(
  request: { readonly schema: JsonSchema } & ({ readonly answer: Json } | { readonly json: string }),
): readonly SchemaProblem[] {
  const { schema } = request
  const answer = 'json' in request ? (JSON.parse(request.json) as Json) : request.answer
  // Nothing of it can take long, and the watch over what could costs more than the answer.
  if (surelyHolds(schema, answer)) return []
  const { problemsOf, matching } = compiled(schema)
  try {
    return withinTime(limits.schemaPatternWallMs, () => problemsOf(answer)).slice(0, problemsMax)
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof RangeError) throw schemaTooCostly(schema, matching())
    throw error
  }
}
