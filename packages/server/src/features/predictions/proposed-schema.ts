import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'

/** The schema of a model's answer when it proposes a schema for a document. */
export const proposal = {
  prompt: `Propose a schema for the data in this input, to read other inputs of the same kind with it. Name each field that such inputs have, not what this one says.
A path is the name of a field in snake_case; fields of an object are joined by a dot (seller.name), and those of the rows of a list follow [] (items[].quantity).`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Name of the kind of input, in PascalCase' },
      description: { type: 'string', description: 'A one-sentence description of such inputs' },
      fields: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            type: { enum: ['string', 'number', 'integer', 'boolean', 'date'] },
            description: { type: 'string' },
          },
          required: ['path', 'type', 'description'],
          additionalProperties: false,
        },
      },
    },
    required: ['title', 'description', 'fields'],
    additionalProperties: false,
  },
} as const

/** The JSON Schema in a model's proposal; null if there is none. */
export function proposedSchema(answer: Json): JsonSchema | null {
  if (!isJsonObject(answer) || !Array.isArray(answer['fields'])) return null
  const properties: Record<string, Node> = {}
  for (const one of answer['fields'] as readonly Json[]) if (isJsonObject(one)) add(properties, one)
  const { title, description } = answer
  return {
    title: typeof title === 'string' ? title.replaceAll(/\W/g, '') || 'Document' : 'Document',
    description: typeof description === 'string' ? description : '',
    ...objectOf(properties),
  } as JsonSchema
}

/** A leaf, or the fields of an object or of the rows of a list. */
type Node = { readonly leaf: JsonObject } | { readonly isList: boolean; readonly fields: Record<string, Node> }

function add(fields: Record<string, Node>, { path, type, description }: JsonObject): void {
  const steps = String(path)
    .split('.')
    .map((step) => ({ name: step.replace(/\[\]$/, ''), isList: step.endsWith('[]') }))
  let at = fields
  for (const [index, { name, isList }] of steps.entries()) {
    if (!/^\w{1,100}$/.test(name) || name === '__proto__') return
    const known = at[name]
    if (index === steps.length - 1) {
      const leaf: JsonObject = {
        type: [type === 'date' ? 'string' : String(type), 'null'],
        ...(type === 'date' ? { format: 'date' } : {}),
        ...(typeof description === 'string' ? { description } : {}),
      }
      at[name] ??= { leaf: isList ? { type: 'array', items: leaf } : leaf }
    } else if (known && 'leaf' in known) return
    else {
      const next = known ?? { isList, fields: {} }
      at[name] = next
      at = next.fields
    }
  }
}

const objectOf = (fields: Record<string, Node>): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, node]) => [name, schemaOf(node)])),
})

function schemaOf(node: Node): JsonObject {
  if ('leaf' in node) return node.leaf
  return node.isList ? { type: 'array', items: objectOf(node.fields) } : objectOf(node.fields)
}
