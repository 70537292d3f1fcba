import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route, withAliases } from '../../adapters/http/route.ts'
import { dialectSkillRoutes } from '../dialects/dialects.ts'
import {
  type LightVersion,
  listNamed,
  loadNamed,
  type NamedSkill,
  nameOfSkillId,
  type SkillParts,
  skillIdOf,
} from '../skills/skills.ts'

/** One object with the shapes that newer and older clients read. */
const skill = z
  .looseObject({
    id: z.string().describe('The same for all versions'),
    type: z.literal('skill'),
    display_name: z.string(),
    latest_version_id: z.string(),
    source: z.union([z.literal('custom'), z.object({ type: z.literal('custom') })]),
    created_at: z.string().meta({ format: 'date-time' }),
    updated_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'AnthropicSkill' })
const skillVersion = z
  .looseObject({
    id: z.string(),
    type: z.literal('skill_version'),
    skill_id: z.string(),
    name: z.string(),
    description: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'AnthropicSkillVersion' })
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_page: z.string().nullable(), has_more: z.boolean() })
const deleted = z.object({ id: z.string(), type: z.string() })
const idText = z.string().max(1_000)
const byId = z.object({ id: idText })
const page = z.object({
  limit: queryInteger({ min: 1, max: 100, fallback: 20 }, 'Maximum number to return'),
  page: idText.optional().describe('next_page of the previous page'),
})
const skillsPage = page.extend({
  source: z.enum(['custom', 'anthropic']).optional().describe('This server has no skills of the source anthropic'),
})

const base = '/anthropic/v1/skills'

/** Anthropic's Skills API on the skills of the workspace. */
export function anthropicSkillRoutes(parts: Omit<SkillParts, 'db'>): Route[] {
  const { create, get, remove, createVersion, getVersion, removeVersion, content } = dialectSkillRoutes(parts, {
    tag: 'anthropic',
    name: 'Anthropic',
    base,
    skill,
    shownSkill,
    version: skillVersion,
    shownVersion,
    deleted,
    shownDeleted: (id, version) => ({ id, type: version ? 'skill_version_deleted' : 'skill_deleted' }),
    newSkill: {
      fields: titleFields,
      read: titleOf,
      summary:
        'Create a skill from a zip or the files of a bundle, in the parts `files[]`; a name that exists gets a version',
    },
    newVersion: { fields: titleFields, read: titleOf, summary: 'Create a version of a skill' },
  })
  const routes = [create, listRoute(), get, remove, createVersion, versionsRoute(), getVersion, removeVersion, content]
  return withAliases(routes, '/anthropic/v1', { Alias: '/v1/anthropic/v1' })
}

function listRoute(): Route {
  return route({
    tag: 'anthropic',
    method: 'get',
    path: base,
    operation: 'listAnthropicSkills',
    scope: 'read',
    summary: 'List the skills of this workspace by name',
    query: skillsPage,
    reply: { status: 200, description: 'The skills', schema: listOf(skill) },
    handle: async ({ db, caller, query, headers }) => {
      const after = query.page === undefined ? null : nameOfSkillId(query.page)
      const terms = { after, limit: query.limit + 1, descending: false }
      const found =
        query.source === 'anthropic' ? [] : await listNamed(db, { workspaceId: caller.workspaceId, ...terms })
      return {
        json: pageOf(
          found.map((one) => shownSkill(one, headers)),
          query.limit,
        ),
      }
    },
  })
}

function versionsRoute(): Route {
  return route({
    tag: 'anthropic',
    failures: [404],
    method: 'get',
    path: `${base}/{id}/versions`,
    operation: 'listAnthropicSkillVersions',
    scope: 'read',
    summary: 'List the versions of a skill, newest first',
    params: byId,
    query: page,
    reply: { status: 200, description: 'The versions', schema: listOf(skillVersion) },
    handle: async ({ db, caller, params, query }) => {
      const { versions } = await loadNamed(db, { ...caller, ...params })
      const from = query.page === undefined ? 0 : versions.findIndex(({ id }) => id === query.page) + 1
      return { json: pageOf(versions.slice(from).map(shownVersion), query.limit) }
    },
  })
}

const titleFields = ['display_name', 'display_title']

/** The title must equal the name in SKILL.md, because lists show that name. */
function titleOf(fields: ReadonlyMap<string, string>): { title?: string } {
  const title = fields.get('display_name') ?? fields.get('display_title')
  return title === undefined ? {} : { title }
}

const shownSkill = (
  { id, name, current, createdAt }: NamedSkill,
  headers: Readonly<Record<string, string | undefined>>,
) => ({
  id,
  type: 'skill' as const,
  display_name: name,
  display_title: name,
  latest_version_id: current.id,
  latest_version: current.id,
  // Clients before 2026 read a text.
  source: (headers['anthropic-version'] ?? '') < '2026' ? ('custom' as const) : { type: 'custom' as const },
  created_at: createdAt.toISOString(),
  updated_at: current.createdAt.toISOString(),
})

const shownVersion = ({ id, name, description, createdAt }: LightVersion) => ({
  id,
  type: 'skill_version' as const,
  skill_id: skillIdOf(name),
  version: id,
  directory: name,
  name,
  description,
  created_at: createdAt.toISOString(),
})

/** A page of rows; one row more than fits means that another page follows. */
const pageOf = <Item extends { readonly id: string }>(found: readonly Item[], limit: number) => {
  const data = found.slice(0, limit)
  const hasMore = found.length > limit
  return { data, next_page: hasMore ? (data.at(-1)?.id ?? null) : null, has_more: hasMore }
}
