import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import { dropUnusedBlob, keepBlob } from './collect.ts'
import { displayedContentType } from './content-type.ts'
import { keptFilename } from './filename.ts'
import { openReservation, withReservation } from './reservations.ts'
import { isSignatureGood, type SignedUse, signedQueryOf } from './signed-url.ts'
import { leaveBlob, releaseStorage, takeStorage } from './storage.ts'
import {
  dropNames,
  dropUpload,
  type FileRecord,
  insertFile,
  insertHolds,
  lockUpload,
  markFileDeleted,
  markInputsDeleted,
  selectFile,
  selectHeldFile,
} from './store.ts'
import { receiveUpload } from './upload.ts'
import { uploadIdleMsDefault } from './wire.ts'

export { collectBlobs, dropUnusedBlob, keepBlob } from './collect.ts'
export { contentReply } from './content.ts'
export { displayedContentType } from './content-type.ts'
export { drawingReply, pageParams, pageQuery, pageWordsSchema, refuseUnknownPage, wireWords } from './page-wire.ts'
export { purposes } from './purposes.ts'
export { openReservation, type StorageReservation } from './reservations.ts'
export { releaseStorage, takeStorage } from './storage.ts'
export type { FileRecord, PendingUpload } from './store.ts'
export {
  selectFilenames as findFilenames,
  selectFilePage as listFilePage,
  selectNeededBlobs as findNeededBlobs,
  selectPendingUploads as findPendingUploads,
} from './store.ts'
export { sweepBlobs } from './sweep.ts'

/** How long a `public_url` works, in seconds: longer than callbacks of an execution are retried. */
const publicUrlSeconds = 7 * 24 * 60 * 60

/** The file of this id in this workspace, or undefined. Accepts any text. */
export async function findFile(
  { db }: { db: Sql },
  where: { workspaceId: string; id: string },
): Promise<FileRecord | undefined> {
  const id = where.id.toLowerCase()
  return isId(id) ? selectFile(db, { workspaceId: where.workspaceId, id }) : undefined
}

/** The file of this id in this workspace. Fault `missing` (`unknown_file`). */
export async function loadFile(parts: { db: Sql }, where: { workspaceId: string; id: string }): Promise<FileRecord> {
  const file = await findFile(parts, where)
  if (!file) throw unknownFile()
  return file
}

/** The input file of an execution, even one deleted since, until the execution has ended. Fault as `loadFile`. */
export async function loadHeldFile(
  { db }: { db: Sql },
  { executionId, ...where }: { workspaceId: string; executionId?: string; id: string },
): Promise<FileRecord> {
  if (executionId === undefined) return loadFile({ db }, where)
  const id = where.id.toLowerCase()
  const file = isId(id) ? await selectHeldFile(db, { ...where, id, executionId }) : undefined
  if (!file) throw unknownFile()
  return file
}

/** Holds files for an execution that is being accepted, until it has ended. False if one of them was deleted by now. */
export async function holdFiles(
  tx: Sql,
  hold: { workspaceId: string; executionId: string; fileIds: readonly string[] },
): Promise<boolean> {
  return hold.fileIds.length === 0 || (await insertHolds(tx, hold)) === hold.fileIds.length
}

/**
 * Deletes the input files of an execution, with their names, when it ends and nothing of it may be kept. The collector removes their bytes.
 */
export async function deleteInputFiles(
  tx: Sql,
  of: { workspaceId: string; executionId: string; keyId: string; now: Date },
): Promise<void> {
  const { workspaceId, keyId, now } = of
  for (const file of await markInputsDeleted(tx, of)) {
    await releaseStorage(tx, file)
    await leaveBlob(tx, file.sha256)
    await recordAction(tx, { workspaceId, keyId, action: 'file.delete', subjectId: file.id, now })
  }
}

/** One message for files that never existed, were deleted, or belong to another workspace. */
export const unknownFile = (): Fault => new Fault('missing', 'unknown_file', 'This workspace has no file with this id')

/**
 * Records a file whose bytes were just stored, and says whether it is new: false if its id is or was in use. Fault `unavailable` when a
 * concurrent deletion removed the same bytes: upload them again. Fault `too_large` (`storage_quota`) when the workspace has no room; then
 * nothing is kept. `keyId` is null for the holder of a signed URL. Converts the reservation of the upload into storage.
 */
export async function addFile(
  parts: {
    readonly db: Db
    readonly blobs: Blobs
    readonly storageBytesMax?: number
    /** Runs in the same transaction, after the insert. */
    readonly alongside?: ((tx: Sql, file: FileRecord) => Promise<void>) | undefined
  },
  file: FileRecord,
  { keyId, reservationId }: { keyId: string | null; reservationId: string },
): Promise<boolean> {
  const { id, workspaceId, bytes, createdAt: now } = file
  let isNew = false
  try {
    isNew = await parts.db.transaction(async (tx) => {
      await keepBlob({ tx, blobs: parts.blobs }, file.sha256)
      if (!(await insertFile(tx, file))) return false
      await takeStorage(tx, {
        workspaceId,
        bytes,
        bytesMax: parts.storageBytesMax ?? limits.storageBytesPerWorkspaceMax,
        now,
        reservationId,
      })
      const detail = { bytes, sha256: file.sha256.toString('hex'), purpose: file.purpose }
      await recordAction(tx, { workspaceId, keyId, action: 'file.create', subjectId: id, detail, now })
      await parts.alongside?.(tx, file)
      return true
    })
    return isNew
  } finally {
    if (!isNew) await dropUnusedBlob(parts, file.sha256)
  }
}

/**
 * Receives a multipart upload and stores it as a new file. `purposeOf` reads the other fields of the form, and may refuse them.
 * Throws as `receiveUpload` and `addFile`.
 */
export async function receiveFile(
  { bounds, ...parts }: Pick<FileParts, 'bounds' | 'blobs' | 'clock'>,
  request: {
    readonly db: Db
    readonly caller: { readonly workspaceId: string; readonly keyId: string }
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly stream: Readable
    readonly signal: AbortSignal
  },
  purposeOf: (fields: ReadonlyMap<string, string>) => FileRecord['purpose'],
): Promise<FileRecord> {
  const { db, headers, stream, signal } = request
  const { blobs, clock } = parts
  const { workspaceId, keyId } = request.caller
  const bytesMax = bounds.fileBytesMax ?? limits.fileBytesMax
  const idleMs = bounds.uploadIdleMs ?? uploadIdleMsDefault
  const announcedBytes = Number(headers['content-length'] ?? 0)
  const transfer = { workspaceId, keyId, announcedBytes }
  return withReservation({ db, clock, ...bounds }, transfer, async ({ passing, id: reservationId }) => {
    let purpose: FileRecord['purpose'] = 'assistants'
    const check = (fields: ReadonlyMap<string, string>) => {
      purpose = purposeOf(fields)
    }
    const upload = { headers, stream, signal, bytesMax, idleMs, passing, check }
    const { filename, declaredType, blob } = await receiveUpload({ blobs }, upload)
    const now = clock.now()
    const file: FileRecord = {
      id: newId(now),
      workspaceId,
      filename,
      contentType: await displayedContentType(blob.head, filename, declaredType),
      bytes: blob.bytes,
      sha256: blob.sha256,
      md5: blob.md5,
      purpose,
      createdAt: now,
    }
    await addFile({ db, blobs, ...bounds }, file, { keyId, reservationId })
    return file
  })
}

/** Stores bytes as a new file. Its `filename` is untrusted. Throws as `addFile`, and ValidationFailures for the name. */
export async function storeBytes(
  {
    storageBytesMax,
    ...parts
  }: {
    readonly db: Db
    readonly clock: Clock
    readonly blobs: Blobs
    readonly storageBytesMax?: number | undefined
  },
  of: { workspaceId: string; keyId: string; filename: string; bytes: Buffer; signal: AbortSignal },
): Promise<FileRecord> {
  const { workspaceId, keyId, bytes, signal } = of
  const filename = keptFilename(of.filename, ['body', 'payload'])
  const transfer = { workspaceId, keyId, announcedBytes: bytes.length }
  const bounds = storageBytesMax === undefined ? {} : { storageBytesMax }
  const reservation = await openReservation({ ...parts, ...bounds }, transfer)
  try {
    const blob = await parts.blobs.put(reservation.passing(Readable.from([bytes])), { bytesMax: bytes.length, signal })
    const now = parts.clock.now()
    const contentType = await displayedContentType(blob.head, filename)
    const { sha256, md5 } = blob
    const stored = { bytes: blob.bytes, sha256, md5, purpose: 'assistants', createdAt: now } as const
    const file: FileRecord = { id: newId(now), workspaceId, filename, contentType, ...stored }
    await addFile({ ...parts, ...bounds }, file, { keyId, reservationId: reservation.id })
    return file
  } finally {
    await reservation.drop()
  }
}

/**
 * Deletes a file of the workspace and returns it; Fault `missing`. Removes its bytes with the last file of any workspace that has them. A
 * presigned upload without bytes loses its URL.
 */
export async function deleteFile(
  parts: { readonly db: Db } & Pick<FileParts, 'blobs' | 'clock' | 'onUploadDropped'>,
  where: { workspaceId: string; id: string; keyId: string },
): Promise<FileRecord> {
  const id = where.id.toLowerCase()
  const { workspaceId, keyId } = where
  const now = parts.clock.now()
  const deleted = await parts.db.transaction(async (tx) => {
    if (!isId(id)) return undefined
    let marked = await markFileDeleted(tx, { workspaceId, id, now })
    if (!marked) {
      const upload = await lockUpload(tx, { workspaceId, id, now })
      // The bytes may have come while this waited for the lock.
      marked = upload && (await markFileDeleted(tx, { workspaceId, id, now }))
      if (upload && !marked && (await dropUpload(tx, { workspaceId, id }))) {
        await parts.onUploadDropped?.(tx, { workspaceId, id })
        await recordAction(tx, { workspaceId, keyId, action: 'file.delete', subjectId: id, now })
        return { file: await emptyFile({ workspaceId, id, ...upload }), hasBytes: false }
      }
    }
    if (marked) {
      await releaseStorage(tx, marked)
      await dropNames(tx, [marked])
      // If this process dies before it removes the bytes, the collector does.
      await leaveBlob(tx, marked.sha256)
      await recordAction(tx, { workspaceId, keyId, action: 'file.delete', subjectId: id, now })
    }
    return marked && { file: marked, hasBytes: true }
  })
  if (!deleted) throw unknownFile()
  const { file, hasBytes } = deleted
  if (!hasBytes) return file
  // After the commit: a rollback after removing the bytes would leave a file without them.
  await dropUnusedBlob(parts, file.sha256)
  return file
}

const emptyFile = async (
  upload: Pick<FileRecord, 'workspaceId' | 'id' | 'filename' | 'purpose' | 'createdAt'>,
): Promise<FileRecord> => ({
  ...upload,
  contentType: await displayedContentType(new Uint8Array(), upload.filename),
  bytes: 0,
  sha256: createHash('sha256').digest(),
  md5: createHash('md5').digest(),
})

/** Dependencies of the file routes. */
export interface FileParts extends Signing {
  readonly blobs: Blobs
  /** Public scheme and host of this server as configured; undefined: take them from the request. */
  readonly publicUrl?: string | undefined
  readonly bounds: UploadBounds
  /** Called in the transaction that adds the file of a presigned upload. */
  readonly onSent?: (tx: Sql, file: FileRecord) => Promise<void>
  /** Called in the transaction that drops a presigned upload without bytes. */
  readonly onUploadDropped?: (tx: Sql, upload: Pick<FileRecord, 'workspaceId' | 'id'>) => Promise<void>
}

/** Limits of size and time of uploads; each has a default. */
export interface UploadBounds {
  /** Total size of the files of one workspace; default `limits.storageBytesPerWorkspaceMax`. */
  readonly storageBytesMax?: number
  /** Largest file in bytes; default `limits.fileBytesMax`. */
  readonly fileBytesMax?: number
  /** Concurrent uploads per key in all processes together; default `limits.uploadsPerKeyMax`. */
  readonly uploadsPerKeyMax?: number
  /** Longest silence of an uploading client, in milliseconds; default one minute. */
  readonly uploadIdleMs?: number
}

/** Creates and verifies signed URLs. */
export interface Signing {
  readonly clock: Clock
  /** At least 32 random bytes, the same in every process of this server. */
  readonly signingSecret: Uint8Array
}

/** Path and query of a URL by which anyone can read the file until it expires. */
export function publicPathOf(signing: Signing, { workspaceId, id }: { workspaceId: string; id: string }): string {
  const claim = { use: 'download', workspaceId, id, seconds: publicUrlSeconds } as const
  return `/v1/public/files/${id}?${signedQueryFor(signing, claim)}`
}

/** Query of a URL that allows anyone to do `use` for `seconds`. */
export function signedQueryFor(
  { clock, signingSecret }: Signing,
  { seconds, ...claim }: { use: SignedUse; workspaceId: string; id: string; seconds: number },
): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + seconds
  return signedQueryOf(signingSecret, { ...claim, expires })
}

/**
 * The file behind a signed URL of this server, whatever its host: an input that is our own `public_url` is read here, not fetched.
 * Undefined when the URL is not one of ours, is expired, or its file is gone.
 */
export async function findPublicFile(parts: Signing & { db: Sql }, url: string): Promise<FileRecord | undefined> {
  const place = publicPlaceOf(parts, url)
  return place && findFile(parts, place)
}

/** Workspace and id of the file behind a signed URL of this server, with or without its bytes. */
export function publicPlaceOf(signing: Signing, url: string): { workspaceId: string; id: string } | undefined {
  const parsed = URL.parse(url)
  const id = /^(?:\/shards\/[^/]+)?\/v1\/public\/files\/([^/]+)$/.exec(parsed?.pathname ?? '')?.[1]
  if (!parsed || !id) return undefined
  const claim = signedClaim(signing, { use: 'download', id, query: Object.fromEntries(parsed.searchParams) })
  return claim && { workspaceId: claim.workspaceId, id }
}

/** The claim of a signed query, or undefined when it is not valid. */
export function signedClaim(
  { clock, signingSecret }: Signing,
  shown: { use: SignedUse; id: string; query: Readonly<Record<string, string | undefined>> },
): { workspaceId: string; expires: number } | undefined {
  const { workspace = '', expires = '', signature = '' } = shown.query
  if (!isId(workspace) || !isId(shown.id) || !/^\d{1,12}$/.test(expires)) return undefined
  const claim = { use: shown.use, workspaceId: workspace, id: shown.id, expires: Number(expires) }
  const good = isSignatureGood(signingSecret, claim, { signature, now: clock.now() })
  return good ? { workspaceId: workspace, expires: claim.expires } : undefined
}
