import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../kit/json.ts'
import type { SchemaProblem } from './schema.ts'

/**
 * Compiles a caller's schema with an instance of its own, by the draft that `$schema` names (2020-12 where it names none).
 * Only for the workshop: patterns and references of strangers may take for ever. Throws the compiler's error.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const dialect = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const options = { strict: false, allErrors: false, validateFormats: true, logger: false as const }
  const ajv = /draft-0[4-7]/.test(dialect) ? new Ajv(options) : new Ajv2020(options)
  // The plugin is a CommonJS default export whose types name it twice.
  const plugin = addFormats as unknown as (ajv: Ajv | Ajv2020) => void
  plugin(ajv)
  const { $schema: _dialect, $id: _id, ...rest } = schema
  return ajv.compile(rest)
}

/** A compiler's or validator's finding as one sentence. */
export function problemOf(error: ErrorObject): SchemaProblem {
  const allowed =
    error.keyword === 'enum' && Array.isArray(error.params['allowedValues'])
      ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 300)}`
      : ''
  return { pointer: error.instancePath, message: `${error.message ?? 'is not allowed'}${allowed}` }
}
