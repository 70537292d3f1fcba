import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'

/** A list item about a field: "- `due_date`: the day by which to pay", "* **total** – what is to be paid". */
const hintPattern = /^\s*[-*]\s+(?:`([^`]{1,100})`|\*\*([^*]{1,100})\*\*)\s*(?::|–|—|-)\s*(\S.{0,500})$/gmu

/** The names of fields in instructions, with the text after each. */
function hintsIn(instructions: string): ReadonlyMap<string, string> {
  const found = [...instructions.matchAll(hintPattern)].map((match): [string, string] => [
    (match[1] ?? match[2] ?? '').replaceAll('[]', ''),
    (match[3] ?? '').trim(),
  ])
  // The first line about a field wins.
  return new Map(found.toReversed())
}

/**
 * Adds descriptions from a skill's instructions to fields without one. The instructions describe a field in a list item: its
 * name in code or bold type, then the text. `vendor.name` is the field `name` of `vendor`; a plain name matches any field of
 * that name. This guides the embedded engine and does not change how answers are validated.
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
