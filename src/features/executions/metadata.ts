import { isJsonObject, type Json } from '../../kit/json.ts'
import { invalid } from '../../seams/http/validation.ts'
import type { ExecuteRequest } from './wire.ts'

const known = ['environment', 'session_id', 'allow_logging', 'allow_training', 'allow_retention'] as const
const camelOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The metadata of a request in its one spelling: camelCase names are read as the wire's, what is unknown is kept under
 * `extra`. `allow_logging` and `allow_training` need nothing done: content is never logged and nothing is trained.
 * Throws a ValidationFailure for `allow_retention: false`, which this version cannot keep.
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
  if (read['allow_retention'] === false) {
    throw invalid(
      ['body', 'metadata', 'allow_retention'],
      'This server keeps inputs and records; it cannot run an execution without retention yet',
      { type: 'unavailable', input: false },
    )
  }
  return Object.keys(extra).length > 0 ? { ...read, extra } : read
}
