/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** `T` where all of it is JSON; `never` in the places that are not. An interface passes, which TypeScript does not take for a `JsonObject`. */
export type Jsonable<T> = T extends Json | undefined
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { readonly [Key in keyof T]: Jsonable<T[Key]> }
      : never

/** The value as JSON. The compiler has checked that it is: dates, functions, bytes and `unknown` are refused. */
export function asJson<T>(value: T & Jsonable<T>): Json {
  // `Jsonable` has shown it; only the missing index signature of interfaces, and fields that may be undefined, are in the way.
  return value as unknown as Json
}

/** A JSON Schema (2020-12 or draft-07) as the caller wrote it; checked by `agent/schema.ts` before use. */
export type JsonSchema = JsonObject

/** True for a plain JSON object, false for null, arrays and primitives. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One step of a JSON Pointer, escaped as RFC 6901 section 3 asks (`~` → `~0`, `/` → `~1`). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The steps of a JSON Pointer, as names; the other way of `pointerStep`. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value with U+FFFD, of the same length, for what is no text to a database and to other readers of JSON: NUL and halves of surrogate pairs. */
export function legible<T>(value: T & Jsonable<T>): T {
  // Nearly all are, and writing one down is quicker than walking through it.
  return isLegibleText(JSON.stringify(value)) ? value : (legibly(asJson(value)) as T)
}

/** Whether `legible` surely leaves the value as it is that JSON.stringify wrote so. */
export const isLegibleText = (text: string): boolean => !escaped.test(text)

/** NUL and halves of surrogate pairs as JSON.stringify writes them; also where a text spells such an escape out. */
const escaped = /\\u0000|\\ud[89a-f]/

function legibly(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(legibly)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [String(legibly(key)), legibly(one)]))
}

/** Whether `legible` leaves a value as it is. */
export const isLegible = (value: Json): boolean => JSON.stringify(legible(value)) === JSON.stringify(value)
