import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'

/** A line of a list that begins with a name: "- `due_date`: the day by which to pay", "* **total** – what is to be paid". */
const hintPattern = /^\s*[-*]\s+(?:`([^`]{1,100})`|\*\*([^*]{1,100})\*\*)\s*(?::|–|—|-)\s*(\S.{0,500})$/gmu

/** What instructions say of single fields: the name as it is written there, and the words after it. */
function hintsIn(instructions: string): ReadonlyMap<string, string> {
  const found = [...instructions.matchAll(hintPattern)].map((match): [string, string] => [
    (match[1] ?? match[2] ?? '').replaceAll('[]', ''),
    (match[3] ?? '').trim(),
  ])
  // The first line about a field is the one that explains it.
  return new Map(found.toReversed())
}

/**
 * A schema whose fields without a description have the one that the instructions give them: in a list, the name of the field in
 * code or bold type, then what it is. `vendor.name` is the field `name` of `vendor`; a bare name is any field of that name. It
 * changes what an engine of rules looks for, never what an answer is checked against.
 */
export function withHints(schema: JsonSchema, instructions: string): JsonSchema {
  const hints = hintsIn(instructions)
  return hints.size === 0 ? schema : (hinted(schema, '', hints) as JsonSchema)
}

function hinted(node: Json, path: string, hints: ReadonlyMap<string, string>): Json {
  if (!isJsonObject(node)) return node
  const properties = node['properties']
  return {
    ...node,
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => {
              const own = path === '' ? name : `${path}.${name}`
              return [name, hinted(described(member, hintFor(own, name, hints)), own, hints)]
            }),
          ),
        }
      : {}),
    ...(isJsonObject(node['items']) ? { items: hinted(node['items'], path, hints) } : {}),
  }
}

function hintFor(path: string, name: string, hints: ReadonlyMap<string, string>): string | undefined {
  const dotted = [...hints.keys()].find((key) => key.includes('.') && (path === key || path.endsWith(`.${key}`)))
  return hints.get(dotted ?? name)
}

const described = (member: Json, hint: string | undefined): Json =>
  hint === undefined || !isJsonObject(member) || typeof member['description'] === 'string'
    ? member
    : { ...member, description: hint }
