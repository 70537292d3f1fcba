import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, pageList, readerTerms } from '../documents.ts'
import { pagesJob } from './pages.ts'

/** Pages of a document as text with the place of every line. */
export const documentRead = tool({
  name: 'document.read',
  toolset: 'document',
  description:
    'Reads pages of an input document: its lines from the top, each with its place on the page [x, y, w, h] in thousandths of the page. Use it to look at a page again or at one that was left out.',
  answers:
    '{ pageCount: number; pages: Array<{ page: number; recognised: boolean; lines: Array<{ text: string; box: number[] }>; goesOnAt?: number }> }',
  input: z.object({
    input: inputName,
    pages: pageList,
    from_line: z
      .int()
      .min(1)
      .default(1)
      .describe('The first line to give of each page; long pages say where they go on'),
  }),
  async run({ input, pages, from_line: fromLine }, context, signal) {
    const { packed, pageCount, firstPage } = loadInput(context, input)
    if (firstPage && fromLine === 1 && pages.length === 1 && pages[0] === 1) return { pageCount, pages: [firstPage] }
    return { pageCount, pages: await context.workshop.run(pagesJob, { packed, pages, fromLine }, readerTerms(signal)) }
  },
})
