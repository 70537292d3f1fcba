import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { OutOfTime, withinTime } from '@skillrun/core/within-time.ts'
import { limits } from '../core/limits.ts'
import { type CompiledSchema, compileSchema } from './schema/compile-schema.ts'
import { surelyHolds } from './schema/plain-schema.ts'
import { type SchemaProblem, schemaTooCostly } from './schema/schema.ts'

const problemsMax = 10
/** Compiled schemas that this child caches: the same ones recur. */
const keptMax = 20
const keptCharactersMax = 100_000
const kept = new Map<string, CompiledSchema>()

/** The compiled schema, from the cache where possible. */
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
 * The violations of a schema by an answer, given as a value or as JSON text; empty when it is valid. Throws Fault
 * `schema_too_costly`.
 */
export default function checkAnswer(
  request: { readonly schema: JsonSchema } & ({ readonly answer: Json } | { readonly json: string }),
): readonly SchemaProblem[] {
  const { schema } = request
  const answer = 'json' in request ? (JSON.parse(request.json) as Json) : request.answer
  // Small, simple answers need no compiled schema and no timeout, which cost more than this check.
  if (surelyHolds(schema, answer)) return []
  const { problemsOf, matching } = compiled(schema)
  try {
    return withinTime(limits.schemaPatternWallMs, () => problemsOf(answer)).slice(0, problemsMax)
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof RangeError) throw schemaTooCostly(schema, matching())
    throw error
  }
}
