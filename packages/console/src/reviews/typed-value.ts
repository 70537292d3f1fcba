import { isJsonObject, type Json, type JsonObject } from '../wire.ts'

/** The schema of the value at a JSON Pointer; undefined if unspecified. */
export function schemaAt(schema: JsonObject | undefined, pointer: string): JsonObject | undefined {
  let at: Json | undefined = schema
  for (const step of pointer.split('/').slice(1)) {
    if (!isJsonObject(at)) return undefined
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const properties: Json | undefined = at['properties']
    at = isJsonObject(properties) && key in properties ? properties[key] : at['items']
  }
  return isJsonObject(at) ? at : undefined
}

const typesOf = (schema: JsonObject | undefined): readonly Json[] => {
  const type = schema?.['type']
  return Array.isArray(type) ? type : type === undefined ? [] : [type]
}

/** Converts typed text to the type of the schema, or else of the previous value. Null: invalid. */
export function typedValue(text: string, schema: JsonObject | undefined, before: Json | undefined): Json {
  const types = typesOf(schema)
  const wants = (...names: string[]): boolean => names.some((name) => types.includes(name))
  const isText = wants('string') || (types.length === 0 && typeof before === 'string')
  if (isText) return text
  if (wants('number', 'integer') || typeof before === 'number') return numberOf(text)
  if (wants('boolean') || typeof before === 'boolean') return { true: true, false: false }[text.trim()] ?? null
  return text
}

/** A number in common formats: `1,304.34`, `1.304,34`, `€ 12,50`. The last of two different separators is the decimal one. */
function numberOf(text: string): number | null {
  const digits = text.replaceAll(/[^\d.,+-]/g, '')
  const decimal = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.'
  const group = decimal === ',' ? '.' : ','
  // A single comma followed by three digits groups them; any other is a decimal comma.
  const isGrouped = /^[+-]?\d{1,3}(,\d{3})+$/.test(digits)
  const plain = isGrouped ? digits.replaceAll(',', '') : digits.replaceAll(group, '').replace(decimal, '.')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null
}
