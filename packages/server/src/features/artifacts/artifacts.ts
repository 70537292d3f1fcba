import { createHash } from 'node:crypto'
import { assert } from '@skillrun/core/assert.ts'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { Made } from '../../agent/tool.ts'
import { limits } from '../../core/limits.ts'
import { releaseStorage, takeStorage } from '../files/files.ts'
import { dropArtifacts, insertArtifact, insertCopies, sumArtifacts } from './store.ts'

export { findArtifact, listArtifactHashes, listContents, sumArtifacts } from './store.ts'

/** Media types that clients accept per kind, compared exactly; the other kinds accept any. */
const contentTypes: Partial<Record<Made['kind'], readonly string[]>> = {
  img: ['image/png', 'image/jpeg'],
  vid: ['video/mp4'],
  aud: ['audio/mpeg'],
  doc: ['application/pdf'],
}

/** Limits of one artifact, and of all artifacts of one execution. */
const bytesMax = 16 * 1024 * 1024
const bytesTogetherMax = 64 * 1024 * 1024
const countMax = 100

/** Such as `img_a1b2c3`, which begins with the kind. */
export const artifactIdPattern = /^(img|vid|aud|doc|txt|url|arr)_[0-9a-f]{6}$/

/**
 * Stores a tool's output for an execution and returns its id. The same content of the same execution has the same id, so a repetition after
 * a crash is not stored twice. Counts against the storage quota of the workspace until deleted. Fault `artifact_too_large`,
 * `too_many_artifacts`, `storage_quota`.
 */
export async function keepArtifact(
  {
    db,
    clock,
    storageBytesMax = limits.storageBytesPerWorkspaceMax,
  }: { db: Db; clock: Clock; storageBytesMax?: number | undefined },
  of: { workspaceId: string; executionId: string; sessionId: string | null },
  made: Made,
): Promise<string> {
  const { kind, filename, contentType, bytes } = made
  assert(contentTypes[kind]?.includes(contentType) ?? true, 'the content type of an artifact is one of its kind')
  if (bytes.length > bytesMax)
    throw new Fault(
      'too_large',
      'artifact_too_large',
      `The artifact has ${bytes.length} bytes; at most ${bytesMax} are allowed. Make it smaller or shorter`,
    )
  const hash = createHash('sha256').update(of.executionId).update('\0').update(filename).update('\0').update(bytes)
  const id = `${kind}_${hash.digest('hex').slice(0, 6)}`
  const now = clock.now()
  await db.transaction(async (tx) => {
    const artifact = { ...of, id, filename, contentType, content: bytes, createdAt: now }
    if (!(await insertArtifact(tx, artifact))) return
    const sum = await sumArtifacts(tx, of)
    if (sum.count > countMax || sum.bytes > bytesTogetherMax)
      throw new Fault(
        'too_large',
        'too_many_artifacts',
        `The execution has reached its limit of ${countMax} artifacts or ${bytesTogetherMax} bytes of artifacts in total`,
      )
    await takeStorage(tx, { workspaceId: of.workspaceId, bytes: bytes.length, bytesMax: storageBytesMax, now })
  })
  return id
}

/**
 * Copies the artifacts that these texts name from one execution to another. Copies count against the storage quota of the workspace. Fault
 * `storage_quota`.
 */
export async function copyArtifacts(
  tx: Sql,
  of: {
    workspaceId: string
    from: string
    to: string
    texts: readonly string[]
    bytesMax: number | undefined
    now: Date
  },
): Promise<void> {
  const { workspaceId, from, texts, now, bytesMax = limits.storageBytesPerWorkspaceMax } = of
  const kinds = artifactIdPattern.source.slice(1, -1)
  const ids = new Set(texts.flatMap((text) => text.match(new RegExp(`\\b${kinds}\\b`, 'g')) ?? []))
  if (ids.size === 0) return
  const bytes = await insertCopies(tx, { workspaceId, from, to: of.to, ids: [...ids], now })
  if (bytes > 0) await takeStorage(tx, { workspaceId, bytes, bytesMax, now })
}

/** An artifact from another server. */
export interface ImportedArtifact {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly content: Uint8Array
}

/** Whether a kind of artifact, which its id begins with, may have a content type. */
export const mayBe = (id: string, contentType: string): boolean =>
  contentTypes[id.slice(0, id.indexOf('_')) as Made['kind']]?.includes(contentType) ?? true

/** Stores artifacts from another server under their ids. They count against the storage quota of the workspace. Fault `storage_quota`. */
export async function importArtifacts(
  tx: Sql,
  of: { workspaceId: string; executionId: string; bytesMax: number | undefined; now: Date },
  artifacts: readonly ImportedArtifact[],
): Promise<void> {
  const { workspaceId, executionId, now, bytesMax = limits.storageBytesPerWorkspaceMax } = of
  const place = { workspaceId, executionId, sessionId: null, createdAt: now }
  for (const artifact of artifacts)
    if (await insertArtifact(tx, { ...place, ...artifact }))
      await takeStorage(tx, { workspaceId, bytes: artifact.content.length, bytesMax, now })
}

/** Deletes the artifacts of an execution and returns their bytes to the quota. */
export async function deleteArtifacts(tx: Sql, of: { workspaceId: string; executionId: string }): Promise<void> {
  const bytes = await dropArtifacts(tx, of)
  if (bytes > 0) await releaseStorage(tx, { workspaceId: of.workspaceId, bytes })
}
