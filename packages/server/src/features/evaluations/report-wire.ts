import { z } from 'zod'
import { liftConfidence } from './report.ts'

const share = z.number().min(0).max(1)
const armReport = z
  .object({
    completed: z.int(),
    failed: z.int(),
    fields: z.int(),
    agreed: z.int(),
    agreement: share.describe('Share of fields that agree'),
    cost_dollars: z.number(),
    median_ms: z.int().nullable(),
  })
  .meta({ id: 'EvaluationArm' })
const fieldReport = z.object({ fields: z.int(), agreed: z.int() })
const runReport = z
  .object({
    execution_id: z.string().nullable(),
    status: z.enum(['completed', 'failed']),
    error: z.string().nullable(),
    fields: z.int(),
    agreed: z.int(),
    agreement: share,
    disagreements: z
      .array(z.object({ pointer: z.string(), expected: z.unknown(), actual: z.unknown() }))
      .describe('The first 50. A pointer with the prefix + is of a value that only the answer contains'),
  })
  .meta({ id: 'EvaluatedCase' })
const lift = z
  .object({
    cases: z.int().describe('Cases that ran in both arms'),
    mean: z.number().describe('Mean difference of the agreement per case, from -1 to 1'),
    lower: z.number().describe(`Lower end of the ${liftConfidence * 100} % interval, valid under repeated looks`),
    upper: z.number(),
  })
  .meta({ id: 'EvaluationLift' })
const byArm = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ with: schema.optional(), without: schema.optional(), before: schema.optional() })

/** The report of a completed evaluation. */
export const evaluationReport = z.object({
  cases: z.int(),
  arms: byArm(armReport),
  lift: z
    .object({ without: lift.optional(), before: lift.optional() })
    .optional()
    .describe(
      'How much better the version is than a run without it and than the previous version: paired by case, anytime-valid',
    ),
  fields: z.array(byArm(fieldReport).extend({ field: z.string().describe('Items of lists appear as *') })),
  results: z.array(z.object({ case_id: z.string(), runs: byArm(runReport) })),
  gate: z
    .object({ passed: z.boolean(), because: z.string().nullable() })
    .nullable()
    .describe('null: the version sets no publish_gate'),
})
export type EvaluationReport = z.infer<typeof evaluationReport>
