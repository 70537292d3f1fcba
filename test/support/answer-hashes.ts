import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { JsonSchema } from '../../packages/core/src/json.ts'
import { readDocument } from '../../packages/reader/src/media/read-document.ts'
import { read, type Source } from '../../packages/reader/src/reader.ts'

/** A document, and what is read from it. */
export interface Asked {
  readonly source: Source
  readonly schema: JsonSchema
  readonly maxWrongRate?: number
  readonly isPhotograph?: boolean
}

/** The hash of an answer with its evidence; of a photograph, of all its words with their places and confidences. */
export const hashOf = async ({ source, isPhotograph, ...wish }: Asked): Promise<string> =>
  createHash('sha256')
    .update(
      JSON.stringify(
        isPhotograph && source instanceof Uint8Array ? await readDocument({ bytes: source }) : await read(source, wish),
      ),
    )
    .digest('hex')

/** A document for another process, with bytes in base64. */
type Sent = Omit<Asked, 'source'> & ({ readonly text: string } | { readonly base64: string })

export const sent = ({ source, ...wish }: Asked): Sent =>
  source instanceof Uint8Array
    ? { ...wish, base64: Buffer.from(source).toString('base64') }
    : { ...wish, text: (source as { text: string }).text }

// As a program: documents on standard input, the hashes of their answers on standard output.
if (import.meta.main) {
  const hashes: string[] = []
  for (const one of JSON.parse(await text(process.stdin)) as Sent[]) {
    const source = 'text' in one ? { text: one.text } : Buffer.from(one.base64, 'base64')
    const { schema, maxWrongRate, isPhotograph = false } = one
    hashes.push(await hashOf({ source, schema, isPhotograph, ...(maxWrongRate !== undefined && { maxWrongRate }) }))
  }
  process.stdout.write(JSON.stringify(hashes))
}
