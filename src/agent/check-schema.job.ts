import type { JsonSchema } from '../kit/json.ts'
import { compileSchema } from './compile-schema.ts'
import type { SchemaProblem } from './schema.ts'

const messageCharactersMax = 300

/** Answers what keeps a schema from being compiled, or null. */
export default function checkSchema({ schema }: { schema: JsonSchema }): SchemaProblem | null {
  try {
    compileSchema(schema)
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      pointer: '',
      message: `The schema is not valid JSON Schema: ${message.replace(/^schema is invalid: /, '').slice(0, messageCharactersMax)}`,
    }
  }
}
