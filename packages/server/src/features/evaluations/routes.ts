import { z } from 'zod'
import { type Route, route } from '../../adapters/http/route.ts'
import { addCases, listCases, removeCase } from './cases.ts'
import { beginEvaluation, type EvaluateParts, evaluationsOf, loadEvaluation } from './evaluate.ts'
import {
  caseList,
  caseOf,
  caseRecord,
  casesRequest,
  evaluateRequest,
  evaluationList,
  evaluationOf,
  evaluationRecord,
  evaluationsQuery,
} from './wire.ts'

const byId = z.object({ id: z.string() })

/** Cases of skills, and evaluations of skills on them. */
export function evaluationRoutes(parts: Omit<EvaluateParts, 'db'>): Route[] {
  return [...caseRoutes(parts), ...runRoutes(parts)]
}

function caseRoutes(parts: Omit<EvaluateParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/skills/{id}/cases',
      operation: 'addSkillCases',
      tag: 'evaluations',
      scope: 'skills:write',
      summary: 'Add cases to a skill: inputs with the correct response, or executions with or without a correction',
      params: byId,
      body: casesRequest,
      reply: { status: 201, description: 'The added cases', schema: caseList },
      failures: [404, 413],
      handle: async ({ db, caller, params, body, signal }) => ({
        json: (
          await addCases(
            { ...parts, db },
            {
              ...caller,
              id: params.id,
              cases: body.execution_id ? [{ execution_id: body.execution_id }] : (body.cases ?? []),
              signal,
            },
          )
        ).map(caseOf),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/skills/{id}/cases',
      operation: 'listSkillCases',
      tag: 'evaluations',
      scope: 'read',
      summary: 'List the cases of a skill: added cases first, then those in the bundle of this version',
      params: byId,
      reply: { status: 200, description: 'The cases', schema: caseList },
      failures: [404],
      handle: async ({ db, caller, params }) => ({
        json: (await listCases({ ...parts, db }, { workspaceId: caller.workspaceId, id: params.id })).map(caseOf),
      }),
    }),
    route({
      method: 'delete',
      path: '/v1/skills/{id}/cases/{case_id}',
      operation: 'deleteSkillCase',
      tag: 'evaluations',
      scope: 'skills:write',
      summary: 'Delete a case',
      params: z.object({ id: z.string(), case_id: z.string() }),
      reply: { status: 200, description: 'The deleted case', schema: caseRecord },
      failures: [404, 409],
      handle: async ({ db, caller, params }) => {
        const of = { ...caller, id: params.id, caseId: params.case_id }
        return { json: caseOf(await removeCase({ ...parts, db }, of)) }
      },
    }),
  ]
}

function runRoutes(parts: Omit<EvaluateParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/skills/{id}/evaluate',
      operation: 'evaluateSkill',
      tag: 'evaluations',
      scope: 'execute',
      summary:
        'Evaluate a skill version: run its cases with this version, without the skill, and with the previous version, in the flex tier',
      params: byId,
      body: evaluateRequest,
      reply: { status: 201, description: 'The started evaluation', schema: evaluationRecord },
      failures: [404, 409],
      handle: async ({ db, caller, params, body }) => {
        const { workspaceId, keyId } = caller
        return {
          json: evaluationOf(
            await beginEvaluation({ ...parts, db }, { workspaceId, keyId, id: params.id, wanted: body ?? {} }),
          ),
        }
      },
    }),
    route({
      method: 'get',
      path: '/v1/skills/{id}/evaluations',
      operation: 'listSkillEvaluations',
      tag: 'evaluations',
      scope: 'read',
      summary: 'List the evaluations of all versions of a skill',
      params: byId,
      query: evaluationsQuery,
      reply: { status: 200, description: 'The evaluations, newest first', schema: evaluationList },
      failures: [404],
      handle: async ({ db, caller, params, query }) => ({
        json: (await evaluationsOf({ ...parts, db }, { ...params, ...query, workspaceId: caller.workspaceId })).map(
          evaluationOf,
        ),
      }),
    }),
    route({
      method: 'get',
      path: '/v1/skills/{id}/evaluations/{evaluation_id}',
      operation: 'getSkillEvaluation',
      tag: 'evaluations',
      scope: 'read',
      summary:
        'Get an evaluation and its report: agreement by field with the skill, without it, and with the previous version',
      params: z.object({ id: z.string(), evaluation_id: z.string() }),
      reply: { status: 200, description: 'The evaluation', schema: evaluationRecord },
      failures: [404],
      handle: async ({ db, caller, params }) => {
        const of = { workspaceId: caller.workspaceId, id: params.id, evaluationId: params.evaluation_id }
        return { json: evaluationOf(await loadEvaluation({ ...parts, db }, of)) }
      },
    }),
  ]
}
