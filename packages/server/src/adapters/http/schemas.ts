import { z } from 'zod'

const shown = new WeakMap<z.core.$ZodType, z.ZodType>()

/** The same schema, in whose place the description of the API shows `as`: the one validates more loosely, or from text. */
export function shownAs<Schema extends z.ZodType>(schema: Schema, as: z.ZodType): Schema {
  shown.set(schema, as)
  return schema
}

/** What is shown in the place of a schema, where that was said. */
export const shownInPlaceOf = (schema: z.core.$ZodType): z.ZodType | undefined => shown.get(schema)

/** An array that is counted before its items are looked at: millions of wrong ones are one mistake. */
export function arrayOf<Item extends z.ZodType>(item: Item, itemsMax: number, itemsMin = 0) {
  const array = itemsMin > 0 ? z.array(item).min(itemsMin) : z.array(item)
  return z.preprocess(refuseMore('array', itemsMax), array.max(itemsMax))
}

/** An object of values by names of the client's own, which are counted before the values are looked at. */
export function recordOf<Value extends z.ZodType>(value: Value, entriesMax: number) {
  return z.preprocess(refuseMore('object', entriesMax), z.record(z.string(), value).meta({ maxProperties: entriesMax }))
}

const refuseMore =
  (origin: 'array' | 'object', maximum: number) =>
  (value: unknown, context: { issues: z.core.$ZodRawIssue[] }): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (origin === 'array')) return value
    if (countOf(value) <= maximum) return value
    context.issues.push({ code: 'too_big', origin, maximum, inclusive: true, input: value })
    return z.NEVER
  }

const countOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length)
