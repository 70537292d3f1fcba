import { layoutDocument, lineText } from '../../src/layout/layout.ts'
import type { ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { kinds, layoutNames, makeDocument } from '../documents/document.ts'
import { render, type Variant } from '../documents/render.ts'
import type { Split } from '../documents/words.ts'
import { makeAgreement } from '../forms/agreements.ts'
import { formKinds, makeForm } from '../forms/made-forms.ts'
import { kept } from './kept.ts'
import type { LabelledDocument } from './labelled.ts'
import { shareOf } from './questions.ts'

/** How generated documents reach the reader: as PDF, as recognised scans, and as the plain text of the PDF. */
export type Form = Exclude<Variant, 'scan'> | 'text'

/** Each document has a seed of its own, by its name: its language, parties and amounts are not those of other layouts. */
const seeds = 1_000_000

/** Documents of each layout in each form. Recognising a page takes seconds, so scans are few. */
const perLayout: Readonly<Record<Form, number>> = { pdf: 1, text: 1, noisy: 1 }

/** Generated documents, every layout of a split. The same split gives the same documents. */
export async function* madeDocuments(
  split: Split,
  { cache, forms = ['pdf', 'text', 'noisy'], first = 70_000, takes = () => true }: MadeOptions,
): AsyncGenerator<LabelledDocument> {
  for (const form of forms)
    for (const kind of kinds)
      for (const layout of layoutNames(kind, split))
        for (let n = 0; n < perLayout[form]; n++) {
          const name = `${split}-${kind}-${layout}-${form}-${n}`
          if (!takes(name)) continue
          const seed = first + Math.floor(shareOf(name) * seeds)
          const id = `${name}-${seed}`
          const document = await kept(cache, id, async () => {
            const made = await makeDocument({ kind, seed, split, layout })
            const { schema, truth, accepts } = made
            return { schema, truth, accepts, document: await read(made.pdf, form, seed) }
          })
          const recognised = form === 'noisy'
          yield { set: `${recognised ? 'scanned-' : ''}made-${kind}`, id, recognised, ...document }
        }
}

/** Forms of each kind in each form of document. */
const perKind: Readonly<Record<Form, number>> = { pdf: 8, text: 3, noisy: 1 }
/** Of the kinds, every third is made as scans: recognising takes seconds. */
const kindsPerScan = 3
/** Kinds of forms are left out of training in groups of so many. */
const kindsPerSet = 11

/** Generated forms of kinds that no rule knows. */
export async function* madeForms({
  cache,
  forms = ['pdf', 'text', 'noisy'],
  takes = () => true,
}: MadeOptions): AsyncGenerator<LabelledDocument> {
  for (const form of forms)
    for (const [at, kind] of formKinds('train').entries())
      for (let n = 0; n < perKind[form]; n++) {
        const id = `form-${kind}-${form}-${n}`
        if (!takes(id) || (form === 'noisy' && at % kindsPerScan > 0)) continue
        const seed = Math.floor(shareOf(id) * seeds)
        const document = await kept(cache, `${id}-${seed}`, async () => {
          const { pdf, schema, truth } = await makeForm(kind, seed)
          return { schema, truth, accepts: {}, document: await read(pdf, form, seed) }
        })
        const recognised = form === 'noisy'
        const set = `made-forms-${1 + Math.floor(at / kindsPerSet)}`
        yield { set: recognised ? `scanned-${set}` : set, id, recognised, ...document }
      }
}

const agreements: Readonly<Record<Form, number>> = { pdf: 40, text: 12, noisy: 0 }

/** Generated agreements in prose. */
export async function* madeAgreements({
  cache,
  forms = ['pdf', 'text', 'noisy'],
  takes = () => true,
}: MadeOptions): AsyncGenerator<LabelledDocument> {
  for (const form of forms)
    for (let n = 0; n < agreements[form]; n++) {
      const id = `agreement-${form}-${n}`
      if (!takes(id)) continue
      const seed = Math.floor(shareOf(id) * seeds)
      const document = await kept(cache, `${id}-${seed}`, async () => {
        const { pdf, ...asked } = await makeAgreement(seed)
        return { ...asked, document: await read(pdf, form, seed) }
      })
      yield { set: 'made-agreements', id, recognised: false, ...document }
    }
}

export interface MadeOptions {
  /** A folder that keeps what was read; without it everything is made again. */
  readonly cache: string | undefined
  readonly forms?: readonly Form[]
  readonly first?: number
  /** Which documents are wanted, by name. */
  readonly takes?: (name: string) => boolean
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
