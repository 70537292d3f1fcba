import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, pageList, readerTerms } from '../documents.ts'
import { editAndKeep } from '../pictures.ts'
import { findBoxesJob } from './find-boxes.ts'

/** Pages of one call: each is drawn and kept. */
const drawnMax = 20

/** Pages of a document with words under black boxes. */
export const documentRedact = tool({
  name: 'document.redact',
  toolset: 'document',
  description:
    'Covers words of a PDF or picture with black boxes wherever they stand (names, account numbers), whatever their case and accents, and keeps each page with some as a picture: nothing is left under a box. Answers the ids by page, and which words stand nowhere.',
  answers: '{ pages: Array<{ page: number; id: string; boxes: number }>; missing: string[] }',
  input: z.object({
    input: inputName,
    words: z.array(z.string().min(2).max(200)).min(1).max(50).describe('Words, or words that follow each other'),
    pages: pageList.optional().describe('Page numbers, the first page is 1; all where left out'),
  }),
  async run({ input, words, pages }, context, signal) {
    const document = loadInput(context, input)
    const wanted = { packed: document.packed, words, pages: pages ? pages.map((page) => page - 1) : null }
    const found = await context.workshop.run(findBoxesJob, wanted, readerTerms(signal))
    if (found.pages.length > drawnMax)
      throw new Fault(
        'too_large',
        'too_many_pages',
        `The words stand on ${found.pages.length} pages; ${drawnMax} are drawn at once, name them with pages`,
      )
    const kept: Json[] = []
    for (const { page, boxes } of found.pages) {
      const asked = {
        image: document.input,
        page: page + 1,
        edit: { does: 'cover' as const, boxes },
        filename: `redacted-${page + 1}`,
      }
      const { id } = (await editAndKeep(context, asked, signal)) as { id: string }
      kept.push({ page: page + 1, id, boxes: boxes.length })
    }
    return { pages: kept, missing: [...found.missing] }
  },
})
