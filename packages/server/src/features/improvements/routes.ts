import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { listOutcomes, paidFor } from '../executions/executions.ts'
import { selectVersion } from '../skills/skills.ts'
import { beginImprovement, cancelImprovement, type ImprovementParts, improvementsOf, loadImprovement } from './begin.ts'
import type { Improvement } from './improvement.ts'
import { listImprovementRuns, listProposals } from './store.ts'
import { improvementList, improvementOf, improvementRecord, improvementsQuery, improveRequest } from './wire.ts'

const ofSkill = z.object({ id: z.string() })
const ofImprovement = z.object({ id: z.string(), improvement_id: z.string() })

/** Improving the instructions of skills. */
export function improvementRoutes(parts: Omit<ImprovementParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/skills/{id}/improve',
      operation: 'improveSkill',
      tag: 'evaluations',
      // It spends money and publishes a version.
      scope: 'skills:write',
      summary:
        'Have a model propose better instructions from failing cases, compare each proposal with the version on cases that the model never saw, and publish the best one that is better',
      params: ofSkill,
      body: improveRequest,
      reply: { status: 201, description: 'The started improvement', schema: improvementRecord },
      failures: [400, 404, 409],
      handle: async ({ db, caller, params, body }) => {
        const { workspaceId, keyId } = caller
        const begun = await beginImprovement(
          { ...parts, db },
          { workspaceId, keyId, id: params.id, wanted: body ?? {} },
        )
        return { json: await reportOf(db, begun) }
      },
    }),
    route({
      method: 'get',
      path: '/v1/skills/{id}/improvements',
      operation: 'listSkillImprovements',
      tag: 'evaluations',
      scope: 'read',
      summary: 'List the improvements of a skill',
      params: ofSkill,
      query: improvementsQuery,
      reply: { status: 200, description: 'The improvements, newest first', schema: improvementList },
      failures: [404],
      handle: async ({ db, caller, params, query }) => {
        const found = await improvementsOf({ db }, { ...params, ...query, workspaceId: caller.workspaceId })
        const json = []
        for (const one of found) json.push(await reportOf(db, one))
        return { json }
      },
    }),
    route({
      method: 'get',
      path: '/v1/skills/{id}/improvements/{improvement_id}',
      operation: 'getSkillImprovement',
      tag: 'evaluations',
      scope: 'read',
      summary: 'Get an improvement: its proposals with their figures, and what was published',
      params: ofImprovement,
      reply: { status: 200, description: 'The improvement', schema: improvementRecord },
      failures: [404],
      handle: async ({ db, caller, params }) => {
        const of = { workspaceId: caller.workspaceId, id: params.id, improvementId: params.improvement_id }
        return { json: await reportOf(db, await loadImprovement({ db }, of)) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/skills/{id}/improvements/{improvement_id}/cancel',
      operation: 'cancelSkillImprovement',
      tag: 'evaluations',
      scope: 'skills:write',
      summary: 'Cancel a running improvement and its runs; nothing is published',
      params: ofImprovement,
      reply: { status: 200, description: 'The improvement', schema: improvementRecord },
      failures: [404, 409],
      handle: async ({ db, caller, params }) => {
        const of = { workspaceId: caller.workspaceId, id: params.id, improvementId: params.improvement_id }
        return { json: await reportOf(db, await cancelImprovement({ ...parts, db }, of)) }
      },
    }),
  ]
}

async function reportOf(db: Sql, one: Improvement) {
  const runs = await listImprovementRuns(db, one)
  const ids = runs.flatMap(({ executionId }) => executionId ?? [])
  const { workspaceId } = one
  const version = await selectVersion(db, { workspaceId, id: one.skillId })
  const outcomes = await listOutcomes(db, { workspaceId, ids })
  return improvementOf(one, {
    instructions: version?.facts.instructions ?? null,
    proposals: await listProposals(db, one),
    ended: runs.length - outcomes.filter(({ ended, status }) => !ended && status !== 'paused').length,
    costMicros: await paidFor(db, { workspaceId, ids }),
  })
}
