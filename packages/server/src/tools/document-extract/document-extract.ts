import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { answerJob } from '../../agent/embedded/answer.ts'
import { checkSchemaJob, findSchemaProblem } from '../../agent/schema/schema.ts'
import { tool } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { inputName, loadInput, readerTerms } from '../documents.ts'

/** Fields of a document, extracted by the rules of the embedded engine. */
export const documentExtract = tool({
  name: 'document.extract',
  toolset: 'document',
  description:
    'Extract the fields of a JSON Schema from an input document with fixed rules over its labels and tables; no language model is called, so it is fast and free. Fields it cannot find are null. `answer` holds the values; `holds` gives the status of each by JSON Pointer: "verified" (printed exactly so), "normalised" (printed in another format), "derived" (inferred) or "unsupported" (not found). Use it to cross-check amounts, dates and line items that you have read yourself.',
  answers: '{ answer: any; holds: Record<string, "verified" | "normalised" | "derived" | "unsupported"> }',
  input: z.object({
    input: inputName,
    schema: z.looseObject({}).describe('JSON Schema of an object whose properties are the fields to extract'),
  }),
  async run({ input, schema: given }, context, signal) {
    const { packed, input: name } = loadInput(context, input)
    const schema = given as JsonSchema
    const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
    const problem = findSchemaProblem(schema) ?? (await context.processPool.run(checkSchemaJob, { schema }, terms))
    if (problem)
      throw new Fault(
        'invalid',
        'bad_schema',
        `The schema is invalid${problem.pointer === '' ? '' : ` at ${problem.pointer}`}: ${problem.message}`,
      )
    const asked = { documents: [{ input: name, packed }], values: {}, schema }
    const { answer, evidence } = await context.processPool.run(answerJob, asked, readerTerms(signal))
    const statuses = Object.entries(evidence).map(([pointer, { status }]) => [pointer, status] as const)
    return { answer, holds: Object.fromEntries(statuses) }
  },
})
