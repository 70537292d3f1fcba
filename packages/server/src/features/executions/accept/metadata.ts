import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import type { ExecuteRequest } from '../wire/request.ts'

const known = ['environment', 'session_id', 'allow_logging', 'allow_training', 'allow_retention'] as const
const camelOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The normalised metadata of a request: camelCase names become those of the wire format, unknown ones go under `extra`. `allow_logging` has
 * no effect: content is never logged. `retention.ts` implements the rest.
 */
export function readMetadata({ metadata }: Pick<ExecuteRequest, 'metadata'>): Record<string, Json> {
  const given = (metadata ?? {}) as Record<string, Json>
  const read: Record<string, Json> = {}
  const extra: Record<string, Json> = isJsonObject(given['extra']) ? { ...given['extra'] } : {}
  for (const [key, value] of Object.entries(given)) {
    if (value === null || key === 'extra') continue
    const name = known.find((one) => one === key || camelOf(one) === key)
    if (!name) extra[key] = value
    else if (name === key || read[name] === undefined) read[name] = value
  }
  return Object.keys(extra).length > 0 ? { ...read, extra } : read
}
