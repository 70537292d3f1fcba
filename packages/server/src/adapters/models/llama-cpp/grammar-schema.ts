import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'

/**
 * llama.cpp's grammars support a part of JSON Schema and treat the rest as `null`: a field with `anyOf` could only be null,
 * and every property is required. So a schema is translated into the supported part, or not used.
 * https://node-llama-cpp.withcat.ai/guide/grammar
 */
class Inexpressible extends Error {}

/** Accepts any JSON value. */
const anything: JsonSchema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}
const nothing: JsonSchema = { type: 'null' }
/** Larger bounds make grammars that take seconds to compile; the caller checks the bounds in any case. */
const itemsMax = 100
/** Keywords that the translation cannot express; ignoring them could reject valid answers. */
const unknown = ['allOf', '$ref', '$dynamicRef', 'patternProperties', 'prefixItems', 'not', 'if']

/** The grammar schema that constrains an answer; null when no grammar accepts everything that the schema accepts. */
export function answerGrammar(schema: JsonSchema): JsonSchema | null {
  try {
    return translated(schema, false)
  } catch (error) {
    if (error instanceof Inexpressible) return null
    throw error
  }
}

/** The grammar schema of a function's parameters: optional ones may be null, inexpressible ones may be anything. */
export const paramsGrammar = (schema: JsonSchema): JsonSchema => translated(schema, true)

/** Removes the nulls that stand for omitted optional parameters. */
export function withoutFillers(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value
  if (Array.isArray(value)) return value.map((one) => withoutFillers(one, schema['items']))
  if (!isJsonObject(value)) return value
  const properties = propertiesOf(schema)
  const entries = Object.entries(value).filter(
    ([name, one]) => one !== null || isRequired(schema, name) || takesNull(properties[name]),
  )
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutFillers(one, properties[name])]))
}

function translated(schema: Json, isLoose: boolean): JsonSchema {
  if (schema === true) return anything
  if (!isJsonObject(schema) || unknown.some((word) => word in schema)) return inexpressible(isLoose)
  const { description } = schema
  const described = typeof description === 'string' ? { description } : {}
  return { ...bare(schema, isLoose), ...described }
}

function inexpressible(isLoose: boolean): JsonSchema {
  if (isLoose) return anything
  throw new Inexpressible()
}

function bare(schema: JsonObject, isLoose: boolean): JsonSchema {
  const { enum: choices, const: only } = schema
  const isPlain = (one: Json): boolean => one === null || typeof one !== 'object'
  if (Array.isArray(choices)) return choices.every(isPlain) ? { enum: choices } : inexpressible(isLoose)
  if (only !== undefined) return isPlain(only) ? { const: only } : inexpressible(isLoose)
  const either = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(either)) {
    if ('properties' in schema || 'items' in schema) return inexpressible(isLoose)
    return { oneOf: either.map((one) => translated(one, isLoose)) }
  }
  const types = typesOf(schema)
  const [first] = types
  if (first === undefined) return anything
  if (types.length === 1) return ofType(String(first), schema, isLoose)
  return { oneOf: types.map((type) => ofType(String(type), schema, isLoose)) }
}

function typesOf(schema: JsonObject): readonly Json[] {
  const { type } = schema
  if (Array.isArray(type)) return type
  if (type !== undefined) return [type]
  if ('properties' in schema) return ['object']
  return 'items' in schema ? ['array'] : []
}

function ofType(type: string, schema: JsonObject, isLoose: boolean): JsonSchema {
  if (type === 'string') return { type, ...(schema['format'] === 'date' ? { format: 'date' } : {}) }
  if (type === 'array') return arrayOf(schema, isLoose)
  return type === 'object' ? objectOf(schema, isLoose) : { type }
}

function arrayOf(schema: JsonObject, isLoose: boolean): JsonSchema {
  const bounds = ['minItems', 'maxItems'].flatMap((name) => {
    const count = schema[name]
    return typeof count === 'number' && count <= itemsMax ? [[name, count] as const] : []
  })
  const items = schema['items'] === undefined ? {} : { items: translated(schema['items'], isLoose) }
  return { type: 'array', ...items, ...Object.fromEntries(bounds) }
}

function objectOf(schema: JsonObject, isLoose: boolean): JsonSchema {
  const named = Object.entries(propertiesOf(schema))
  const { additionalProperties: more } = schema
  if (named.length === 0)
    return { type: 'object', additionalProperties: isJsonObject(more) ? translated(more, isLoose) : more !== false }
  const properties = named.map(([name, one]) => {
    const written = translated(one, isLoose)
    if (isRequired(schema, name) || takesNull(one)) return [name, written]
    // The grammar makes every property required, so an optional one must accept null.
    return [name, isLoose ? { oneOf: [written, nothing] } : inexpressible(isLoose)]
  })
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

const propertiesOf = (schema: JsonObject): JsonObject =>
  isJsonObject(schema['properties']) ? schema['properties'] : {}

const isRequired = ({ required }: JsonObject, name: string): boolean =>
  Array.isArray(required) && required.includes(name)

function takesNull(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return schema !== false
  const either = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(either)) return either.some(takesNull)
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  if ('const' in schema) return schema['const'] === null
  const types = typesOf(schema)
  return types.length === 0 || types.includes('null')
}
