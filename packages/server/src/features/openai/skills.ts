import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { dialectSkillRoutes } from '../dialects/dialects.ts'
import {
  keepDefault,
  type LightVersion,
  listNamed,
  loadNamed,
  type NamedSkill,
  nameOfSkillId,
  type SkillParts,
  skillIdOf,
  zipReply,
} from '../skills/skills.ts'

const base = '/v1/openai/skills'
const skill = z
  .object({
    id: z.string().describe('The same for all versions'),
    object: z.literal('skill'),
    name: z.string(),
    description: z.string(),
    created_at: z.int(),
    default_version: z.string(),
    latest_version: z.string(),
  })
  .meta({ id: 'OpenAISkill' })
const skillVersion = z
  .object({
    id: z.string(),
    object: z.literal('skill.version'),
    skill_id: z.string(),
    version: z.string(),
    name: z.string(),
    description: z.string(),
    created_at: z.int(),
  })
  .meta({ id: 'OpenAISkillVersion' })
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
const deleted = z.object({
  id: z.string(),
  object: z.string(),
  deleted: z.literal(true),
  version: z.string().optional(),
})
const idText = z.string().max(1_000)
const byId = z.object({ id: idText })
const page = z.object({
  limit: queryInteger({ min: 1, max: 100, fallback: 20 }, 'Maximum number to return'),
  order: z.enum(['asc', 'desc']).default('desc').describe('By name; versions by number'),
  after: idText.optional().describe('The last id of the previous page'),
})

/** OpenAI's Skills API on the skills of the workspace. */
export function openAiSkillRoutes(parts: Omit<SkillParts, 'db'>): Route[] {
  const alike = dialectSkillRoutes(parts, {
    tag: 'openai',
    name: 'OpenAi',
    base,
    skill,
    shownSkill,
    version: skillVersion,
    shownVersion,
    deleted,
    shownDeleted: (id, version) => ({
      id,
      object: version ? 'skill.version.deleted' : 'skill.deleted',
      deleted: true as const,
      ...(version && { version: String(version.number) }),
    }),
    newSkill: {
      fields: [],
      read: () => ({}),
      summary:
        'Create a skill from a zip or the files of a bundle, in the parts `files`; a name that exists gets a version',
    },
    newVersion: {
      fields: ['default'],
      read: refuseOlderDefault,
      summary: 'Create a version of a skill; it becomes the default unless it has to pass a gate',
    },
  })
  return [
    alike.create,
    listRoute(),
    alike.get,
    updateRoute(),
    alike.remove,
    alike.createVersion,
    versionsRoute(),
    alike.getVersion,
    alike.removeVersion,
    contentRoute(parts),
    alike.content,
  ]
}

function refuseOlderDefault(fields: ReadonlyMap<string, string>) {
  if ((fields.get('default') ?? 'true') !== 'true')
    throw invalid(['body', 'default'], 'A new version is always the default unless it has to pass a gate', {
      type: 'unsupported_parameter',
    })
  return {}
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: base,
    operation: 'listOpenAiSkills',
    tag: 'openai',
    scope: 'read',
    summary: 'List the skills of this workspace by name',
    query: page,
    reply: { status: 200, description: 'The skills', schema: listOf(skill) },
    handle: async ({ db, caller, query }) => {
      const after = query.after === undefined ? null : nameOfSkillId(query.after)
      const terms = { after, limit: query.limit + 1, descending: query.order === 'desc' }
      const found = await listNamed(db, { workspaceId: caller.workspaceId, ...terms })
      return { json: pageOf(found.map(shownSkill), query.limit) }
    },
  })
}

function updateRoute(): Route {
  return route({
    method: 'post',
    path: `${base}/{id}`,
    operation: 'updateOpenAiSkill',
    tag: 'openai',
    scope: 'skills:write',
    summary: 'Set the default version, which can only be the newest',
    params: byId,
    body: z.strictObject({ default_version: idText.min(1) }),
    reply: { status: 200, description: 'The skill', schema: skill },
    failures: [400, 404, 409],
    handle: async ({ db, caller, params, body }) => {
      const of = { workspaceId: caller.workspaceId, id: params.id, version: body.default_version }
      return { json: shownSkill(await keepDefault(db, of)) }
    },
  })
}

function versionsRoute(): Route {
  return route({
    method: 'get',
    path: `${base}/{id}/versions`,
    operation: 'listOpenAiSkillVersions',
    tag: 'openai',
    scope: 'read',
    summary: 'List the versions of a skill',
    params: byId,
    query: page,
    reply: { status: 200, description: 'The versions', schema: listOf(skillVersion) },
    failures: [404],
    handle: async ({ db, caller, params, query }) => {
      const { versions } = await loadNamed(db, { ...caller, ...params })
      const ordered = query.order === 'desc' ? versions : versions.toReversed()
      const from = query.after === undefined ? 0 : ordered.findIndex(({ id }) => id === query.after) + 1
      return { json: pageOf(ordered.slice(from).map(shownVersion), query.limit) }
    },
  })
}

function contentRoute(parts: Omit<SkillParts, 'db'>): Route {
  return route({
    method: 'get',
    tag: 'openai',
    scope: 'read',
    failures: [404],
    reply: { status: 200, description: 'The zip', contentType: 'application/zip' },
    path: `${base}/{id}/content`,
    operation: 'getOpenAiSkillContent',
    summary: 'Download the bundle of a skill as a zip',
    params: byId,
    handle: async ({ db, caller, params }) => {
      const { current } = await loadNamed(db, { ...caller, ...params })
      return zipReply(parts.blobs, current)
    },
  })
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

const shownSkill = ({ id, name, current, newest, createdAt }: NamedSkill) => ({
  id,
  object: 'skill' as const,
  name,
  description: current.description,
  created_at: seconds(createdAt),
  default_version: String(current.number),
  latest_version: String(newest.number),
})

const shownVersion = ({ id, name, number, description, createdAt }: LightVersion) => ({
  id,
  object: 'skill.version' as const,
  skill_id: skillIdOf(name),
  version: String(number),
  name,
  description,
  created_at: seconds(createdAt),
})

/** A page of rows; one row more than fits means that another page follows. */
const pageOf = <Item extends { readonly id: string }>(found: readonly Item[], limit: number) => {
  const data = found.slice(0, limit)
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  }
}
