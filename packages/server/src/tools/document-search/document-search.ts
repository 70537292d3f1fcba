import { z } from 'zod'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'
import { searchJob } from './search.ts'

/** Where words stand in a document. */
export const documentSearch = tool({
  name: 'document.search',
  toolset: 'document',
  description:
    'Finds words in an input document, whatever their case and accents: each hit with its page, its line and the lines beside it. Use it on long documents to find the page that says something.',
  answers: '{ count: number; hits: Array<{ page: number; line: string; before: string; after: string }> }',
  input: z.object({
    input: inputName,
    query: z.string().min(1).max(200).describe('Words that stand together in one line'),
  }),
  async run({ input, query }, context, signal) {
    const { packed } = loadInput(context, input)
    return await context.workshop.run(searchJob, { packed, query }, readerTerms(signal))
  },
})
