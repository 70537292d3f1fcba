import type { Json, JsonSchema } from '../kit/json.ts'
import { limits } from '../kit/limits.ts'
import { compileSchema, problemOf } from './compile-schema.ts'
import { type SchemaProblem, schemaTooCostly } from './schema.ts'
import { OutOfTime, withinTime } from './within-time.ts'

const problemsMax = 10

/** Answers how an answer violates a schema; an empty list means that it holds. Throws Fault `schema_too_costly`. */
export default function checkAnswer({
  schema,
  answer,
}: {
  schema: JsonSchema
  answer: Json
}): readonly SchemaProblem[] {
  const { validate, matching } = compileSchema(schema)
  try {
    return withinTime(limits.schemaPatternWallMs, () =>
      validate(answer) === true ? [] : (validate.errors ?? []).slice(0, problemsMax).map(problemOf),
    )
  } catch (error) {
    if (error instanceof OutOfTime || error instanceof RangeError) throw schemaTooCostly(schema, matching())
    throw error
  }
}
