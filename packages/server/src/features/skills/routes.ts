import { z } from 'zod'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { type Signing, signedClaim, signedQueryFor } from '../files/files.ts'
import { deleteSkill, updateSkill } from './create.ts'
import { selectList } from './list.ts'
import { loadSkill, unknownSkill } from './load-skill.ts'
import { wireListed, wireSkill, wireVersion } from './present.ts'
import { findByName } from './resolve.ts'
import { readVersion } from './skill.ts'
import { selectUnfinished, selectVersions } from './store.ts'
import {
  downloadQuery,
  downloadRecord,
  listedSkill,
  listQuery,
  lookupRequest,
  type SkillRecord,
  signedQuery,
  skillParams,
  skillRecord,
  updateRequest,
} from './wire.ts'
import type { SkillParts } from './write-version.ts'

/** Dependencies of the skill routes. */
export interface SkillRouteParts extends Omit<SkillParts, 'db'>, Signing {
  /** Public scheme and host of this server, without a trailing slash; undefined: take them from each request. */
  readonly publicUrl?: string | undefined
}

/** Updates, lists, finds, downloads and deletes skills. */
export function skillRoutes(parts: SkillRouteParts): Route[] {
  return [
    listRoute(),
    lookupRoute(),
    getRoute(),
    updateRoute(parts),
    downloadRoute(parts),
    versionsRoute(),
    deleteRoute(parts),
    zipRoute(parts),
  ]
}

const versionsMax = 1000

const replyOfSkill = (description: string, status = 200) => ({ status, description, schema: skillRecord })

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/skills',
    operation: 'listSkills',
    summary: 'List the skills of this workspace and the public ones',
    tag: 'skills',
    scope: 'read',
    query: listQuery,
    reply: { status: 200, description: 'The skills', schema: z.array(listedSkill) },
    async handle({ db, caller, query }) {
      const { limit, offset, descending, grouped, order_by: orderBy } = query
      const { workspaceId } = caller
      const listed = await selectList(db, { workspaceId, limit, offset, orderBy, descending, grouped })
      return { json: listed.map(wireListed) }
    },
  })
}

function lookupRoute(): Route {
  return route({
    method: 'post',
    path: '/v1/skills/lookup',
    operation: 'lookupSkill',
    summary: 'Find a skill by id, or by name and version',
    tag: 'skills',
    scope: 'read',
    body: lookupRequest,
    reply: replyOfSkill('The skill'),
    failures: [404, 409],
    async handle({ db, caller, body }) {
      const { workspaceId } = caller
      if (Boolean(body.id) === Boolean(body.name))
        throw invalid(['body', body.id ? 'name' : 'id'], 'Give exactly one of id and name', {
          type: body.id ? 'value_error' : 'missing',
        })
      if (body.id) return shown(await loadSkill({ db }, { workspaceId, id: body.id }), workspaceId)
      const wanted = readVersion(body.skill_version ?? body.version)
      const name = body.name ?? ''
      const found =
        (await findByName(db, { workspaceId, name, wanted })) ??
        (wanted === 'latest' ? await selectUnfinished(db, { workspaceId, name }) : undefined)
      if (!found) throw unknownSkill()
      return shown(await loadSkill({ db }, { workspaceId, id: found.id }), workspaceId)
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/skills/{id}',
    operation: 'getSkill',
    summary: 'Get a version of a skill',
    tag: 'skills',
    scope: 'read',
    params: skillParams,
    reply: replyOfSkill('The skill'),
    failures: [404],
    async handle({ db, caller, params }) {
      return shown(await loadSkill({ db }, { workspaceId: caller.workspaceId, id: params.id }), caller.workspaceId)
    },
  })
}

function updateRoute(parts: SkillRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/skills/{id}/update',
    operation: 'updateSkill',
    summary: 'Create the next version of a skill; fields that are not given stay unchanged',
    tag: 'skills',
    scope: 'skills:write',
    params: skillParams,
    body: updateRequest,
    reply: replyOfSkill('The new version'),
    failures: [404, 409],
    async handle({ db, caller, params, body, signal }) {
      const { workspaceId, keyId } = caller
      return shown(
        await updateSkill({ ...parts, db }, { workspaceId, keyId, signal, id: params.id }, body),
        workspaceId,
      )
    },
  })
}

function downloadRoute(parts: SkillRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/skills/{id}/download',
    operation: 'downloadSkill',
    summary: 'Get a download URL for the zip of a skill, with SKILL.md at its root',
    tag: 'skills',
    scope: 'read',
    params: skillParams,
    query: downloadQuery,
    reply: { status: 200, description: 'The URL of the zip', schema: downloadRecord },
    failures: [404],
    async handle({ db, caller, params, query, origin }) {
      const { workspaceId } = caller
      const { id, name, skillVersion } = await loadSkill({ db }, { workspaceId, id: params.id })
      const signed = signedQueryFor(parts, { use: 'skill', workspaceId, id, seconds: query.expires })
      return {
        json: {
          id,
          name,
          skill_version: skillVersion,
          download_url: `${parts.publicUrl ?? origin}/v1/public/skills/${id}?${signed}`,
          expires_in: query.expires,
        },
      }
    },
  })
}

function versionsRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/skills/{id}/versions',
    operation: 'listSkillVersions',
    summary: 'List the versions of a skill, newest first, at most 1,000',
    tag: 'skills',
    scope: 'read',
    params: skillParams,
    reply: { status: 200, description: 'The versions', schema: z.array(skillRecord) },
    failures: [404],
    async handle({ db, caller, params }) {
      const { workspaceId } = caller
      const { workspaceId: ownerId, name } = await loadSkill({ db }, { workspaceId, id: params.id })
      const versions = await selectVersions(db, { workspaceId, ownerId, name, limit: versionsMax })
      return { json: versions.map((one) => wireVersion(one, workspaceId)) }
    },
  })
}

function deleteRoute(parts: SkillRouteParts): Route {
  return route({
    method: 'delete',
    path: '/v1/skills/{id}',
    operation: 'deleteSkill',
    summary: 'Delete a version of a skill; the previous version becomes the latest',
    tag: 'skills',
    scope: 'skills:write',
    params: skillParams,
    reply: replyOfSkill('The deleted version'),
    failures: [404],
    async handle({ db, caller, params }) {
      const { workspaceId, keyId } = caller
      return shown(await deleteSkill({ ...parts, db }, { workspaceId, keyId, id: params.id }), workspaceId)
    },
  })
}

function zipRoute(parts: SkillRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/public/skills/{id}',
    operation: 'getSkillZip',
    summary: 'Download the zip of a skill by its signed download_url',
    tag: 'skills',
    scope: 'public',
    params: skillParams,
    query: signedQuery,
    reply: { status: 200, description: 'The zip', contentType: 'application/zip' },
    failures: [404],
    async handle({ db, params, query }) {
      const claim = signedClaim(parts, { use: 'skill', id: params.id, query })
      if (!claim) throw unknownSkill()
      const version = await loadSkill(
        { db: db.within(claim.workspaceId) },
        { workspaceId: claim.workspaceId, id: params.id },
      )
      const plain = version.name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 100)
      return {
        stream: await parts.blobs.open(version.zipSha256),
        headers: {
          'Content-Type': 'application/zip',
          'Content-Length': String(version.zipBytes),
          'Content-Disposition': `attachment; filename="${plain}-${version.skillVersion}.zip"`,
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Cache-Control': 'private, no-cache',
        },
      }
    },
  })
}

const shown = (version: Parameters<typeof wireSkill>[0], workspaceId: string): Reply<SkillRecord> => ({
  json: wireSkill(version, workspaceId),
})
