import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { answerJob } from '../../agent/embedded/answer.ts'
import { checkSchemaJob, findSchemaProblem } from '../../agent/schema.ts'
import { tool } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'

/** Fields of a document by rules, without a language model. */
export const documentExtract = tool({
  name: 'document.extract',
  toolset: 'document',
  description:
    'Fills a JSON Schema from an input document by rules over its labels and tables, without a language model: quick, exact about figures, and null where it finds nothing. Answers the values, and for each how it holds: verified, normalised, derived or unsupported. Use it for a second reading of figures, dates and line items.',
  answers: '{ answer: any; holds: Record<string, "verified" | "normalised" | "derived" | "unsupported"> }',
  input: z.object({
    input: inputName,
    schema: z.looseObject({}).describe('A JSON Schema of an object with the fields to look for'),
  }),
  async run({ input, schema: given }, context, signal) {
    const { packed, input: name } = loadInput(context, input)
    const schema = given as JsonSchema
    const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
    const problem = findSchemaProblem(schema) ?? (await context.workshop.run(checkSchemaJob, { schema }, terms))
    if (problem)
      throw new Fault('invalid', 'bad_schema', `The schema does not hold: ${problem.pointer} ${problem.message}`)
    const asked = { documents: [{ input: name, packed }], values: {}, schema }
    const { answer, evidence } = await context.workshop.run(answerJob, asked, readerTerms(signal))
    const statuses = Object.entries(evidence).map(([pointer, { status }]) => [pointer, status] as const)
    return { answer, holds: Object.fromEntries(statuses) }
  },
})
