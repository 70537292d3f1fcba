import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, pageList, readerTerms } from '../documents.ts'
import { pagesJob } from './pages.ts'

/** Pages of a document as lines with boxes. */
export const documentRead = tool({
  name: 'document.read',
  toolset: 'document',
  description:
    'Read pages of an input document. Returns the lines of each page from top to bottom, each with its box [x, y, w, h] in thousandths of the page, y downwards; `recognised` is true if the text comes from OCR. If a page is too long for one result, `goesOnAt` is the line to pass as `from_line` next. Use it to read pages that were left out of the prompt, and to check or locate a value.',
  answers:
    '{ pageCount: number; pages: Array<{ page: number; recognised: boolean; lines: Array<{ text: string; box: number[] }>; goesOnAt?: number }> }',
  input: z.object({
    input: inputName,
    pages: pageList,
    from_line: z.int().min(1).default(1).describe('First line to return of each page, counted from 1'),
  }),
  async run({ input, pages, from_line: fromLine }, context, signal) {
    const { packed, pageCount, firstPage } = loadInput(context, input)
    if (firstPage && fromLine === 1 && pages.length === 1 && pages[0] === 1) return { pageCount, pages: [firstPage] }
    return {
      pageCount,
      pages: await context.processPool.run(pagesJob, { packed, pages, fromLine }, readerTerms(signal)),
    }
  },
})
