import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import {
  createNamed,
  deleteNamed,
  deleteSkill,
  type LightVersion,
  listNamed,
  loadNamed,
  loadNamedVersion,
  type NamedSkill,
  nameOfSkillId,
  receiveBundle,
  type SkillParts,
  setDefault,
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
const byVersion = z.object({ id: idText, version: idText })
const page = z.object({
  limit: queryInteger({ min: 1, max: 100, fallback: 20 }, 'Maximum number to return'),
  order: z.enum(['asc', 'desc']).default('desc').describe('By name; versions by number'),
  after: idText.optional().describe('The last id of the previous page'),
})

type SkillsParts = Omit<SkillParts, 'db'>

/** OpenAI's Skills API on the skills of the workspace. */
export function openAiSkillRoutes(parts: SkillsParts): Route[] {
  return [...skillsRoutes(parts), ...versionRoutes(parts), ...contentRoutes(parts)]
}

function skillsRoutes(parts: SkillsParts): Route[] {
  return [
    route({
      method: 'post',
      path: base,
      operation: 'createOpenAiSkill',
      tag: 'openai',
      scope: 'skills:write',
      summary:
        'Create a skill from a zip or the files of a bundle, in the parts `files`; a name that exists gets a version',
      body: 'stream',
      reply: { status: 200, description: 'The skill', schema: skill },
      handle: async ({ db, caller, headers, stream, signal }) => {
        const { zip } = await receiveBundle({ headers, stream, signal, fields: [] })
        const { name } = await createNamed({ ...parts, db }, { ...caller, signal }, { zip })
        return { json: shownSkill(await loadNamed(db, { ...caller, id: skillIdOf(name) })) }
      },
    }),
    route({
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
    }),
    route({
      method: 'get',
      path: `${base}/{id}`,
      operation: 'getOpenAiSkill',
      tag: 'openai',
      scope: 'read',
      summary: 'Get a skill',
      params: byId,
      reply: { status: 200, description: 'The skill', schema: skill },
      failures: [404],
      handle: async ({ db, caller, params }) => ({ json: shownSkill(await loadNamed(db, { ...caller, ...params })) }),
    }),
    route({
      method: 'post',
      path: `${base}/{id}`,
      operation: 'updateOpenAiSkill',
      tag: 'openai',
      scope: 'skills:write',
      summary: 'Set the default version, which can only be the newest',
      params: byId,
      body: z.strictObject({ default_version: idText.min(1) }),
      reply: { status: 200, description: 'The skill', schema: skill },
      failures: [400, 404],
      handle: async ({ db, caller, params, body }) => {
        const of = { workspaceId: caller.workspaceId, id: params.id, version: body.default_version }
        return { json: shownSkill(await setDefault({ ...parts, db }, of)) }
      },
    }),
    route({
      method: 'delete',
      path: `${base}/{id}`,
      operation: 'deleteOpenAiSkill',
      tag: 'openai',
      scope: 'skills:write',
      summary: 'Delete a skill with all its versions',
      params: byId,
      reply: { status: 200, description: 'The deletion', schema: deleted },
      failures: [404],
      handle: async ({ db, caller, params }) => {
        const { id } = await deleteNamed({ ...parts, db }, { ...caller, ...params })
        return { json: { id, object: 'skill.deleted', deleted: true as const } }
      },
    }),
  ]
}

function versionRoutes(parts: SkillsParts): Route[] {
  return [
    route({
      method: 'post',
      path: `${base}/{id}/versions`,
      operation: 'createOpenAiSkillVersion',
      tag: 'openai',
      scope: 'skills:write',
      summary: 'Create a version of a skill; it becomes the default unless it has to pass a gate',
      params: byId,
      body: 'stream',
      reply: { status: 200, description: 'The version', schema: skillVersion },
      failures: [404],
      handle: async ({ db, caller, params, headers, stream, signal }) => {
        const { zip, fields } = await receiveBundle({ headers, stream, signal, fields: ['default'] })
        if ((fields.get('default') ?? 'true') !== 'true')
          throw invalid(['body', 'default'], 'A new version is always the default unless it has to pass a gate', {
            type: 'unsupported_parameter',
          })
        const made = await createNamed({ ...parts, db }, { ...caller, signal }, { zip, onto: params.id })
        return { json: shownVersion(made) }
      },
    }),
    route({
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
    }),
    route({
      method: 'get',
      path: `${base}/{id}/versions/{version}`,
      operation: 'getOpenAiSkillVersion',
      tag: 'openai',
      scope: 'read',
      summary: 'Get a version of a skill',
      params: byVersion,
      reply: { status: 200, description: 'The version', schema: skillVersion },
      failures: [404],
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        return { json: shownVersion(version) }
      },
    }),
    route({
      method: 'delete',
      path: `${base}/{id}/versions/{version}`,
      operation: 'deleteOpenAiSkillVersion',
      tag: 'openai',
      scope: 'skills:write',
      summary: 'Delete a version of a skill',
      params: byVersion,
      reply: { status: 200, description: 'The deletion', schema: deleted },
      failures: [404],
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        await deleteSkill({ ...parts, db }, { ...caller, id: version.id })
        const number = String(version.number)
        return { json: { id: version.id, object: 'skill.version.deleted', deleted: true as const, version: number } }
      },
    }),
  ]
}

function contentRoutes(parts: SkillsParts): Route[] {
  const zip = { status: 200, description: 'The zip', contentType: 'application/zip' }
  const ofContent = { method: 'get', tag: 'openai', scope: 'read', reply: zip, failures: [404] } as const
  return [
    route({
      ...ofContent,
      path: `${base}/{id}/content`,
      operation: 'getOpenAiSkillContent',
      summary: 'Download the bundle of a skill as a zip',
      params: byId,
      handle: async ({ db, caller, params }) => {
        const { current } = await loadNamed(db, { ...caller, ...params })
        return zipReply(parts.blobs, current)
      },
    }),
    route({
      ...ofContent,
      path: `${base}/{id}/versions/{version}/content`,
      operation: 'getOpenAiSkillVersionContent',
      summary: 'Download the bundle of a version as a zip',
      params: byVersion,
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        return zipReply(parts.blobs, version)
      },
    }),
  ]
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
