import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { jsonText } from '../../core/json-pieces.ts'
import { isLargeJson } from '../../core/parse-json.ts'

/** As `jsonb`, for a value that may be as large as a request: it is written in pieces, and others are served between them. */
export async function largeJsonb(value: unknown): Promise<string> {
  const text = await jsonText(value)
  // Sending it takes as long as writing it.
  if (isLargeJson(text)) await otherRequestsFirst()
  return text
}
