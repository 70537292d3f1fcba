import { isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { answerJob } from '../../agent/embedded/answer.ts'
import { tool } from '../../agent/tool.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'

/** The tables of a document. */
export const documentTables = tool({
  name: 'document.tables',
  toolset: 'document',
  description:
    'Extract the tables of an input document that have a recognisable header row. Returns their cells row by row, with null for empty cells; `page` is 0-based. Use it for line items, bank statements and other lists with columns.',
  input: z.object({ input: inputName }),
  async run({ input }, context, signal) {
    const { packed, input: name } = loadInput(context, input)
    const asked = { documents: [{ input: name, packed }], values: {}, schema: null }
    const { answer } = await context.processPool.run(answerJob, asked, readerTerms(signal))
    return { tables: (isJsonObject(answer) ? answer['tables'] : undefined) ?? [] }
  },
})
