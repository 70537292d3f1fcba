import { z } from 'zod'
import { linesJob } from '../../agent/programs/lines.ts'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'

/** Every line of the documents with the dates and amounts in it. Programs written by the embedded engine work on this. */
export const documentLines = tool({
  name: 'document.lines',
  toolset: 'document',
  description:
    'Return every line of an input document from top to bottom, or of all documents in order if no input is named. Each line has its 0-based page and its cells; each cell has its text, its box [x, y, w, h] as fractions of the page, the time range in seconds (video and audio only), and the dates and amounts printed in it.',
  answers:
    'Array<{ input: string; page: number; cells: Array<{ text: string; box: number[]; seconds?: [from: number, to: number]; values: Array<{ kind: "date"; printed: string; start: number; end: number; value: string; dayFirst: string; monthFirst: string } | { kind: "amount"; printed: string; start: number; end: number; value: number; decimals: number }> }> }>',
  input: z.object({ input: inputName }),
  async run({ input }, context, signal) {
    const documents = input === undefined ? context.documents : [loadInput(context, input)]
    const asked = { documents: documents.map(({ input: name, packed }) => ({ input: name, packed })) }
    return await context.processPool.run(linesJob, asked, readerTerms(signal))
  },
})
