import { type Route, route } from '../../adapters/http/route.ts'
import { createFromFile, createRequest, skillRecord, wireSkill } from '../skills/skills.ts'
import { createFromPrompt, modeOf, type NamingParts } from './from-prompt.ts'
import { createFromSession } from './from-session.ts'

/** Making skills. */
export function skillMakingRoutes(parts: Omit<NamingParts, 'db'>): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/skills/create',
      operation: 'createSkill',
      summary: 'Create a skill from an uploaded zip, a prompt or a session',
      tag: 'skills',
      scope: 'skills:write',
      body: createRequest,
      reply: { status: 201, description: 'The new version', schema: skillRecord },
      failures: [404, 409],
      async handle({ db, caller, body, signal }) {
        const asker = { workspaceId: caller.workspaceId, keyId: caller.keyId, signal }
        const mode = modeOf(body)
        const made = { file_id: createFromFile, prompt: createFromPrompt, session_id: createFromSession }[mode]
        return { json: wireSkill(await made({ ...parts, db }, asker, body), caller.workspaceId) }
      },
    }),
  ]
}
