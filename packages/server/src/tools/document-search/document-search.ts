import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'
import { searchJob } from './search.ts'

/** Lines of a document that contain a phrase. */
export const documentSearch = tool({
  name: 'document.search',
  toolset: 'document',
  description:
    'Search an input document for a phrase, ignoring case and accents. Returns the number of matching lines and the first 20 of them, each with its 1-based page and the lines before and after. A phrase is only found within one line, so search for a few distinctive words. Use it on long documents to find the page to read.',
  answers: '{ count: number; hits: Array<{ page: number; line: string; before: string; after: string }> }',
  input: z.object({
    input: inputName,
    query: z.string().min(1).max(200).describe('Phrase to find within one line'),
  }),
  async run({ input, query }, context, signal) {
    const { packed } = loadInput(context, input)
    return await context.processPool.run(searchJob, { packed, query }, readerTerms(signal))
  },
})
