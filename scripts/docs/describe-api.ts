import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
}

interface OpenApi {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The reference of the HTTP API, from openapi.json. */
export function describeApi(root: string): string {
  const api: OpenApi = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'other'))]
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => (operation.tags?.[0] ?? 'other') === tag)
    return `## ${tag}\n\n${own.map((one) => describe(one, api.components.schemas)).join('\n')}`
  })
  return `# HTTP API\n\nEvery route with its fields. Your server shows the same with examples at \`/docs/api\`, and as OpenAPI 3.1 at \`/openapi.json\`.\n\n${cell(api.info.description, '\n')}\n\n${sections.join('\n')}`
}

function describe(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  schemas: OpenApi['components']['schemas'],
): string {
  const given = (operation.parameters ?? []).map(
    ({ name, in: where, required, description = '' }) =>
      `| \`${name}\` | ${where}${required ? ', required' : ''} | ${cell(description)} |`,
  )
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const { properties = {}, required = [] } = resolved(body, schemas)
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `| \`${name}\` | ${typeOf(field, schemas)}${required.includes(name) ? ', required' : ''} | ${cell(field.description ?? '')} |`,
  )
  const rows = [...given, ...fields]
  const replies = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  return [
    `### ${method} ${path.replaceAll('{', '&#123;')}\n`,
    `${cell(operation.summary ?? '')}.\n`,
    ...(operation.description ? [`${cell(operation.description)}\n`] : []),
    ...(rows.length > 0 ? ['| name | type | meaning |', '|---|---|---|', ...rows, ''] : []),
    `Replies ${replies.map(([status, { description }]) => `${status}: ${cell(description)}`).join('; ') || 'with a failure'}.\n`,
  ].join('\n')
}

function resolved(schema: Schema | undefined, schemas: OpenApi['components']['schemas']): Schema {
  const named = schema?.$ref ?? schema?.anyOf?.find(({ $ref }) => $ref)?.$ref
  return (named ? schemas[named.split('/').at(-1) ?? ''] : schema) ?? {}
}

function typeOf(schema: Schema, schemas: OpenApi['components']['schemas']): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, schemas)))].join(' or ')
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object'
  return [schema.type ?? 'any'].flat().join(' or ')
}

/** Text in one cell of a table, without what Markdown or Vue would read as markup. */
const cell = (text: string, lineBreak = ' '): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('{{', '&#123;{')
    .replaceAll(/(?<!`)<(?=[a-z])/gi, '&lt;')
    .replaceAll('\n', lineBreak)
