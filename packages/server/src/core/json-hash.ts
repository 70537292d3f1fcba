import { createHash } from 'node:crypto'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'

/** The SHA-256 of a JSON value in hexadecimal, independent of the order of members, but not of items. */
export const hashOf = (value: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([name, member]) => [name, sorted(member)])
}
