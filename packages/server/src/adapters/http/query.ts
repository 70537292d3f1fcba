import { z } from 'zod'
import { shownAs } from './schemas.ts'

/** A boolean of the query, in the forms that existing clients send: `true|false|True|False|1|0`. */
export function queryBoolean(fallback: boolean, description: string) {
  const flag = z.string().transform((text, context) => {
    const lower = text.toLowerCase()
    if (lower === 'true' || lower === '1') return true
    if (lower === 'false' || lower === '0') return false
    context.issues.push({ code: 'custom', message: 'Input should be a valid boolean, true or false', input: text })
    return z.NEVER
  })
  return shownAs(flag.default(fallback), z.boolean().default(fallback).describe(description))
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** An integer path parameter from `min` to `max`, in decimal digits. */
export function pathInteger(bounds: Bounds, description: string) {
  return shownAs(decimal(bounds), integer(bounds).describe(description))
}

/** An integer query parameter from `min` to `max`, in decimal digits. */
export function queryInteger({ fallback, ...bounds }: Bounds & { readonly fallback: number }, description: string) {
  return shownAs(decimal(bounds).default(fallback), integer(bounds).default(fallback).describe(description))
}

/** An integer query parameter that may be left out. */
export function optionalQueryInteger(bounds: Bounds, description: string) {
  return shownAs(decimal(bounds).optional(), integer(bounds).optional().describe(description))
}

const integer = ({ min, max }: Bounds) => z.int().min(min).max(max)

const decimal = ({ min, max }: Bounds) =>
  z.string().transform((text, context) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (Number.isNaN(value)) context.issues.push({ code: 'invalid_type', expected: 'int', input: text })
    else if (value < min)
      context.issues.push({ code: 'too_small', origin: 'number', minimum: min, inclusive: true, input: text })
    else if (value > max)
      context.issues.push({ code: 'too_big', origin: 'number', maximum: max, inclusive: true, input: text })
    else return value
    return z.NEVER
  })

const firstMs = Date.parse('1970-01-01T00:00:00Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * A moment between 1970 and 9999 in ISO 8601 with an offset or, when `dates` is set, a date, which means its first moment in
 * UTC. Precision: milliseconds.
 */
export function moment({ dates = false }: { readonly dates?: boolean } = {}) {
  const moment = 'a date and time in ISO 8601 with an offset, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00'
  const error = `Input should be ${dates ? `a date, such as 2026-01-31, or ${moment}` : moment}`
  const dateTime = z.iso.datetime({ offset: true, error })
  return (dates ? z.union([dateTime, z.iso.date({ error })]) : dateTime).transform((text, context) => {
    const moment = new Date(text)
    // PostgreSQL rejects larger offsets, and no place on earth has one.
    const offsetHours = Number(/[+-](\d\d):\d\d$/.exec(text)?.[1] ?? 0)
    if (moment.getTime() >= firstMs && moment.getTime() <= lastMs && offsetHours <= 15) return moment
    context.issues.push({
      code: 'custom',
      message: 'Input should be between the years 1970 and 9999, with an offset of at most 15:59',
      input: text,
    })
    return z.NEVER
  })
}
