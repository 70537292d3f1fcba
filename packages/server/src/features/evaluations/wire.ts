import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { arrayOf, recordOf, shownAs } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import type { ListedCase } from './known-cases.ts'
import { evaluationReport } from './report-wire.ts'
import type { Evaluation } from './store.ts'

const givenCase = z.object({
  inputs: shownAs(recordOf(z.unknown(), limits.inputSlotsMax), z.record(z.string(), z.unknown()))
    .nullish()
    .describe('Slots as in POST /v1/agent/execute'),
  prompt: z
    .string()
    .max(limits.promptCharactersMax)
    .nullish()
    .describe(
      'With an execution: instead of its prompt; empty for none, as when the prompt is now in the instructions of the skill',
    ),
  execution_id: z.string().max(100).nullish().describe('Execution whose inputs are used'),
  response: z
    .unknown()
    .nullish()
    .describe('The correct response; if absent, the reviewed response of the execution, else its response'),
})

/** Body of POST /v1/skills/{id}/cases. */
export const casesRequest = z
  .object({
    cases: arrayOf(givenCase, limits.casesPerRequestMax).nullish(),
    execution_id: givenCase.shape.execution_id.describe('Instead of `cases`: this execution becomes a case'),
  })
  .refine(
    ({ cases, execution_id: id }) => Boolean(cases || id) && !(cases?.length && id),
    'Give either cases or an execution_id',
  )
  .meta({ id: 'SkillCasesRequest' })

/** A case. */
export const caseRecord = z
  .object({
    id: z.string(),
    inputs: z.record(z.string(), z.unknown()).describe('`{type: "bundle_file", path}` refers to a file of the bundle'),
    response: z.unknown(),
    prompt: z.string().nullable(),
    source: z.enum(['added', 'execution', 'bundle']),
    execution_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'SkillCase' })
export const caseList = z.array(caseRecord)

export const caseOf = (known: ListedCase): z.infer<typeof caseRecord> => ({
  id: known.id,
  inputs: known.inputs,
  response: known.response,
  prompt: typeof known.config['prompt'] === 'string' ? known.config['prompt'] : null,
  source: known.source,
  execution_id: known.executionId,
  created_at: known.createdAt.toISOString(),
})

/** Optional body of POST /v1/skills/{id}/evaluate. */
export const evaluateRequest = z
  .object({
    case_ids: arrayOf(z.string().max(100), limits.listItemsMax).nullish().describe('If absent, all cases'),
    model: z.string().min(1).max(255).nullish().describe('If absent, the model of the skill, or the default'),
    max_cost_dollars: z.number().nonnegative().max(1_000_000).nullish().describe('Maximum cost of each run'),
  })
  .nullish()
  .meta({ id: 'EvaluateRequest' })

/** An evaluation of a version, with its report once completed. */
export const evaluationRecord = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'completed', 'failed']),
    skill_id: z.string(),
    skill_name: z.string(),
    skill_version: z.string(),
    number: z.int(),
    before: z.object({ skill_id: z.string(), number: z.int() }).nullable().describe('The previous version'),
    model: z.string().nullable(),
    runs: z.int().describe('Total number of executions'),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    report: evaluationReport.nullable(),
  })
  .meta({ id: 'SkillEvaluation' })
export const evaluationList = z.array(evaluationRecord)

export const evaluationOf = (one: Evaluation) => ({
  id: one.id,
  status: one.status,
  skill_id: one.skillId,
  skill_name: one.skillName,
  skill_version: one.skillVersion,
  number: one.number,
  before: one.beforeId === null ? null : { skill_id: one.beforeId, number: one.beforeNumber ?? 0 },
  model: one.model,
  runs: one.runsPlanned,
  created_at: one.createdAt.toISOString(),
  completed_at: one.completedAt?.toISOString() ?? null,
  error: one.error,
  report: one.report,
})

/** Query of GET /v1/skills/{id}/evaluations. */
export const evaluationsQuery = z.object({
  limit: queryInteger({ fallback: 20, min: 1, max: 100 }, 'Maximum number of items to return, newest first'),
})
