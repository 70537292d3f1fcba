import type { Json } from '../wire.ts'

/** The part of a JSON Schema (OpenAPI 3.1) that this page uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly default?: Json
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Description {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An endpoint with its method and path. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The endpoints by their tags, in the order of the document. */
export function endpointsOf(description: Description): ReadonlyMap<string, readonly Endpoint[]> {
  const all = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  )
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'other')
}

/** Whether an endpoint matches a search: every word occurs in its path, name or summary. */
export function fits({ method, path, operation }: Endpoint, wanted: string): boolean {
  const text = `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The name of a schema in the components. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref

/** A sample value of a schema with its required fields, or with its first ones if none is required. */
function exampleOf(schema: Schema | undefined, schemas: Description['components']['schemas'], depth = 0): Json {
  if (!schema || depth > 5) return null
  if (schema.$ref) return exampleOf(schemas[nameOf(schema.$ref)], schemas, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0] ?? null
  const members = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (members)
    return exampleOf(
      members.find((one) => one.type !== 'null'),
      schemas,
      depth + 1,
    )
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((one) => one !== 'null')
  switch (type) {
    case 'object': {
      const needed = schema.required ?? []
      const entries = Object.entries(schema.properties ?? {}).filter(([name]) => needed.includes(name))
      return Object.fromEntries(entries.map(([name, one]) => [name, exampleOf(one, schemas, depth + 1)]))
    }
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, depth + 1)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return schema.format === 'date-time' ? '2026-11-21T12:00:00Z' : 'text'
    default:
      return {}
  }
}

/** Sample bodies that say more than their schemas. */
const bodies: Readonly<Record<string, Json>> = {
  executeAgent: {
    batch: false,
    inputs: { mail: 'Invoice No: 17\nTotal: EUR 12.50' },
    config: {
      prompt: 'Extract the total',
      json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
    },
  },
}

/** The endpoint as a curl command, without the key. */
export function curlOf({ method, path, operation }: Endpoint, description: Description, origin: string): string {
  const needed = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required)
  const query = needed.map((one) => `${one.name}=…`).join('&')
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${origin}${path}${query && `?${query}`}'`,
  ]
  if (operation.security?.length !== 0) lines.push('-H "Authorization: Bearer $SKILLRUN_API_KEY"')
  const content = operation.requestBody?.content ?? {}
  if (content['multipart/form-data']) lines.push('-F file=@invoice.pdf')
  const json = content['application/json']
  if (json) {
    const body = bodies[operation.operationId] ?? exampleOf(json.schema, description.components.schemas)
    lines.push(`-H 'Content-Type: application/json'`)
    lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`)
  }
  return lines.join(' \\\n  ')
}
