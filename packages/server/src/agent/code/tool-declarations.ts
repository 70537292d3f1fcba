import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import { specOf, type Tool } from '../tool.ts'

/** Tools as a TypeScript `interface Tools` for models that write programs, generated from their schemas. */
export function toolDeclarations(tools: readonly Tool[]): string {
  const sets = Map.groupBy(tools, ({ name }) => name.split('.')[0] ?? name)
  const members = [...sets].map(([set, ofSet]) => `  ${set}: {\n${ofSet.map(methodOf).join('\n')}\n  }`)
  return `interface Tools {\n${members.join('\n')}\n}`
}

function methodOf(one: Tool): string {
  const { input } = specOf(one)
  const isOptional = !Array.isArray(input['required']) || input['required'].length === 0
  const name = one.name.split('.').slice(1).join('_')
  return `${commentOf(one.description, '    ')}\n    ${name}(input${isOptional ? '?' : ''}: ${typeOf(input)}): Promise<${one.answers ?? 'any'}>`
}

/** A comment whose text cannot close it. */
const commentOf = (words: string, indent: string): string =>
  `${indent}/** ${words.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */`

/** The TypeScript type of a tool's JSON Schema; unsupported parts become `any`. */
function typeOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any'
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  for (const branches of [schema['anyOf'], schema['oneOf']]) {
    if (Array.isArray(branches)) return branches.map((one: Json) => typeOf(one)).join(' | ')
  }
  const { type } = schema
  if (Array.isArray(type)) return type.map((one: Json) => typeOf({ ...schema, type: one })).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `Array<${typeOf(schema['items'])}>`
    case 'object':
      return objectType(schema)
    default:
      return 'any'
  }
}

function objectType(schema: JsonSchema): string {
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  if (properties.length === 0) return `Record<string, ${typeOf(schema['additionalProperties'])}>`
  const required: readonly Json[] = Array.isArray(schema['required']) ? schema['required'] : []
  const members = properties.map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    const description = isJsonObject(member) ? member['description'] : undefined
    const comment = typeof description === 'string' ? `${commentOf(description, '')} ` : ''
    return `${comment}${key}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`
  })
  return `{ ${members.join('; ')} }`
}
