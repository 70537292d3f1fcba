import type { Clock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { ofShare, type ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { type AuditAction, recordAction } from '../audit/audit.ts'
import { dropUnusedBlob, keepBlob, takeStorage } from '../files/files.ts'
import type { ClaimKey } from '../idempotency/idempotency.ts'
import { type BundleSource, bundleTerms, type CheckedBundle, checkBundleJob } from './bundle.ts'
import { waitsAtGate } from './gate.ts'
import { loadSkill } from './load-skill.ts'
import { type SkillVersion, versionString } from './skill.ts'
import { completeVersion, insertVersion, latestGate, lockName, type NewVersion } from './store.ts'

/** Dependencies of making skills. */
export interface SkillParts {
  readonly db: Db
  readonly clock: Clock
  readonly blobs: Blobs
  readonly processPool: ProcessPool
  /** Total size of the files and skills of one workspace; default `limits.storageBytesPerWorkspaceMax`. */
  readonly storageBytesMax?: number | undefined
}

/** The caller and its deadline. */
export interface Asker {
  readonly workspaceId: string
  readonly keyId: string
  readonly signal: AbortSignal
  /** Claims the Idempotency-Key of the call, if it has one. */
  readonly claim?: ClaimKey
}

/** Checks a bundle for a workspace. Throws as `checkBundleJob` does. */
export function checkBundle(
  parts: SkillParts,
  { workspaceId, signal }: Asker,
  source: BundleSource,
): Promise<CheckedBundle> {
  const processPool = ofShare(parts.processPool, { group: workspaceId, rank: 1 })
  return processPool.run(checkBundleJob, source, { ...bundleTerms, signal })
}

/** A version to insert. */
export interface VersionToWrite {
  readonly name: string
  readonly description: string
  readonly isPublic: boolean
  readonly origin: SkillVersion['origin']
  readonly checked: CheckedBundle
  /** Its action in the audit log. */
  readonly action: AuditAction
  /** Called in the transaction before the version is inserted; may throw. */
  readonly beforeInsert?: (tx: Sql) => Promise<void>
}

/**
 * Stores a valid bundle as the next version of its name. It becomes the latest at once, unless it or the latest sets a gate that an
 * evaluation has to pass.
 */
export async function storeVersion(parts: SkillParts, asker: Asker, wanted: VersionToWrite): Promise<SkillVersion> {
  const { action, beforeInsert, ...kept } = wanted
  const version = await keepZip(parts, asker, { ...kept, status: 'completed', sessionId: null })
  const of = { workspaceId: asker.workspaceId, id: version.id, name: version.name, now: version.createdAt }
  await commitVersion(parts, { version, asker, action }, async (tx) => {
    await lockName(tx, of)
    await beforeInsert?.(tx)
    await insertVersion(tx, version)
    const isHeld = waitsAtGate(version.facts.publishGate, await latestGate(tx, of))
    await completeVersion(tx, { ...of, isHeld })
  })
  return loadSkill(parts, of)
}

/** Stores the zip and returns the version to insert. */
export async function keepZip(
  { blobs, clock }: SkillParts,
  { workspaceId, signal }: Asker,
  wanted: Omit<VersionToWrite, 'action' | 'beforeInsert'> & {
    status: SkillVersion['status']
    sessionId: string | null
  },
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
 * Inserts a version in one transaction that holds its zip, counts it against the workspace's quota and logs it in the audit log. Removes
 * the zip if that fails. Fault `too_large` (`storage_quota`).
 */
export async function commitVersion(
  { db, blobs, storageBytesMax: bytesMax = limits.storageBytesPerWorkspaceMax }: SkillParts,
  of: { version: NewVersion; asker: Omit<Asker, 'signal'>; action: AuditAction },
  write: (tx: Sql) => Promise<void>,
): Promise<void> {
  const { workspaceId, id, name, skillVersion, sha256, zipSha256, zipBytes, createdAt } = of.version
  try {
    await db.transaction(async (tx) => {
      await of.asker.claim?.(tx, of.version)
      await keepBlob({ tx, blobs }, zipSha256)
      await write(tx)
      await takeStorage(tx, { workspaceId, bytes: zipBytes, bytesMax, now: createdAt })
      const detail = { name, skill_version: skillVersion, bundle_sha256: sha256 }
      await recordAction(tx, {
        workspaceId,
        keyId: of.asker.keyId,
        action: of.action,
        subjectId: id,
        detail,
        now: createdAt,
      })
    })
  } catch (error) {
    await dropUnusedBlob({ db, blobs }, zipSha256)
    throw error
  }
}
