import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { jsonPieces } from '../../kit/json-pieces.ts'

/** As `jsonb`, for an object or array that may be as large as a request: it is written in pieces, and others are served between them. */
export async function largeJsonb(value: Readonly<Record<string, unknown>> | readonly unknown[]): Promise<string> {
  const pieces: string[] = []
  for await (const piece of jsonPieces(value, 'plain')) pieces.push(piece)
  // Sending it takes as long as writing it.
  if (pieces.length > 1) await otherRequestsFirst()
  return pieces.join('')
}
