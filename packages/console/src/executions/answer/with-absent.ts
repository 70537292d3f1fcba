import { pointerSteps } from '@skillrun/core/json.ts'
import { isJsonObject, type Json } from '../../wire.ts'

/** The answer with null at the places that it lacks and a person should look for. */
export const withAbsent = (answer: Json, doubts: ReadonlySet<string>): Json =>
  [...doubts].reduce((whole, pointer) => including(whole, pointerSteps(pointer)), answer)

/** The same value if it has the place already, and what is no object or list stays. */
function including(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined) return value
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
