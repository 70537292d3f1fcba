import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { layoutDocument, lineText } from '../../src/layout/layout.ts'
import type { ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { kinds, layoutNames, makeDocument } from '../documents/document.ts'
import { render, type Variant } from '../documents/render.ts'
import type { Split } from '../documents/words.ts'
import type { LabelledDocument } from './labelled.ts'

/** How generated documents reach the reader: as PDF, as recognised scans, and as the plain text of the PDF. */
type Form = Exclude<Variant, 'scan'> | 'text'

/** Documents of each layout in each form. Recognising a page takes seconds, so scans are few. */
const perLayout: Readonly<Record<Form, number>> = { pdf: 2, text: 1, noisy: 1 }

/** Generated documents, every layout of a split. The same split gives the same documents. */
export async function* madeDocuments(
  split: Split,
  { cache, forms = ['pdf', 'text', 'noisy'], first = 70_000 }: MadeOptions,
): AsyncGenerator<LabelledDocument> {
  for (const form of forms)
    for (const kind of kinds)
      for (const layout of layoutNames(kind, split))
        for (let n = 0; n < perLayout[form]; n++) {
          const seed = first + n
          const id = `${split}-${kind}-${layout}-${form}-${seed}`
          const document = await kept(cache, id, async () => {
            const made = await makeDocument({ kind, seed, split, layout })
            const { schema, truth, accepts } = made
            return { schema, truth, accepts, document: await read(made.pdf, form, seed) }
          })
          yield { set: `made-${kind}`, id, recognised: form === 'noisy', ...document }
        }
}

export interface MadeOptions {
  /** A folder that keeps what was read; without it everything is made again. */
  readonly cache: string | undefined
  readonly forms?: readonly Form[]
  readonly first?: number
}

type Made = Pick<LabelledDocument, 'schema' | 'truth' | 'accepts' | 'document'>

async function kept(cache: string | undefined, id: string, make: () => Promise<Made>): Promise<Made> {
  if (cache === undefined) return await make()
  const place = join(cache, `${id}.gz`)
  if (existsSync(place)) return deserialize(gunzipSync(await readFile(place))) as Made
  const made = await make()
  await mkdir(cache, { recursive: true })
  await writeFile(place, gzipSync(serialize(made)))
  return made
}

async function read(pdf: Buffer, form: Form, seed: number): Promise<ReadDocument> {
  if (form === 'pdf') return await readDocument({ bytes: pdf })
  if (form === 'text') {
    const pages = layoutDocument(await readDocument({ bytes: pdf }), 0)
    const lines = pages.flatMap((page) => page.lines.map(lineText))
    return await readDocument({ text: lines.join('\n') })
  }
  const { bytes } = await render(pdf, form, seed)
  return await readDocument({ bytes })
}
