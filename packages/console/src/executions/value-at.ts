import { isJsonObject, type Json } from '../wire.ts'

/** The value at a JSON Pointer (RFC 6901). */
export function valueAt(answer: Json, pointer: string): Json | undefined {
  let value: Json | undefined = answer
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = value[key]
    else return undefined
  }
  return value
}

/** The answer with null at the places that it lacks and a person should look for. */
export const withAbsent = (answer: Json, doubts: ReadonlySet<string>): Json =>
  [...doubts].reduce((whole, pointer) => including(whole, pointer.split('/').slice(1)), answer)

/** The same value if it has the place already, and what is no object or list stays. */
function including(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return value
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Array.isArray(value)) {
    const item = value[Number(key)]
    const full = item === undefined ? undefined : including(item, rest)
    return full === undefined || full === item ? value : value.with(Number(key), full)
  }
  if (value !== null && !isJsonObject(value)) return value
  const has = value !== null && Object.hasOwn(value, key)
  const inner = has ? (value[key] ?? null) : null
  const full = including(inner, rest)
  return has && full === inner ? value : { ...value, [key]: full }
}
