import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject } from '../packages/core/src/json.ts'

// Writes the types of openapi.json:
//   node scripts/client-types.ts openapi.json packages/client/src/openapi.ts

const head = '// Made from openapi.json by scripts/client-types.ts, and not committed. Not changed by hand.\n'

/** Generates TypeScript for an OpenAPI 3.1 document: one type per schema, and `Operations` by operationId. */
function typesOf(document: JsonObject): string {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas')
  const types = Object.entries(schemas).map(([name, schema]) => {
    const base = baseOf(schema, schemas)
    const own = base === undefined ? typeOf(schema, '') : `${base} & ${typeOf(withoutBase(schema, schemas[base]), '')}`
    return `${commentOf(schema, '')}export type ${name} = ${own}\n`
  })
  const operations = Object.values(objectAt(document, 'paths')).flatMap((path) =>
    isJsonObject(path) ? Object.values(path).filter(isJsonObject).map(operationOf) : [],
  )
  return `${head}
/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

${types.join('\n')}
/** What each operation takes and answers. */
export interface Operations {
${operations.toSorted().join('\n')}
}
`
}

/** Fields that a schema must share with another so that its type extends the other's. */
const sharedMin = 6

/** The schema with the most fields that are all, in the same form, fields of this one too. */
function baseOf(schema: Json | undefined, schemas: JsonObject): string | undefined {
  const fields = fieldsOf(schema)
  const bases = Object.entries(schemas).flatMap(([name, other]) => {
    const shared = fieldsOf(other)
    const extendsIt = shared.size >= sharedMin && [...shared].every(([field, text]) => fields.get(field) === text)
    return other !== schema && extendsIt && shared.size < fields.size ? [{ name, size: shared.size }] : []
  })
  return bases.toSorted((left, right) => right.size - left.size)[0]?.name
}

/** The fields of an object that allows no others, as text, with whether each is required. */
function fieldsOf(schema: Json | undefined): ReadonlyMap<string, string> {
  if (!isJsonObject(schema) || schema['additionalProperties'] !== false) return new Map()
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return new Map(
    Object.entries(objectAt(schema, 'properties')).map(([name, one]) => [
      name,
      `${required.includes(name)} ${JSON.stringify(one)}`,
    ]),
  )
}

function withoutBase(schema: Json | undefined, base: Json | undefined): JsonObject {
  const shared = fieldsOf(base)
  const whole = isJsonObject(schema) ? schema : {}
  const properties = Object.entries(objectAt(whole, 'properties')).filter(([name]) => !shared.has(name))
  return { ...whole, properties: Object.fromEntries(properties) }
}

function operationOf(operation: JsonObject): string {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isJsonObject) : []
  const query = parameters.filter((one) => one['in'] === 'query')
  const lines = query.map((one) => `      ${property(one, '      ')}`)
  const body = objectAt(objectAt(operation, 'requestBody'), 'content')['application/json']
  const [reply] = Object.entries(objectAt(operation, 'responses'))
    .filter(([status]) => status.startsWith('2'))
    .map(([, one]) => (isJsonObject(one) ? objectAt(one, 'content')['application/json'] : undefined))
  return [
    `  /** ${String(operation['summary'] ?? '')} */`,
    `  ${String(operation['operationId'])}: {`,
    ...(lines.length > 0 ? ['    query: {', ...lines, '    }'] : []),
    ...(isJsonObject(body) ? [`    body: ${typeOf(body['schema'], '    ')}`] : []),
    `    reply: ${isJsonObject(reply) && reply['schema'] !== undefined ? typeOf(reply['schema'], '    ') : 'Response'}`,
    '  }',
  ].join('\n')
}

const property = (one: JsonObject, indent: string): string =>
  `${nameOf(String(one['name']))}${one['required'] === true ? '' : '?'}: ${typeOf(one['schema'], indent)}`

function typeOf(schema: Json | undefined, indent: string): string {
  if (!isJsonObject(schema)) return 'Json'
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? 'Json'
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  for (const word of ['anyOf', 'oneOf'] as const) {
    const members = schema[word]
    if (Array.isArray(members)) return [...new Set(members.map((one) => typeOf(one, indent)))].join(' | ')
  }
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map((one) => typeOf(one, indent)).join(' & ')
  if (Array.isArray(schema['type']))
    return schema['type'].map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema['type']) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      if (Array.isArray(schema['prefixItems']))
        return `readonly [${schema['prefixItems'].map((one) => typeOf(one, indent)).join(', ')}]`
      return `readonly (${typeOf(schema['items'], indent)})[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'Json'
  }
}

function objectType(schema: JsonObject, indent: string): string {
  const inner = `${indent}  `
  const properties = Object.entries(objectAt(schema, 'properties'))
  const more = schema['additionalProperties']
  if (properties.length === 0)
    return `{ readonly [key: string]: ${isJsonObject(more) ? typeOf(more, indent) : 'Json'} }`
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const lines = properties.map(([name, one]) => {
    const isNeeded = required.includes(name)
    // Undefined is allowed for optional fields: JSON omits it.
    return `${commentOf(one, inner)}${inner}readonly ${nameOf(name)}${isNeeded ? '' : '?'}: ${typeOf(one, inner)}${isNeeded ? '' : ' | undefined'}`
  })
  // Fields that the document does not name are allowed too.
  const others = more === true || isJsonObject(more) ? [`${inner}readonly [key: string]: unknown`] : []
  return `{\n${[...lines, ...others].join('\n')}\n${indent}}`
}

function commentOf(schema: Json | undefined, indent: string): string {
  const text = isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : ''
  return text ? `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : ''
}

const literal = (value: Json | undefined): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value ?? null)

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

const objectAt = (value: JsonObject | undefined, key: string): JsonObject => {
  const found = value?.[key]
  return isJsonObject(found) ? found : {}
}

const [from = '', to = ''] = process.argv.slice(2)
const fresh = `${to}.${process.pid}`
writeFileSync(fresh, typesOf(JSON.parse(readFileSync(from, 'utf8'))))
renameSync(fresh, to)
