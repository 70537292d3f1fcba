import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, pageList, readerTerms } from '../documents.ts'
import { editAndKeep } from '../images.ts'
import { findBoxesJob } from './find-boxes.ts'

/** Pages that one call renders and keeps. */
const drawnMax = 20

/** Pages of a document as images with words covered. */
export const documentRedact = tool({
  name: 'document.redact',
  toolset: 'document',
  description:
    'Redact words of a PDF or image: cover every occurrence with a black box, ignoring case and accents, and save each affected page as an image artifact. The covered pixels are replaced, so nothing can be recovered from under a box. Returns the artifact id and number of boxes per page; `missing` lists the words that were not found. Check `missing` before you report that something was redacted.',
  answers: '{ pages: Array<{ page: number; id: string; boxes: number }>; missing: string[] }',
  input: z.object({
    input: inputName,
    words: z.array(z.string().min(2).max(200)).min(1).max(50).describe('Words or phrases to cover'),
    pages: pageList.optional().describe('Page numbers, starting at 1; default: all pages'),
  }),
  async run({ input, words, pages }, context, signal) {
    const document = loadInput(context, input)
    const wanted = { packed: document.packed, words, pages: pages ? pages.map((page) => page - 1) : null }
    const found = await context.processPool.run(findBoxesJob, wanted, readerTerms(signal))
    if (found.pages.length > drawnMax)
      throw new Fault(
        'too_large',
        'too_many_pages',
        `The words occur on ${found.pages.length} pages; one call redacts at most ${drawnMax}: pass up to ${drawnMax} page numbers in pages`,
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
