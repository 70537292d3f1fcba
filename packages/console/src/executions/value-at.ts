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
