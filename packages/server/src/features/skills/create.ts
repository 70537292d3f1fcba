import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { ofShare, type Workshop } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { type AuditAction, recordAction } from '../audit/audit.ts'
import type { AnswerParts } from '../executions/executions.ts'
import { dropUnusedBlob, keepBlob, loadFile, releaseStorage, takeStorage } from '../files/files.ts'
import { type BundleSource, bundleTerms, type CheckedBundle, checkBundleJob, reviseBundleJob } from './bundle.ts'
import { waitsAtGate } from './gate.ts'
import { freeName, nameByModel } from './name-skill.ts'
import { refusedAt } from './resolve.ts'
import { reviewCalled } from './review.ts'
import { type SkillVersion, versionString } from './skill.ts'
import { descriptionFromInstructions, promptFiles } from './skill-text.ts'
import { loadOwnSkill, loadSkill, unknownSkill } from './skills.ts'
import {
  completeVersion,
  holdName,
  insertVersion,
  latestGate,
  markLatest,
  markVersionDeleted,
  type NewVersion,
} from './store.ts'
import type { CreateRequest, UpdateRequest } from './wire.ts'

/** What making skills needs. */
export interface CreateParts {
  readonly db: Db
  readonly clock: Clock
  readonly blobs: Blobs
  readonly workshop: Workshop
  /** What the files and skills of one workspace may take in all; `limits.storageBytesPerWorkspaceMax` where it is not given. */
  readonly storageBytesMax?: number
}

/** And what having a model name them needs. */
export type NamingParts = CreateParts & AnswerParts

/** Who asks, and for how long. */
export interface Asker {
  readonly workspaceId: string
  readonly keyId: string
  readonly signal: AbortSignal
}

/** The three ways to make a skill, by the field that each is asked for with. */
const modes = ['file_id', 'prompt', 'session_id'] as const

/** Which way is meant. Throws a ValidationFailure that names the fields that were given, unless it is exactly one. */
export function modeOf(body: CreateRequest): (typeof modes)[number] {
  const given = modes.filter((mode) => body[mode] !== null && body[mode] !== undefined)
  const [mode, second] = given
  if (mode === undefined || second !== undefined) {
    const what = given.length === 0 ? 'none of them' : given.join(' and ')
    throw invalid(
      ['body', ...(given.length > 0 ? [given[1] ?? ''] : [])],
      `A skill is made from exactly one of ${modes.join(', ')}; the request has ${what}`,
      {
        type: given.length === 0 ? 'missing' : 'value_error',
      },
    )
  }
  if (body.json_schema && mode !== 'prompt')
    throw invalid(['body', 'json_schema'], `json_schema goes with prompt alone; with ${mode} it comes from there`)
  return mode
}

/** A skill from an uploaded zip: what the request calls it counts. */
export async function createFromFile(parts: CreateParts, asker: Asker, body: CreateRequest): Promise<SkillVersion> {
  const missing = (['name', 'description'] as const).filter((field) => !body[field])
  if (missing.length > 0)
    throw new ValidationFailure(
      missing.map((field) => ({
        loc: ['body', field],
        msg: `Field required: a skill from a file is given its ${field}`,
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

/** A skill from a prompt and perhaps a schema. What it is not called is made by a language model, where there is one, else by rule. */
export async function createFromPrompt(parts: NamingParts, asker: Asker, body: CreateRequest): Promise<SkillVersion> {
  const prompt = body.prompt ?? ''
  const schema = (body.json_schema ?? null) as JsonSchema | null
  // A schema that is refused costs no call of a model.
  if (schema && !(body.name && body.description))
    await refusedAt(
      ['body', 'json_schema'],
      checkBundle(parts, asker, { files: promptFiles({ name: 'draft', description: 'draft', prompt, schema }) }),
    )
  const made =
    body.name && body.description ? undefined : await nameByModel(parts, asker, { instructions: prompt, schema })
  const name = body.name ?? (await freeName(parts, asker, { made, subject: prompt, instructions: prompt }))
  const description = body.description ?? made?.description ?? descriptionFromInstructions(prompt)
  const files = promptFiles({ name, description, prompt, schema })
  const checked = await refusedAt(['body', schema ? 'json_schema' : 'prompt'], checkBundle(parts, asker, { files }))
  return storeVersion(parts, asker, {
    name,
    description,
    isPublic: body.is_public ?? false,
    origin: 'prompt',
    checked,
    action: 'skill.create',
  })
}

/** The next version of a skill of one's own: what the body does not give stays as it is. */
export async function updateSkill(
  parts: CreateParts,
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
      'A zip in file_id replaces the whole bundle; send one of them',
    )
  if (!file_id && !prompt && !schema && !description && typeof body.is_public !== 'boolean')
    throw invalid(['body'], 'An update needs at least one of file_id, description, prompt, json_schema, is_public', {
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
  { blobs, workshop }: CreateParts,
  { signal, workspaceId }: Asker,
  {
    first,
    ...changes
  }: { first: SkillVersion; description: string | null; prompt: string | null; schema: JsonSchema | null },
): Promise<CheckedBundle> {
  const share = { group: workspaceId, rank: 1 }
  return blobs.localPath(first.zipSha256, (path) =>
    workshop.run(reviseBundleJob, { path, ...changes }, { ...bundleTerms, signal, share }),
  )
}

async function checkedFile(parts: CreateParts, asker: Asker, fileId: string): Promise<CheckedBundle> {
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

/** Checks a bundle on behalf of a workspace. Throws as `checkBundleJob` does. */
export function checkBundle(
  parts: CreateParts,
  { workspaceId, signal }: Asker,
  source: BundleSource,
): Promise<CheckedBundle> {
  const workshop = ofShare(parts.workshop, { group: workspaceId, rank: 1 })
  return workshop.run(checkBundleJob, source, { ...bundleTerms, signal })
}

/** A version to be written. */
export interface Wanted {
  readonly name: string
  readonly description: string
  readonly isPublic: boolean
  readonly origin: SkillVersion['origin']
  readonly checked: CheckedBundle
  /** What this is in the audit log. */
  readonly action: AuditAction
}

/**
 * Keeps a checked bundle as the next version of its name. It becomes the latest at once, unless it or the latest sets a gate that
 * an evaluation has to pass.
 */
async function storeVersion(parts: CreateParts, asker: Asker, wanted: Wanted): Promise<SkillVersion> {
  const { action, ...kept } = wanted
  const version = await keepZip(parts, asker, { ...kept, status: 'completed', sessionId: null })
  const of = { workspaceId: asker.workspaceId, id: version.id, name: version.name, now: version.createdAt }
  await written(parts, { version, keyId: asker.keyId, action }, async (tx) => {
    await holdName(tx, of)
    await insertVersion(tx, version)
    const isHeld = waitsAtGate(version.facts.publishGate, await latestGate(tx, of))
    await completeVersion(tx, { ...of, isHeld })
  })
  return loadSkill(parts, of)
}

/** Puts the zip into the store and gives the version that is to be written. */
export async function keepZip(
  { blobs, clock }: CreateParts,
  { workspaceId, signal }: Asker,
  wanted: Omit<Wanted, 'action'> & { status: SkillVersion['status']; sessionId: string | null },
): Promise<NewVersion> {
  const { checked, ...rest } = wanted
  const { facts, zip } = checked
  const blob = await blobs.put(once(zip), { bytesMax: zip.length, signal })
  const now = clock.now()
  return {
    ...rest,
    id: newId(now),
    workspaceId,
    skillVersion: versionString(now, facts.sha256),
    sha256: facts.sha256,
    zipSha256: blob.sha256,
    zipBytes: blob.bytes,
    facts,
    proof: null,
    createdAt: now,
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Writes a version in one transaction that holds its zip, counts it against the workspace's quota and notes it in the audit
 * log. The zip goes again when that fails. Fault `too_large` (`storage_quota`).
 */
export async function written(
  { db, blobs, storageBytesMax: bytesMax = limits.storageBytesPerWorkspaceMax }: CreateParts,
  of: { version: NewVersion; keyId: string; action: AuditAction },
  write: (tx: Sql) => Promise<void>,
): Promise<void> {
  const { workspaceId, id, name, skillVersion, sha256, zipSha256, zipBytes, createdAt } = of.version
  try {
    await db.transaction(async (tx) => {
      await keepBlob({ tx, blobs }, zipSha256)
      await write(tx)
      await takeStorage(tx, { workspaceId, bytes: zipBytes, bytesMax, now: createdAt })
      const detail = { name, skill_version: skillVersion, bundle_sha256: sha256 }
      await recordAction(tx, { workspaceId, keyId: of.keyId, action: of.action, subjectId: id, detail, now: createdAt })
    })
  } catch (error) {
    await dropUnusedBlob({ db, blobs }, zipSha256)
    throw error
  }
}

/** Deletes one version of the workspace's own and gives it as it was; the one before becomes the latest. */
export async function deleteSkill(
  parts: CreateParts,
  where: { workspaceId: string; id: string; keyId: string },
): Promise<SkillVersion> {
  const version = await loadOwnSkill(parts, where)
  const { workspaceId, id, name } = version
  const now = parts.clock.now()
  await parts.db.transaction(async (tx) => {
    await holdName(tx, version)
    if (!(await markVersionDeleted(tx, { workspaceId, id, now }))) throw unknownSkill()
    await markLatest(tx, version)
    await releaseStorage(tx, { workspaceId, bytes: version.zipBytes })
    const detail = { name, skill_version: version.skillVersion }
    await recordAction(tx, { workspaceId, keyId: where.keyId, action: 'skill.delete', subjectId: id, detail, now })
  })
  await dropUnusedBlob(parts, version.zipSha256)
  return version
}
