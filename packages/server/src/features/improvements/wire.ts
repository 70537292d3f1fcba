import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { dollarsOf } from '../../core/money.ts'
import { improveDefaults } from './begin.ts'
import type { Improvement, Proposal } from './improvement.ts'
import { type CaseResult, confidenceFor, verdictOf, wrongPublicationMax } from './verdict.ts'

/** Optional body of POST /v1/skills/{id}/improve. */
export const improveRequest = z
  .object({
    proposals: z
      .int()
      .min(1)
      .max(improveDefaults.proposalsMax)
      .nullish()
      .describe(`How many proposals the model writes; default ${improveDefaults.proposals}`),
    max_cost_dollars: z
      .number()
      .nonnegative()
      .max(1_000_000)
      .nullish()
      .describe(`Most that all runs together may cost; default ${improveDefaults.dollars}`),
    model: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe('Runs the cases; if absent, the model of the skill, or the default'),
    writer_model: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe('Writes the proposals; if absent, the language model of that model, or the strongest of the server'),
  })
  .nullish()
  .meta({ id: 'ImproveRequest' })

const failure = z.object({ code: z.string(), message: z.string() })
const share = z.object({
  agreed: z.int(),
  fields: z.int(),
  agreement: z.number().min(0).max(1).describe('Share of fields that agree'),
})

const proposal = z.object({
  number: z.int(),
  verdict: z
    .enum(['better', 'worse', 'undecided', 'duplicate', 'failed'])
    .nullable()
    .describe('null: not judged yet. Only a better one is published'),
  instructions: z.string().nullable(),
  summary: z.string().nullable().describe('What changed, in the words of the model'),
  error: failure.nullable(),
  lift: z
    .object({
      cases: z.int().describe('Cases that the version and the proposal both ran'),
      mean: z.number().describe('Mean difference of the agreement per case, from -1 to 1'),
      lower: z.number(),
      upper: z.number(),
    })
    .nullable()
    .describe('Paired by case, anytime-valid, and valid for all proposals together'),
  before: share.nullable().describe('The version on these cases'),
  after: share.nullable(),
  results: z.array(
    z.object({
      case_id: z.string(),
      before: z.object({
        execution_id: z.string().nullable(),
        agreed: z.int(),
        fields: z.int(),
        error: z.string().nullable(),
      }),
      after: z.object({
        execution_id: z.string().nullable(),
        agreed: z.int(),
        fields: z.int(),
        error: z.string().nullable(),
      }),
    }),
  ),
})

/** An improvement with its report so far. */
export const improvementRecord = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'completed', 'failed', 'cancelled']),
    skill_id: z.string(),
    skill_name: z.string(),
    skill_version: z.string(),
    number: z.int(),
    instructions: z.string().nullable().describe('Of that version; null: it was deleted'),
    model: z.string().describe('Runs the cases'),
    answered_by: z.string().describe('The engine behind that model'),
    writer_model: z.string(),
    max_cost_dollars: z.number(),
    cost_dollars: z.number(),
    cases: z.object({
      training: z.int().describe('Cases that the writing model may see'),
      judging: z.int().describe('Cases that decide, and that it never sees'),
    }),
    progress: z.object({ runs: z.int().describe('Runs planned'), ended: z.int() }),
    confidence: z.number().describe('Of each end of the lift of each proposal'),
    outcome: z
      .object({
        code: z.enum(['published', 'held', 'nothing_better', 'nothing_to_improve', 'cannot_decide', 'superseded']),
        message: z.string(),
      })
      .nullable(),
    published_skill_id: z.string().nullable().describe('The version made from the best proposal'),
    compared_again: z
      .object({ answered_by: z.string(), evaluation_id: z.string() })
      .nullable()
      .describe(
        'The evaluation of the published version that began by itself when another engine came to answer the model; null: none',
      ),
    proposals: z.array(proposal),
    error: failure.nullable(),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'SkillImprovement',
    description: `At most ${wrongPublicationMax * 100} % of improvements publish a version that is not better`,
  })
export const improvementList = z.array(improvementRecord)

export const improvementsQuery = z.object({
  limit: queryInteger({ fallback: 20, min: 1, max: 100 }, 'Maximum number of items to return, newest first'),
})

export function improvementOf(
  one: Improvement,
  more: { instructions: string | null; proposals: readonly Proposal[]; ended: number; costMicros: number },
): z.infer<typeof improvementRecord> {
  const before = more.proposals.find(({ number }) => number === 0)?.results ?? []
  return {
    id: one.id,
    status: one.status,
    skill_id: one.skillId,
    skill_name: one.skillName,
    skill_version: one.skillVersion,
    number: one.number,
    instructions: more.instructions,
    model: one.model,
    answered_by: one.answeredBy,
    writer_model: one.writer,
    max_cost_dollars: dollarsOf(one.budgetMicros),
    cost_dollars: dollarsOf(more.costMicros),
    cases: { training: one.trainingCases, judging: one.judgingCases },
    progress: {
      runs: one.trainingCases + one.judgingCases + one.proposalsMax * (1 + one.judgingCases),
      ended: more.ended,
    },
    confidence: confidenceFor(one.proposalsMax),
    outcome: one.outcome,
    published_skill_id: one.publishedId,
    compared_again: one.evaluationId === null ? null : { answered_by: one.comparedBy, evaluation_id: one.evaluationId },
    proposals: more.proposals.filter(({ number }) => number > 0).map((each) => proposalOf(each, { before, of: one })),
    error: one.error,
    created_at: one.createdAt.toISOString(),
    completed_at: one.completedAt?.toISOString() ?? null,
  }
}

function proposalOf(each: Proposal, { before, of }: { before: readonly CaseResult[]; of: Improvement }) {
  const { number, verdict, instructions, summary, error, results } = each
  const pairs = (results ?? []).flatMap((after) => {
    const other = before.find(({ caseId }) => caseId === after.caseId)
    return other ? [{ before: other, after }] : []
  })
  const compared = pairs.filter((pair) => !pair.before.isVoid && !pair.after.isVoid)
  return {
    ...{ number, verdict, instructions, summary, error },
    lift:
      results && compared.length > 0
        ? verdictOf({ before, after: results }, { proposals: of.proposalsMax }).lift
        : null,
    before: results && shareOf(compared.map((pair) => pair.before)),
    after: results && shareOf(compared.map((pair) => pair.after)),
    results: pairs.map((pair) => ({
      case_id: pair.after.caseId,
      before: runOf(pair.before),
      after: runOf(pair.after),
    })),
  }
}

const runOf = ({ executionId, agreed, fields, error }: CaseResult) => ({
  execution_id: executionId,
  agreed,
  fields,
  error,
})

function shareOf(results: readonly CaseResult[]): z.infer<typeof share> {
  const agreed = results.reduce((sum, one) => sum + one.agreed, 0)
  const fields = results.reduce((sum, one) => sum + one.fields, 0)
  return { agreed, fields, agreement: fields === 0 ? 1 : agreed / fields }
}
