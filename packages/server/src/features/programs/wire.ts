import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { separateFields } from '../../agent/programs/separate-fields.ts'
import { boundConfidence, boundMethod, upperBound } from '../../core/confidence-sequence.ts'
import { isInDoubt } from '../../core/demotion.ts'
import { dollarsOf, type Micros } from '../../core/money.ts'
import { whoDrifted } from './drift/drift.ts'
import { economicsOf } from './economics.ts'
import { independentSample, isIndependent, type Judge, judges } from './judgement.ts'
import { knownAnswersMax } from './known-answers.ts'
import type { Program } from './store.ts'

const id = z.string().min(1).max(100)

/** Optional body of POST /v1/skills/{id}/programs. */
export const compileRequest = z
  .object({
    execution_ids: arrayOf(id, knownAnswersMax).nullish().describe('Completed executions whose responses are correct'),
    case_ids: arrayOf(id, knownAnswersMax)
      .nullish()
      .describe('Cases of the skill; without execution_ids and case_ids, all cases'),
  })
  .nullish()
  .meta({ id: 'ProgramCompileRequest' })

export const listQuery = z.object({
  limit: queryInteger({ fallback: 20, min: 1, max: 100 }, 'Maximum number of items to return, newest first'),
})

const dollars = z.number().nullable()

/** The wire format of a program. */
export const programRecord = z
  .object({
    id: z.string(),
    skill_id: z.string().describe('Version of the skill that the program was compiled for'),
    skill_version: z.string(),
    status: z.enum(['compiling', 'candidate', 'ready', 'rejected', 'demoted']),
    reason: z.string().nullable().describe('Why the program was rejected or demoted'),
    origin: z.enum(['embedded', 'agent']).describe('What wrote the program: the embedded engine or a code agent'),
    execution_id: z.string().nullable().describe('Execution whose agent wrote the program'),
    sha256: z.string().nullable(),
    source: z.string().nullable(),
    language: z.literal('typescript'),
    gate: z
      .object({
        checks: z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string() })),
        agreement: z.array(
          z.object({
            pointer: z.string(),
            agreed: z.int(),
            compared: z.int(),
            left: z.int().optional().describe('Cases in which the program left the field to an agent; absent: none'),
          }),
        ),
        cases: z.object({ answered: z.int(), declined: z.int(), failed: z.int() }),
        threshold: z.number(),
        left: z.array(z.string()).optional().describe('Fields below the threshold; absent: none'),
      })
      .nullable(),
    fields: z
      .array(
        z.object({
          pointer: z.string().describe('JSON Pointer of a field; a list is one field'),
          by: z
            .enum(['program', 'agent'])
            .describe(
              'agent: the program leaves the field to an agent in every run, since it was too often wrong in the cases or in its latest checked answers',
            ),
          checked: z.int().describe('Answers of the program in which an independent judge checked the field'),
          wrong: z.int(),
          bound: z.number().describe('Like `shadow.bound`, on the rate of wrong values of this field'),
        }),
      )
      .describe('How each field is answered, and how reliably; empty if the fields cannot be answered separately'),
    schema_hash: z.string(),
    input_shape: z.record(z.string(), z.string()).nullable(),
    runs: z.int(),
    run_ms: z.number().nullable().describe('Average run time in the sandbox, in milliseconds'),
    shadow: z.object({
      runs: z.int(),
      disagreements: z.int(),
      bound: z
        .number()
        .describe(
          `Upper bound on the rate of wrong answers, one-sided, ${boundConfidence * 100} %. It rests on independent judgements only (1 without any) and holds at every look`,
        ),
      judgements: z
        .array(
          z.object({
            by: z.enum(judges),
            answers: z.int(),
            wrong: z.int(),
            counts: z.boolean().describe('Whether the bound rests on it. An engine cannot certify its own program'),
          }),
        )
        .describe('The checked answers by judge, the most independent first; each answer counts once'),
      evidence: z
        .object({ human: z.int(), case: z.int(), model: z.int(), same_engine: z.int() })
        .describe(
          'Number of checked answers by judge; `model` is other_model of `judgements`. The first three lower the bound',
        ),
      confidence: z.number().describe('Probability that the bound is never below the true rate, at any look'),
      method: z.literal(boundMethod).describe('How the bound is computed'),
    }),
    withholds: z
      .boolean()
      .describe('Whether all its answers are withheld: an agent answers, and checks them, until three in a row agree'),
    drift: z
      .object({
        by: z
          .enum(['program', 'judge'])
          .describe(
            '`program`: the documents changed, or the program was wrong from the start. `judge`: the model that checks it answers otherwise than right answers were before',
          ),
        since: z.iso.datetime(),
        fields: z.array(z.string()).describe('Fields of the latest disagreement, as JSON Pointers'),
      })
      .nullable()
      .describe('Which side seems to have drifted since checked answers disagree'),
    economics: z.object({
      compile_cost_dollars: z.number(),
      agent_run_dollars: dollars,
      program_run_dollars: dollars,
      break_even_runs: z.int().nullable(),
      saved_dollars: z.number(),
    }),
    created_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Program' })
type ProgramRecord = z.infer<typeof programRecord>

function fieldsIn({ schema, gate, lost, fieldJudgements }: Program): ProgramRecord['fields'] {
  return (separateFields(schema) ?? []).map((pointer) => {
    const sample = independentSample(fieldJudgements[pointer] ?? {})
    const by = gate?.left?.includes(pointer) || lost.includes(pointer) ? 'agent' : 'program'
    return { pointer, by, checked: sample.n, wrong: sample.k, bound: upperBound(sample) }
  })
}

/** `shadowMicros`: the cost of its shadows. */
export function recordOf(
  program: Program,
  { source, shadowMicros }: { readonly source: string | null; readonly shadowMicros: Micros },
): ProgramRecord {
  const economics = economicsOf({
    compileMicros: program.compileMicros,
    runs: program.runs,
    runMicros: program.runMicros,
    agentRuns: program.agentRuns,
    agentMicros: program.agentMicros,
    shadowMicros,
  })
  const answersBy = (by: Judge) => program.judgements[by]?.answers ?? 0
  const inDollars = (micros: number | null) => (micros === null ? null : dollarsOf(micros))
  return {
    id: program.id,
    skill_id: program.skillId,
    skill_version: program.skillVersion,
    status: program.status,
    reason: program.reason,
    origin: program.origin,
    execution_id: program.executionId,
    sha256: program.sha256,
    source,
    language: 'typescript',
    gate: program.gate as ProgramRecord['gate'],
    fields: fieldsIn(program),
    schema_hash: program.schemaSha256,
    input_shape: program.inputShape,
    runs: program.runs,
    run_ms: program.runs === 0 ? null : Math.round((100 * program.runMs) / program.runs) / 100,
    shadow: {
      runs: program.shadowRuns,
      disagreements: program.shadowWrong,
      bound: upperBound(independentSample(program.judgements)),
      judgements: judges.map((by) => ({
        by,
        ...(program.judgements[by] ?? { answers: 0, wrong: 0 }),
        counts: isIndependent(by),
      })),
      evidence: {
        human: answersBy('human'),
        case: answersBy('case'),
        model: answersBy('other_model'),
        same_engine: answersBy('same_engine'),
      },
      confidence: boundConfidence,
      method: boundMethod,
    },
    withholds: program.status === 'ready' && isInDoubt(program.recent),
    drift: program.drift && {
      by: whoDrifted(program.drift),
      since: program.drift.since,
      fields: [...program.drift.fields],
    },
    economics: {
      compile_cost_dollars: dollarsOf(economics.compileMicros),
      agent_run_dollars: inDollars(economics.agentRunMicros),
      program_run_dollars: inDollars(economics.programRunMicros),
      break_even_runs: economics.breakEvenRuns,
      saved_dollars: dollarsOf(economics.savedMicros),
    },
    created_at: program.createdAt.toISOString(),
    decided_at: program.decidedAt?.toISOString() ?? null,
  }
}
