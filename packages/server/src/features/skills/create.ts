import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import { dropUnusedBlob, loadFile, releaseStorage } from '../files/files.ts'
import { bundleTerms, type CheckedBundle, reviseBundleJob } from './bundle.ts'
import { loadOwnSkill, unknownSkill } from './load-skill.ts'
import { refusedAt } from './resolve.ts'
import { reviewCalled } from './review.ts'
import type { SkillVersion } from './skill.ts'
import { lockName, markLatest, markVersionDeleted } from './store.ts'
import type { CreateRequest, UpdateRequest } from './wire.ts'
import { type Asker, checkBundle, type SkillParts, storeVersion } from './write-version.ts'

/** Creates a skill from an uploaded zip; a name in the request overrides the bundle's. */
export async function createFromFile(parts: SkillParts, asker: Asker, body: CreateRequest): Promise<SkillVersion> {
  const missing = (['name', 'description'] as const).filter((field) => !body[field])
  if (missing.length > 0)
    throw new ValidationFailure(
      missing.map((field) => ({
        loc: ['body', field],
        msg: `Field required: ${field} must be given with file_id`,
        type: 'missing',
      })),
    )
  const checked = await checkedFile(parts, asker, body.file_id ?? '')
  const called = {
    name: body.name ?? checked.facts.name,
    description: body.description ?? checked.facts.description,
  }
  return storeVersion(parts, asker, {
    ...called,
    isPublic: body.is_public ?? false,
    origin: 'file',
    checked: withNotes(checked, called),
    action: 'skill.create',
  })
}

const withNotes = ({ facts, zip }: CheckedBundle, called: { name: string; description: string }): CheckedBundle => ({
  facts: { ...facts, review: [...facts.review, ...reviewCalled(facts, called)] },
  zip,
})

/** Creates the next version of a skill of the workspace: absent fields stay unchanged. */
export async function updateSkill(
  parts: SkillParts,
  asker: Asker & { id: string },
  body: UpdateRequest,
): Promise<SkillVersion> {
  const first = await loadOwnSkill(parts, asker)
  if (first.status !== 'completed')
    throw new Fault('conflict', 'skill_not_ready', `The skill cannot be updated: its status is ${first.status}`)
  const { file_id, description = null, prompt = null } = body
  const schema = (body.json_schema ?? null) as JsonSchema | null
  if (file_id && (prompt || schema))
    throw invalid(
      ['body', prompt ? 'prompt' : 'json_schema'],
      'file_id replaces the whole bundle and cannot be combined with this field',
    )
  if (!file_id && !prompt && !schema && !description && typeof body.is_public !== 'boolean')
    throw invalid(['body'], 'Give at least one of file_id, description, prompt, json_schema and is_public', {
      type: 'missing',
    })
  const checked = file_id
    ? await checkedFile(parts, asker, file_id)
    : await refusedAt(
        ['body', schema ? 'json_schema' : 'prompt'],
        revised(parts, asker, { first, description, prompt, schema }),
      )
  const called = {
    name: first.name,
    description: description ?? (file_id ? checked.facts.description : first.description),
  }
  return storeVersion(parts, asker, {
    ...called,
    isPublic: body.is_public ?? first.isPublic,
    origin: file_id ? 'file' : 'prompt',
    checked: withNotes(checked, called),
    action: 'skill.update',
  })
}

function revised(
  { blobs, processPool }: SkillParts,
  { signal, workspaceId }: Asker,
  {
    first,
    ...changes
  }: { first: SkillVersion; description: string | null; prompt: string | null; schema: JsonSchema | null },
): Promise<CheckedBundle> {
  const share = { group: workspaceId, rank: 1 }
  return blobs.localPath(first.zipSha256, (path) =>
    processPool.run(reviseBundleJob, { path, ...changes }, { ...bundleTerms, signal, share }),
  )
}

async function checkedFile(parts: SkillParts, asker: Asker, fileId: string): Promise<CheckedBundle> {
  const file = await loadFile(parts, { workspaceId: asker.workspaceId, id: fileId })
  const loc = ['body', 'file_id']
  if (file.bytes > limits.bundleZipBytesMax)
    throw invalid(loc, `The zip has ${file.bytes} bytes; at most ${limits.bundleZipBytesMax} are allowed`, {
      type: 'bad_bundle',
    })
  return refusedAt(
    loc,
    parts.blobs.localPath(file.sha256, (path) => checkBundle(parts, asker, { path })),
  )
}

/** Deletes one version of the workspace and returns its last state; the previous one becomes the latest. */
export async function deleteSkill(
  parts: SkillParts,
  where: { workspaceId: string; id: string; keyId: string },
): Promise<SkillVersion> {
  const version = await loadOwnSkill(parts, where)
  const by = { keyId: where.keyId, now: parts.clock.now() }
  const zips = await parts.db.transaction(async (tx) => {
    await lockName(tx, version)
    const zips = await deleteVersions(tx, [version], by)
    await markLatest(tx, version)
    return zips
  })
  await dropUnusedZips(parts, zips)
  return version
}

/**
 * Deletes versions of a name and returns the hashes of their zips, for `dropUnusedZips` after the commit. Needs the lock of the name. Throws
 * Fault `missing` (`unknown_skill`) if all of them were deleted before.
 */
export async function deleteVersions(
  tx: Sql,
  versions: readonly { readonly workspaceId: string; readonly id: string }[],
  by: { keyId: string; now: Date },
): Promise<readonly Buffer[]> {
  const deleted: SkillVersion[] = []
  // All versions before the storage: an unfinished version locks them in this order when it gets its bundle.
  for (const { workspaceId, id } of versions) {
    const one = await markVersionDeleted(tx, { workspaceId, id, now: by.now })
    if (one) deleted.push(one)
  }
  if (deleted.length === 0) throw unknownSkill()
  for (const { workspaceId, id, name, skillVersion, zipBytes } of deleted) {
    await releaseStorage(tx, { workspaceId, bytes: zipBytes })
    const detail = { name, skill_version: skillVersion }
    await recordAction(tx, { ...by, workspaceId, action: 'skill.delete', subjectId: id, detail })
  }
  return deleted.map(({ zipSha256 }) => zipSha256)
}

/** Removes zips that nothing uses any more. */
export async function dropUnusedZips(parts: SkillParts, zips: readonly Buffer[]): Promise<void> {
  const distinct = new Map(zips.map((zip) => [zip.toString('hex'), zip]))
  for (const zip of distinct.values()) await dropUnusedBlob(parts, zip)
}
