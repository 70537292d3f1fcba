import { type Route, route } from '../../adapters/http/route.ts'
import { makeOnce } from '../idempotency/idempotency.ts'
import { createFromFile, createRequest, loadSkill, skillRecord, wireSkill } from '../skills/skills.ts'
import { createFromPrompt, modeOf, type NamingParts } from './from-prompt.ts'
import { createFromSession } from './from-session.ts'

/** Making skills. */
export function skillMakingRoutes(parts: Omit<NamingParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/skills/create',
      operation: 'createSkill',
      summary:
        'Create a skill from an uploaded zip, a prompt or a session; repeating an Idempotency-Key returns the first',
      tag: 'skills',
      scope: 'skills:write',
      body: createRequest,
      reply: { status: 201, description: 'The new version', schema: skillRecord },
      failures: [404, 409],
      async handle({ db, caller, body, sentBody, headers, signal }) {
        const { workspaceId, keyId } = caller
        const mode = modeOf(body)
        const create = { file_id: createFromFile, prompt: createFromPrompt, session_id: createFromSession }[mode]
        const version = await makeOnce(
          db,
          { workspaceId, operation: 'createSkill', headers, body: sentBody },
          {
            make: (claim) => create({ ...parts, db }, { workspaceId, keyId, signal, claim }, body),
            find: ({ id }) => loadSkill({ ...parts, db }, { workspaceId, id }),
          },
        )
        return { json: wireSkill(version, workspaceId) }
      },
    }),
  ]
}
