import { Fault } from '@skillrun/core/fault.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { riskOf, wrongRates } from '@skillrun/reader/score/risk.ts'
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
    'Extract the fields of a JSON Schema from an input document with fixed rules over its labels and tables; no language model is called, so it is fast and free. Fields it cannot find are null. `answer` holds the values; `holds` gives the status of each by JSON Pointer: "verified" (printed exactly so), "normalised" (printed in another format), "derived" (inferred) or "unsupported" (not found). With `max_wrong_rate`, fields that are not certain enough for it are null; `scores` holds the calibrated probability of each value, and `candidates` the likeliest values of each null, with their places. Use it to cross-check amounts, dates and line items that you have read yourself.',
  answers:
    '{ answer: any; holds: Record<string, "verified" | "normalised" | "derived" | "unsupported">; scores?: Record<string, number>; candidates?: Record<string, { value: any; score: number; page: number | null; box: number[] | null; quote: string | null }[]> }',
  input: z.object({
    input: inputName,
    schema: z.looseObject({}).describe('JSON Schema of an object whose properties are the fields to extract'),
    max_wrong_rate: z
      .number()
      .min(wrongRates.min)
      .max(wrongRates.max)
      .optional()
      .describe(`Maximum share of wrong values, ${wrongRates.min} to ${wrongRates.max}`),
  }),
  async run({ input, schema: given, max_wrong_rate: maxWrongRate }, context, signal) {
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
    const risk = maxWrongRate === undefined ? null : riskOf(maxWrongRate)
    const asked = { documents: [{ input: name, packed }], values: {}, schema, risk }
    const { answer, evidence } = await context.processPool.run(answerJob, asked, readerTerms(signal))
    const statuses = Object.entries(evidence).map(([pointer, { status }]) => [pointer, status] as const)
    const holds = Object.fromEntries(statuses)
    return maxWrongRate === undefined ? { answer, holds } : { answer, holds, ...scoresIn(evidence) }
  },
})

/** The calibrated probabilities of values, and of what may be the value where there is none. */
function scoresIn(evidence: EvidenceMap): Readonly<Record<'scores' | 'candidates', Readonly<Record<string, Json>>>> {
  const entries = Object.entries(evidence)
  return {
    scores: Object.fromEntries(
      entries.flatMap(([pointer, { status, confidence }]) =>
        status === 'unsupported' ? [] : [[pointer, confidence] as const],
      ),
    ),
    candidates: Object.fromEntries(
      entries.flatMap(([pointer, { candidates = [] }]) =>
        candidates.length === 0
          ? []
          : [
              [
                pointer,
                candidates.map(({ value, confidence, page = null, bbox, quote = null }) => ({
                  ...{ value, score: confidence, page, box: bbox ? [...bbox] : null, quote },
                })),
              ] as const,
            ],
      ),
    ),
  }
}
