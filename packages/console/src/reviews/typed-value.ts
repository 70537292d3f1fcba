import { pointerSteps } from '@skillrun/core/json.ts'
import { resolvedSchema } from '@skillrun/core/resolved-schema.ts'
import { type Decimal, readingsOf } from '@skillrun/core/written-numbers.ts'
import { isJsonObject, type Json, type JsonObject } from '../wire.ts'
import { dateOrderOf, daysOf } from './day-readings.ts'
import { decimalOf } from './document-decimals.ts'

/** How a document writes numbers and dates; undefined: nothing in it says so. */
export interface WritingHabits {
  readonly decimal?: Decimal | undefined
  readonly order?: ReturnType<typeof dateOrderOf>
}

export const habitsOf = (of: Parameters<typeof decimalOf>[0] & Parameters<typeof dateOrderOf>[0]): WritingHabits => ({
  decimal: decimalOf(of),
  order: dateOrderOf(of),
})

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

/** Whether a number is expected; before: a value whose type is taken where no schema says one. */
export const expectsNumber = (schema: JsonObject | undefined, before: Json | undefined): boolean =>
  typesOf(schema).some((type) => type === 'number' || type === 'integer') ||
  (typesOf(schema).length === 0 && typeof before === 'number')

/** Whether a day is expected. */
export const expectsDay = (schema: JsonObject | undefined): boolean => schema?.['format'] === 'date'

/** The possible values of a typed text, in the schema's type or else the type of the value before. Empty if the text has no value of that type. */
export function typedReadings(
  text: string,
  schema: JsonObject | undefined,
  before: Json | undefined,
  { decimal, order }: WritingHabits = {},
): readonly Json[] {
  const choices = schema?.['enum']
  const choice = Array.isArray(choices) ? choices.find((one) => String(one) === text) : undefined
  if (choice !== undefined && choice !== null) return [choice]
  const types = typesOf(schema)
  const isText = types.includes('string') || (types.length === 0 && typeof before === 'string')
  if (isText) return expectsDay(schema) ? daysOf(text, order) : [text]
  if (expectsNumber(schema, before))
    return readingsOf(text, { decimal, isWhole: !types.includes('number') && types.includes('integer') })
  if (types.includes('boolean') || typeof before === 'boolean')
    return { true: [true], false: [false] }[text.trim()] ?? []
  return [text]
}

/** Says why a text has no readings. */
export function misfitTold(text: string, schema: JsonObject | undefined, before: Json | undefined): string {
  if (expectsDay(schema))
    return `“${text}” is not a day of the calendar. Write it as the document does, or as year-month-day, such as 2026-11-21.`
  if (!expectsNumber(schema, before)) return `“${text}” is neither true nor false.`
  const types = typesOf(schema)
  return `“${text}” is not a ${types.includes('integer') && !types.includes('number') ? 'whole ' : ''}number.`
}

/** The likeliest of these values. Null: there is none. */
export const typedValue = (...typed: Parameters<typeof typedReadings>): Json => typedReadings(...typed)[0] ?? null
