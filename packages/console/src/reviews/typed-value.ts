import { pointerSteps } from '@skillrun/core/json.ts'
import { resolvedSchema } from '@skillrun/core/resolved-schema.ts'
import { isJsonObject, type Json, type JsonObject } from '../wire.ts'

/** The schema of the value at a JSON Pointer; undefined if unspecified. */
export function schemaAt(schema: JsonObject | undefined, pointer: string): JsonObject | undefined {
  if (!schema) return undefined
  let at = resolvedSchema(schema, schema)
  for (const key of pointerSteps(pointer)) {
    if (!at) return undefined
    const { properties, items } = at
    at = resolvedSchema(schema, isJsonObject(properties) && key in properties ? properties[key] : items)
  }
  return at
}

/** The types that a schema names. */
export const typesOf = (schema: JsonObject | undefined): readonly Json[] => {
  const type = schema?.['type']
  return Array.isArray(type) ? type : type === undefined ? [] : [type]
}

/** Converts typed text to the type of the schema, or else of the previous value. Null: invalid. */
export function typedValue(text: string, schema: JsonObject | undefined, before: Json | undefined): Json {
  const choices = schema?.['enum']
  const choice = Array.isArray(choices) ? choices.find((one) => String(one) === text) : undefined
  if (choice !== undefined && choice !== null) return choice
  const types = typesOf(schema)
  const wants = (...names: string[]): boolean => names.some((name) => types.includes(name))
  const isText = wants('string') || (types.length === 0 && typeof before === 'string')
  if (isText) return text
  if (wants('number', 'integer') || typeof before === 'number') return numberOf(text)
  if (wants('boolean') || typeof before === 'boolean') return { true: true, false: false }[text.trim()] ?? null
  return text
}

/**
 * A number in common formats: `1,304.34`, `1.304,34`, `€ 12,50`; a negative one as `−12.50`, `12.50-` or `(12.50)`. The last of two
 * different separators is the decimal one.
 */
function numberOf(text: string): number | null {
  const written = text.replaceAll(/[−–]/g, '-').replaceAll(/[^\d.,+()-]/g, '')
  const [, inBrackets, before] = /^(?:\(([\d.,]+)\)|([\d.,]+)-)$/.exec(written) ?? []
  const negative = inBrackets ?? before
  if (negative !== undefined) return negated(unsigned(negative))
  const [, sign = '', digits = ''] = /^([+-]?)([\d.,]+)$/.exec(written) ?? []
  return sign === '-' ? negated(unsigned(digits)) : unsigned(digits)
}

const negated = (value: number | null): number | null => value && -value

function unsigned(digits: string): number | null {
  const decimal = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.'
  const group = decimal === ',' ? '.' : ','
  // Commas before groups of three digits part them, and so do several points; any other is the decimal one.
  const isGrouped = /^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)
  const plain = isGrouped ? digits.replaceAll(/[.,]/g, '') : digits.replaceAll(group, '').replace(decimal, '.')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null
}
