import { z } from 'zod'
import { type Incoming, route, type Sendable } from '../../adapters/http/route.ts'
import {
  createNamed,
  deleteNamed,
  deleteSkill,
  type LightVersion,
  loadNamed,
  loadNamedVersion,
  type NamedSkill,
  receiveBundle,
  type SkillParts,
  skillIdOf,
  zipReply,
} from '../skills/skills.ts'
import type { Dialect } from './dialect.ts'

type Headers = Incoming<unknown, unknown, unknown>['headers']

/** The text fields that a form with a bundle may have, and what they ask. */
interface BundleForm {
  readonly fields: readonly string[]
  readonly read: (fields: ReadonlyMap<string, string>) => { readonly title?: string }
  readonly summary: string
}

interface SkillDialect<Skill, Version, Deleted> extends Dialect {
  readonly skill: z.ZodType<Skill>
  readonly shownSkill: (skill: NamedSkill, headers: Headers) => NoInfer<Sendable<Skill>>
  readonly version: z.ZodType<Version>
  readonly shownVersion: (version: LightVersion) => NoInfer<Sendable<Version>>
  readonly deleted: z.ZodType<Deleted>
  readonly shownDeleted: (id: string, version?: LightVersion) => NoInfer<Sendable<Deleted>>
  readonly newSkill: BundleForm
  readonly newVersion: BundleForm
}

const idText = z.string().max(1_000)
const byId = z.object({ id: idText })
const byVersion = z.object({ id: idText, version: idText })

/** The parts of a Skills API on the skills of the workspace that are alike in all dialects. */
export function dialectSkillRoutes<Skill, Version, Deleted>(
  parts: Omit<SkillParts, 'db'>,
  dialect: SkillDialect<Skill, Version, Deleted>,
) {
  const { tag, name: dialectName, base, shownSkill, shownVersion } = dialect
  const common = { tag, failures: [404] } as const
  const ofSkill = { status: 200, description: 'The skill', schema: dialect.skill }
  const ofVersion = { status: 200, description: 'The version', schema: dialect.version }
  const ofDeletion = { status: 200, description: 'The deletion', schema: dialect.deleted }
  const at = `${base}/{id}/versions`
  return {
    create: route({
      tag,
      method: 'post',
      path: base,
      operation: `create${dialectName}Skill`,
      scope: 'skills:write',
      summary: dialect.newSkill.summary,
      body: 'stream',
      reply: ofSkill,
      handle: async ({ db, caller, headers, stream, signal }) => {
        const form = dialect.newSkill
        const { zip, fields } = await receiveBundle({ headers, stream, signal, fields: form.fields })
        const { name } = await createNamed({ ...parts, db }, { ...caller, signal }, { zip, ...form.read(fields) })
        return { json: shownSkill(await loadNamed(db, { ...caller, id: skillIdOf(name) }), headers) }
      },
    }),
    get: route({
      ...common,
      method: 'get',
      path: `${base}/{id}`,
      operation: `get${dialectName}Skill`,
      scope: 'read',
      summary: 'Get a skill',
      params: byId,
      reply: ofSkill,
      handle: async ({ db, caller, params, headers }) => ({
        json: shownSkill(await loadNamed(db, { ...caller, ...params }), headers),
      }),
    }),
    remove: route({
      ...common,
      method: 'delete',
      path: `${base}/{id}`,
      operation: `delete${dialectName}Skill`,
      scope: 'skills:write',
      summary: 'Delete a skill with all its versions',
      params: byId,
      reply: ofDeletion,
      handle: async ({ db, caller, params }) => {
        const { id } = await deleteNamed({ ...parts, db }, { ...caller, ...params })
        return { json: dialect.shownDeleted(id) }
      },
    }),
    createVersion: route({
      ...common,
      method: 'post',
      path: at,
      operation: `create${dialectName}SkillVersion`,
      scope: 'skills:write',
      summary: dialect.newVersion.summary,
      params: byId,
      body: 'stream',
      reply: ofVersion,
      handle: async ({ db, caller, params, headers, stream, signal }) => {
        const form = dialect.newVersion
        const { zip, fields } = await receiveBundle({ headers, stream, signal, fields: form.fields })
        const asked = { zip, onto: params.id, ...form.read(fields) }
        return { json: shownVersion(await createNamed({ ...parts, db }, { ...caller, signal }, asked)) }
      },
    }),
    getVersion: route({
      ...common,
      method: 'get',
      path: `${at}/{version}`,
      operation: `get${dialectName}SkillVersion`,
      scope: 'read',
      summary: 'Get a version of a skill',
      params: byVersion,
      reply: ofVersion,
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        return { json: shownVersion(version) }
      },
    }),
    removeVersion: route({
      ...common,
      method: 'delete',
      path: `${at}/{version}`,
      operation: `delete${dialectName}SkillVersion`,
      scope: 'skills:write',
      summary: 'Delete a version of a skill',
      params: byVersion,
      reply: ofDeletion,
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        await deleteSkill({ ...parts, db }, { ...caller, id: version.id })
        return { json: dialect.shownDeleted(version.id, version) }
      },
    }),
    content: route({
      ...common,
      method: 'get',
      path: `${at}/{version}/content`,
      operation: `get${dialectName}SkillVersionContent`,
      scope: 'read',
      summary: 'Download the bundle of a version as a zip',
      params: byVersion,
      reply: { status: 200, description: 'The zip', contentType: 'application/zip' },
      handle: async ({ db, caller, params }) => {
        const { version } = await loadNamedVersion(db, { ...caller, ...params })
        return zipReply(parts.blobs, version)
      },
    }),
  }
}
