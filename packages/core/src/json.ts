/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** `T` if all of it is JSON; `never` in the places that are not. Accepts interfaces, which TypeScript does not accept as `JsonObject`. */
export type Jsonable<T> = T extends Json | undefined
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { readonly [Key in keyof T]: Jsonable<T[Key]> }
      : never

/** The value as JSON. The compiler checks it: dates, functions, bytes and `unknown` are refused. */
export function asJson<T>(value: T & Jsonable<T>): Json {
  // `Jsonable` has checked it; only the missing index signature of interfaces, and optional fields, are in the way.
  return value as unknown as Json
}

/** A JSON Schema (2020-12 or draft-07) as the caller wrote it; checked by `agent/schema.ts` before use. */
export type JsonSchema = JsonObject

/** Whether a value is a JSON object, and not null, an array or a primitive. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One step of a JSON Pointer, escaped as in RFC 6901 section 3 (`~` → `~0`, `/` → `~1`). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The unescaped steps of a JSON Pointer; the inverse of `pointerStep`. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a JSON Pointer (RFC 6901); undefined if it does not exist. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value))
      value = /^(0|[1-9]\d*)$/.test(step) ? (value[Number(step)] as Json | undefined) : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/**
 * The value with U+FFFD, of the same length, in place of characters that databases and other JSON readers reject: NUL and lone surrogates.
 */
export function legible<T>(value: T & Jsonable<T>): T {
  // Nearly all values need no replacement, and serialising is faster than visiting.
  return isLegibleText(JSON.stringify(value)) ? value : (legibly(asJson(value)) as T)
}

/** Whether a text of JSON.stringify certainly needs no replacement by `legible`. */
export const isLegibleText = (text: string): boolean => !escaped.test(text)

/** NUL and unpaired surrogates as JSON.stringify writes them; also matches text that spells out such an escape. */
const escaped = /\\u0000|\\ud[89a-f]/

function legibly(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(legibly)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [String(legibly(key)), legibly(one)]))
}

/** Whether `legible` returns a value unchanged. */
export const isLegible = (value: Json): boolean => JSON.stringify(legible(value)) === JSON.stringify(value)
