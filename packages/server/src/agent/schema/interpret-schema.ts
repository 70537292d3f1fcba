import { format, type Schema, Validator } from '@cfworker/json-schema'
import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { SchemaProblem } from './schema.ts'
import { mapSchema, patternsOf } from './schema-places.ts'

/** Keywords that Ajv validates incorrectly in some combinations, because it loses what other keywords evaluated. */
const misjudged = ['unevaluatedItems', 'unevaluatedProperties', 'contains', 'if']
/** Keywords that the interpreter does not support. */
const unknown = ['$dynamicRef', '$recursiveRef', '$recursiveAnchor']

/** Validates values by interpreting a schema, without compiling it. */
export type Interpreter = (value: Json) => SchemaProblem[]

/** Whether a schema has keywords that need the interpreter. */
export function needsInterpreter(schema: JsonSchema): boolean {
  return mapSchema(schema).places.some((place) => misjudged.some((keyword) => Object.hasOwn(place.schema, keyword)))
}

/**
 * An interpreter for a schema; undefined for a schema that it cannot validate: with dynamic references, or patterns that are
 * not valid in Unicode mode.
 */
export function interpreterOf(schema: JsonSchema, draft: '7' | '2020-12'): Interpreter | undefined {
  const own = structuredClone(schema) as JsonSchema
  const { places } = mapSchema(own)
  if (places.some((place) => unknown.some((keyword) => Object.hasOwn(place.schema, keyword)))) return undefined
  if (patternsOf(own).some(({ source }) => !isUnicodePattern(source))) return undefined
  for (const place of places) spellOutNull(place.schema)
  shareFormats()
  const validator = new Validator(own as Schema, draft)
  return (value) => {
    const { valid, errors } = validator.validate(value)
    if (valid) return []
    // Errors of applicators only say that something inside is wrong; the other errors say what.
    const specific = errors.filter(({ keyword }) => !applicators.has(keyword))
    return (specific.length > 0 ? specific : errors).map(({ instanceLocation, keyword, error }) => ({
      pointer: instanceLocation.slice(1),
      message: keyword === 'false' ? 'is not allowed' : `violates ${keyword}: ${error.replace(/\.$/, '')}`,
    }))
  }
}

const applicators = new Set([
  '$ref',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'dependentSchemas',
])

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Converts OpenAPI's `nullable` to JSON Schema's type null. */
function spellOutNull(schema: JsonObject): void {
  const { type } = schema
  if (schema['nullable'] === true && type !== undefined)
    Object.assign(schema, { type: [...new Set([type, 'null'].flat())] })
}

let areFormatsShared = false

/** Makes the interpreter use the format definitions of Ajv. */
function shareFormats(): void {
  if (areFormatsShared) return
  for (const name of Object.keys(format)) delete format[name]
  for (const [name, given] of Object.entries(fullFormats)) {
    const test = typeof given === 'object' && 'validate' in given ? given.validate : given
    if (test instanceof RegExp) format[name] = (text) => test.test(text)
    // Formats of numbers are skipped: the interpreter checks formats of strings only.
    else if (typeof test === 'function' && !(typeof given === 'object' && 'type' in given))
      format[name] = (text) => (test as (text: string) => boolean)(text)
  }
  areFormatsShared = true
}
