import { z } from 'zod'

const shown = new WeakMap<z.core.$ZodType, z.ZodType>()

/** Returns `schema`, which the OpenAPI document shows as `as`: for schemas that parse text or are more lenient. */
export function shownAs<Schema extends z.ZodType>(schema: Schema, as: z.ZodType): Schema {
  shown.set(schema, as)
  return schema
}

/** The schema that the OpenAPI document shows instead; undefined when there is none. */
export const shownInPlaceOf = (schema: z.core.$ZodType): z.ZodType | undefined => shown.get(schema)

/** An array whose length is checked before its items, so that millions of invalid items give one error. */
export function arrayOf<Item extends z.ZodType>(item: Item, itemsMax: number, itemsMin = 0) {
  const array = itemsMin > 0 ? z.array(item).min(itemsMin) : z.array(item)
  return z.preprocess(refuseMore('array', itemsMax), array.max(itemsMax))
}

/** An object with keys chosen by the client, whose number is checked before the values. */
export function recordOf<Value extends z.ZodType>(value: Value, entriesMax: number) {
  return z.preprocess(refuseMore('object', entriesMax), z.record(z.string(), value).meta({ maxProperties: entriesMax }))
}

/** A parameter that another API has and this server does not support: absent, null or one of `harmless`, else refused with the message. */
export const unsupported = (message: string, harmless: readonly unknown[] = []) =>
  shownAs(
    z
      .unknown()
      .refine((value) => value === undefined || value === null || harmless.includes(value), {
        message,
        params: { code: 'unsupported_parameter' },
      })
      .optional(),
    z.null().optional().describe(`Not supported: ${message}`),
  )

const refuseMore =
  (origin: 'array' | 'object', maximum: number) =>
  (value: unknown, context: { issues: z.core.$ZodRawIssue[] }): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (origin === 'array')) return value
    if (countOf(value) <= maximum) return value
    context.issues.push({ code: 'too_big', origin, maximum, inclusive: true, input: value })
    return z.NEVER
  }

const countOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length)
