import { z } from 'zod'

/** A yes or no of the query, as existing clients write it: `true|false|True|False|1|0`. */
export function queryBoolean(fallback: boolean, description: string) {
  return z
    .string()
    .transform((text, context) => {
      const lower = text.toLowerCase()
      if (lower === 'true' || lower === '1') return true
      if (lower === 'false' || lower === '0') return false
      context.issues.push({ code: 'custom', message: 'Input should be a valid boolean, true or false', input: text })
      return z.NEVER
    })
    .default(fallback)
    .meta({ type: 'boolean', default: fallback, description })
}

/** A whole number of the query, from `min` to `max`. */
export function queryInteger(
  bounds: { readonly min: number; readonly max: number; readonly fallback: number },
  description: string,
) {
  return z.coerce.number().int().min(bounds.min).max(bounds.max).default(bounds.fallback).meta({ description })
}
