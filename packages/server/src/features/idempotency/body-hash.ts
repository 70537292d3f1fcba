import { createHash } from 'node:crypto'
import { jsonPieces } from '../../core/json-pieces.ts'

/** The SHA-256 of a JSON value, equal for different spellings of one body: see `jsonPieces`. */
export async function bodySha256(value: unknown): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of jsonPieces(value, 'canonical')) hash.update(piece)
  return hash.digest()
}
