import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { jsonText } from '../../core/json-pieces.ts'
import { isLargeJson } from '../../core/parse-json.ts'

/** As `jsonb`, for a value that may be as large as a request: yields to other requests between parts. */
export async function largeJsonb(value: unknown): Promise<string> {
  const text = await jsonText(value)
  // Sending it takes as long as serialising it.
  if (isLargeJson(text)) await otherRequestsFirst()
  return text
}
