import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type ToolContext, type ToolMedia, tool } from '../../agent/tool.ts'
import { formTerms } from '../../media/form/form.ts'
import { splitPdfJob } from '../../media/pdf/split-pdf.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'
import { type FoundDocument, type FoundDocuments, findDocumentsJob } from './find-documents.ts'

/** PDF files that one call saves. */
const filesMax = 50

const hundredths = (value: number): number => Math.round(value * 100) / 100

/** The documents of a packet, such as a stack of papers that was scanned into one PDF. */
export const documentSplit = tool({
  name: 'document.split',
  toolset: 'document',
  description: `Find the documents in a file that contains several, such as a scanned packet of invoices and letters, and save each as a PDF artifact. Returns first and last page of each, its kind among \`kinds\` (null when none fits), \`confidence\` that it starts and ends there, \`kind_confidence\`, and the artifact id. Blank pages between documents are left out. Up to ${filesMax} files are saved, only from PDF inputs; \`notes\` says what was left out. A file with one document returns one. Look at pages with \`document.read\` where the confidence is below 0.8.`,
  answers:
    '{ documents: Array<{ first_page: number; last_page: number; kind: string | null; kind_confidence: number | null; confidence: number; id: string | null }>; notes: string[] }',
  input: z.object({
    input: inputName,
    kinds: z
      .array(z.string().min(1).max(100))
      .max(50)
      .default([])
      .describe('Kinds of documents in your words, such as "invoice" or "delivery note"; default: the usual kinds'),
    save: z.boolean().default(true).describe('Whether to save each document as a PDF'),
  }),
  async run({ input, kinds, save }, context, signal) {
    const document = loadInput(context, input)
    const found = await context.processPool.run(
      findDocumentsJob,
      { packed: document.packed, kinds },
      readerTerms(signal),
    )
    const files = save ? await saveEach(found, { context, name: document.input, signal }) : { ids: [], notes: [] }
    return {
      documents: found.documents.map(({ first, last, kind, kindConfidence, confidence }, index) => ({
        first_page: first + 1,
        last_page: last + 1,
        kind,
        kind_confidence: kindConfidence === null ? null : hundredths(kindConfidence),
        confidence: hundredths(confidence),
        id: files.ids[index] ?? null,
      })),
      notes: [...unreadNotes(found), ...files.notes],
    }
  },
})

const unreadNotes = ({ documents, unread }: FoundDocuments): string[] => [
  ...(documents.length === 0 ? ['No page has text, so no document was found.'] : []),
  ...unread.map(({ indices, reason }) => `${indices.length} pages were not read and belong to no document: ${reason}.`),
]

interface Saving {
  readonly context: ToolContext
  readonly name: string
  readonly signal: AbortSignal
}

/** Saves the documents of a PDF. A file that cannot be split is no reason to fail: its documents are known. */
async function saveEach(
  { documents, isPdf }: FoundDocuments,
  { context, name, signal }: Saving,
): Promise<{ ids: readonly string[]; notes: readonly string[] }> {
  const { media } = context
  if (!media || !isPdf) return { ids: [], notes: ['No files were saved: only a PDF can be split into files.'] }
  const kept = documents.slice(0, filesMax)
  const notes = documents.length > filesMax ? [`Only the first ${filesMax} documents were saved as files.`] : []
  try {
    const files = await media.withBytes(
      name,
      (path) => context.processPool.run(splitPdfJob, { path, ranges: kept }, formTerms(signal)),
      signal,
    )
    return { ids: await keepEach(media, kept, files), notes }
  } catch (error) {
    if (!(error instanceof Fault) || !unsplittable.has(error.code)) throw error
    return { ids: [], notes: [`No files were saved: ${error.message}`] }
  }
}

const unsplittable = new Set(['encrypted_document', 'unreadable_document', 'not_a_pdf'])

async function keepEach(
  media: ToolMedia,
  documents: readonly FoundDocument[],
  files: readonly Uint8Array[],
): Promise<string[]> {
  const ids: string[] = []
  for (const [index, bytes] of files.entries()) {
    const { first = 0, last = 0 } = documents[index] ?? {}
    const filename = `pages-${first + 1}-${last + 1}.pdf`
    ids.push(await media.keep({ kind: 'doc', filename, contentType: 'application/pdf', bytes }))
  }
  return ids
}
