import { format, type Schema, Validator } from '@cfworker/json-schema'
import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { SchemaProblem } from './schema.ts'
import { mapSchema, patternsOf } from './schema-places.ts'

/** Keywords that the compiler judges wrongly in some combinations: what else evaluated an item or a property is lost there. */
const misjudged = ['unevaluatedItems', 'unevaluatedProperties', 'contains', 'if']
/** Keywords that the interpreter does not know. */
const unknown = ['$dynamicRef', '$recursiveRef', '$recursiveAnchor']

/** Tells how values violate a schema, by following the schema as it stands, without compiling it. */
export type Interpreter = (value: Json) => SchemaProblem[]

/** Whether a schema has keywords that the interpreter must judge. */
export function needsInterpreter(schema: JsonSchema): boolean {
  return mapSchema(schema).places.some((place) => misjudged.some((keyword) => Object.hasOwn(place.schema, keyword)))
}

/**
 * An interpreter for a schema, or undefined for one that it cannot judge: with references that depend on where they are met,
 * or with patterns that are none with Unicode.
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
    // The first error of a place says that something within it is wrong; the ones without a schema of their own say what.
    const told = errors.filter(({ keyword }) => !applicators.has(keyword))
    return (told.length > 0 ? told : errors).map(({ instanceLocation, keyword, error }) => ({
      pointer: instanceLocation.slice(1),
      message: keyword === 'false' ? 'is not allowed' : `breaks ${keyword}: ${error.replace(/\.$/, '')}`,
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

/** `nullable` of OpenAPI, in the words of JSON Schema. */
function spellOutNull(schema: JsonObject): void {
  const { type } = schema
  if (schema['nullable'] === true && type !== undefined)
    Object.assign(schema, { type: [...new Set([type, 'null'].flat())] })
}

let areFormatsShared = false

/** Has the interpreter judge formats as the compiler does. */
function shareFormats(): void {
  if (areFormatsShared) return
  for (const name of Object.keys(format)) delete format[name]
  for (const [name, given] of Object.entries(fullFormats)) {
    const test = typeof given === 'object' && 'validate' in given ? given.validate : given
    if (test instanceof RegExp) format[name] = (text) => test.test(text)
    // Formats of numbers are no concern of the interpreter's, which asks only about texts.
    else if (typeof test === 'function' && !(typeof given === 'object' && 'type' in given))
      format[name] = (text) => (test as (text: string) => boolean)(text)
  }
  areFormatsShared = true
}
