import { z } from 'zod'
import { linesJob } from '../../agent/programs/lines.ts'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'

/** Every line of the documents with what can be read in it: what the programs that the embedded engine writes work on. */
export const documentLines = tool({
  name: 'document.lines',
  toolset: 'document',
  description:
    'Gives every line of an input document from the top, or of all documents in their order when no input is named: its cells with their text, their box [x, y, w, h] in fractions of the page, when they are seen or heard in film and sound, and the dates and amounts that stand in them.',
  answers:
    'Array<{ input: string; page: number; cells: Array<{ text: string; box: number[]; seconds?: [from: number, to: number]; values: Array<{ kind: "date"; printed: string; start: number; end: number; value: string; dayFirst: string; monthFirst: string } | { kind: "amount"; printed: string; start: number; end: number; value: number; decimals: number }> }> }>',
  input: z.object({ input: inputName }),
  async run({ input }, context, signal) {
    const documents = input === undefined ? context.documents : [loadInput(context, input)]
    const asked = { documents: documents.map(({ input: name, packed }) => ({ input: name, packed })) }
    return await context.workshop.run(linesJob, asked, readerTerms(signal))
  },
})
