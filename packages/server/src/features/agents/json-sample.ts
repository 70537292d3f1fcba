import { isJsonObject, type Json, type JsonObject, type JsonSchema, valueAt } from '@skillrun/core/json.ts'

const depthMax = 12
const propertiesMax = 500

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com',
}

/** A sample value that fits a schema, for people to look at; null when the schema does not describe an object. */
export function sampleOf(schema: JsonSchema): JsonObject | null {
  let left = propertiesMax
  const sample = (at: Json | undefined, depth: number): Json => {
    if (!isJsonObject(at) || depth > depthMax) return null
    const [first] = [at['examples'], at['enum']].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []))
    const preset = at['default'] ?? at['const'] ?? first
    if (preset !== undefined) return preset as Json
    const reference = typeof at['$ref'] === 'string' ? resolve(schema, at['$ref']) : undefined
    if (reference) return sample(reference, depth + 1)
    const branch = [at['anyOf'], at['oneOf'], at['allOf']].find(Array.isArray)?.[0] as Json | undefined
    if (branch !== undefined) return sample(branch, depth + 1)
    const type = Array.isArray(at['type']) ? at['type'][0] : at['type']
    if (isJsonObject(at['properties'])) {
      const properties = Object.entries(at['properties']).filter(() => left-- > 0)
      return Object.fromEntries(properties.map(([name, property]) => [name, sample(property, depth + 1)]))
    }
    if (type === 'array' || at['items'] !== undefined) return [sample(at['items'], depth + 1)]
    if (type === 'string') return texts[String(at['format'])] ?? 'text'
    if (type === 'integer' || type === 'number') return typeof at['minimum'] === 'number' ? at['minimum'] : 0
    if (type === 'boolean') return true
    return type === 'object' ? {} : null
  }
  const made = sample(schema, 0)
  return isJsonObject(made) ? made : null
}

/** The part of a schema that a `$ref` inside it points to. */
const resolve = (schema: JsonSchema, reference: string): Json | undefined =>
  reference.startsWith('#') ? valueAt(schema, reference) : undefined
