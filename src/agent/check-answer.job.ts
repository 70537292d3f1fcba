import type { Json, JsonSchema } from '../kit/json.ts'
import { compileSchema, problemOf } from './compile-schema.ts'
import type { SchemaProblem } from './schema.ts'

const problemsMax = 10

/** Answers how an answer violates a schema; an empty list means that it holds. */
export default function checkAnswer({
  schema,
  answer,
}: {
  schema: JsonSchema
  answer: Json
}): readonly SchemaProblem[] {
  const validate = compileSchema(schema)
  return validate(answer) ? [] : (validate.errors ?? []).slice(0, problemsMax).map(problemOf)
}
