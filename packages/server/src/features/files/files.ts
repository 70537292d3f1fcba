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
import { openReservation } from './reservations.ts'
import { isSignatureGood, type SignedUse, signedQueryOf } from './signed-url.ts'
import { leaveBlob, releaseStorage, takeStorage } from './storage.ts'
import {
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

export { collectBlobs, dropUnusedBlob, keepBlob } from './collect.ts'
export { drawingReply, pageParams, pageQuery, pageWordsSchema, refuseUnknownPage, wireWords } from './page-wire.ts'
export { openReservation, type StorageReservation } from './reservations.ts'
export { releaseStorage, takeStorage } from './storage.ts'
export type { FileRecord, PendingUpload } from './store.ts'
export { selectFilenames as findFilenames, selectPendingUploads as findPendingUploads } from './store.ts'
export { sweepBlobs } from './sweep.ts'

/** How long a `public_url` works: longer than the callbacks of an execution are tried, in seconds. */
const publicUrlSeconds = 7 * 24 * 60 * 60

/** The file of that id in that workspace, or undefined. Any text may be asked for. */
export async function findFile(
  { db }: { db: Sql },
  where: { workspaceId: string; id: string },
): Promise<FileRecord | undefined> {
  const id = where.id.toLowerCase()
  return isId(id) ? selectFile(db, { workspaceId: where.workspaceId, id }) : undefined
}

/** The file of that id in that workspace. Fault `missing` (`unknown_file`) where there is none. */
export async function loadFile(parts: { db: Sql }, where: { workspaceId: string; id: string }): Promise<FileRecord> {
  const file = await findFile(parts, where)
  if (!file) throw unknownFile()
  return file
}

/**
 * The file that an execution took as an input: also one that was deleted since, until the execution has ended. Fault as
 * `loadFile`.
 */
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

/**
 * Holds the bytes of files for an execution that is being accepted, until it has ended. False where one of them was deleted
 * meanwhile.
 */
export async function holdFiles(
  tx: Sql,
  hold: { workspaceId: string; executionId: string; fileIds: readonly string[] },
): Promise<boolean> {
  return hold.fileIds.length === 0 || (await insertHolds(tx, hold)) === hold.fileIds.length
}

/**
 * Deletes the files that an execution took as inputs, names and all, when it ends and nothing of it may be kept. Their bytes
 * are left to the collector.
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

/** One sentence for whatever is not there, was deleted, or belongs to another workspace. */
export const unknownFile = (): Fault => new Fault('missing', 'unknown_file', 'This workspace has no file with this id')

/** The bytes of a file, or those from `start` up to and including `end`. Fault `missing` when the store lost them. */
export function openFile(
  { blobs }: { blobs: Blobs },
  file: FileRecord,
  range?: { start: number; end: number },
): Promise<Readable> {
  return blobs.open(file.sha256, range)
}

/**
 * Records a file whose bytes were just put, and says whether it is new: false when there is, or was, a file of its id.
 * Fault `unavailable` when the last file with the same bytes was deleted at this very moment and took them along: the
 * upload has to be made again. Fault `too_large` (`storage_quota`) when the workspace may not hold so much; nothing is kept
 * then. `keyId` is null for the holder of a signed URL. The reservation of the upload becomes the file's storage.
 */
export async function addFile(
  parts: {
    readonly db: Db
    readonly blobs: Blobs
    readonly storageBytesMax?: number
    /** Done in the same transaction, once the file is there. */
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

/** Stores bytes as a new file and gives it. `filename` comes from a stranger. Throws as `addFile`, and ValidationFailures for the name. */
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
 * Deletes a file of the workspace and gives it; Fault `missing` where there is none. Its bytes go with the last file, of
 * whatever workspace, that has them. Of a presigned upload whose bytes have not come, its URL ends.
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
      // Its bytes may have come while the lock was waited for.
      marked = upload && (await markFileDeleted(tx, { workspaceId, id, now }))
      if (upload && !marked && (await dropUpload(tx, { workspaceId, id }))) {
        await parts.onUploadDropped?.(tx, { workspaceId, id })
        await recordAction(tx, { workspaceId, keyId, action: 'file.delete', subjectId: id, now })
        return { file: await emptyFile({ workspaceId, id, ...upload }), hasBytes: false }
      }
    }
    if (marked) {
      await releaseStorage(tx, marked)
      // Should this process die before it removes the bytes, the collector does.
      await leaveBlob(tx, marked.sha256)
      await recordAction(tx, { workspaceId, keyId, action: 'file.delete', subjectId: id, now })
    }
    return marked && { file: marked, hasBytes: true }
  })
  if (!deleted) throw unknownFile()
  const { file, hasBytes } = deleted
  if (!hasBytes) return file
  // After the mark and not with it: were the mark undone when the bytes had gone, a file without bytes would be left.
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

/** What the routes of files need. */
export interface FileParts extends Signing {
  readonly blobs: Blobs
  /** Scheme and host at which clients reach this server, as the operator says; undefined: where the request came in. */
  readonly publicUrl?: string | undefined
  readonly bounds: UploadBounds
  /** Called in the transaction that adds the file of a presigned upload. */
  readonly onSent?: (tx: Sql, file: FileRecord) => Promise<void>
  /** Called in the transaction that drops a presigned upload whose bytes had not come. */
  readonly onUploadDropped?: (tx: Sql, upload: Pick<FileRecord, 'workspaceId' | 'id'>) => Promise<void>
}

/** How much may be uploaded, and how slowly. Each has a default. */
export interface UploadBounds {
  /** What the files of one workspace may take in all; `limits.storageBytesPerWorkspaceMax` where it is not given. */
  readonly storageBytesMax?: number
  /** Largest file in bytes; `limits.fileBytesMax` where it is not given. */
  readonly fileBytesMax?: number
  /** Uploads that one key may have in progress, in all processes together; `limits.uploadsPerKeyMax` where it is not given. */
  readonly uploadsPerKeyMax?: number
  /** How long an uploading client may be silent, in milliseconds; a minute where it is not given. */
  readonly uploadIdleMs?: number
}

/** What making and checking signed URLs needs. */
export interface Signing {
  readonly clock: Clock
  /** At least 32 random bytes, the same in every process of this server. */
  readonly signingSecret: Uint8Array
}

/** The path and query of a URL by which anybody may read the file until it expires. */
export function publicPathOf(signing: Signing, { workspaceId, id }: { workspaceId: string; id: string }): string {
  const claim = { use: 'download', workspaceId, id, seconds: publicUrlSeconds } as const
  return `/v1/public/files/${id}?${signedQueryFor(signing, claim)}`
}

/** The query of a URL by which anybody may do what `use` says until `seconds` have passed. */
export function signedQueryFor(
  { clock, signingSecret }: Signing,
  { seconds, ...claim }: { use: SignedUse; workspaceId: string; id: string; seconds: number },
): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + seconds
  return signedQueryOf(signingSecret, { ...claim, expires })
}

/**
 * The file that a signed URL of this server leads to, whatever host it names: an input that is our own `public_url` is read
 * from here and not fetched. Undefined when it is no such URL, expired, or its file is gone.
 */
export async function findPublicFile(parts: Signing & { db: Sql }, url: string): Promise<FileRecord | undefined> {
  const place = publicPlaceOf(parts, url)
  return place && findFile(parts, place)
}

/** Workspace and id of the file that a signed URL of this server leads to, whether its bytes are there or not. */
export function publicPlaceOf(signing: Signing, url: string): { workspaceId: string; id: string } | undefined {
  const parsed = URL.parse(url)
  const id = /^\/v1\/public\/files\/([^/]+)$/.exec(parsed?.pathname ?? '')?.[1]
  if (!parsed || !id) return undefined
  const claim = signedClaim(signing, { use: 'download', id, query: Object.fromEntries(parsed.searchParams) })
  return claim && { workspaceId: claim.workspaceId, id }
}

/** What the query of a signed URL vouches for, or undefined when it does not hold. */
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
