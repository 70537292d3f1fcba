import type { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { StoredBlob } from '../../adapters/blobs/blobs.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { type Incoming, type Reply, type Route, route } from '../../adapters/http/route.ts'
import { watchForStall } from '../../adapters/http/stall.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { makeOnce } from '../idempotency/idempotency.ts'
import { displayedContentType } from './content-type.ts'
import { keptFilename } from './filename.ts'
import {
  addFile,
  type FileParts,
  type FileRecord,
  findFile,
  loadFile,
  publicPathOf,
  signedClaim,
  unknownFile,
} from './files.ts'
import { publicUrlOf } from './public-url.ts'
import { type StorageReservation, withReservation } from './reservations.ts'
import { signedQueryOf } from './signed-url.ts'
import { insertUpload, lockUpload, selectUpload } from './store.ts'
import {
  fileParams,
  fileQuery,
  fileSchema,
  presignBody,
  presignedSchema,
  signedQuery,
  uploadIdleMsDefault,
  type WireFile,
  wireFile,
} from './wire.ts'

/** Upload in three steps: request a URL, send the bytes there without a key, and ask whether they arrived. */
export function presignedRoutes(parts: FileParts): Route[] {
  return [presignRoute(parts), sendRoute(parts), verifyRoute(parts)]
}

function presignRoute(parts: FileParts): Route {
  return route({
    method: 'post',
    path: '/v1/files/presigned-url',
    operation: 'presignUpload',
    summary:
      'Create a presigned upload URL that accepts the bytes of a new file by PUT, without a key. Executions can refer to the file before it is uploaded; they start when it is complete. Repeating an Idempotency-Key returns the first URL',
    tag: 'files',
    scope: 'files:write',
    body: presignBody,
    reply: { status: 201, description: 'Where to send the bytes', schema: presignedSchema },
    async handle({ db, body, sentBody, headers, caller, origin }) {
      const base = parts.publicUrl ?? origin
      const { clock, signingSecret } = parts
      const { workspaceId, keyId } = caller
      const filename = keptFilename(body.filename, ['body', 'filename'])
      const { purpose } = body
      const expiryOf = (createdAt: Date) => Math.floor(createdAt.getTime() / 1000) + body.expiration
      const { id, createdAt } = await makeOnce(
        db,
        { workspaceId, operation: 'presignUpload', headers, body: sentBody },
        {
          make: async (claim) => {
            const now = clock.now()
            const made = { id: newId(now), createdAt: now }
            const expiresAt = new Date(expiryOf(now) * 1000)
            await db.transaction(async (tx) => {
              await claim(tx, made)
              await insertUpload(tx, { ...made, workspaceId, keyId, filename, purpose, expiresAt })
            })
            return made
          },
          find: async (made) => made,
        },
      )
      const expires = expiryOf(createdAt)
      const query = signedQueryOf(signingSecret, { use: 'upload', workspaceId, id, expires })
      return {
        json: {
          id,
          url: `${base}/v1/public/files/${id}?${query}`,
          filename,
          content_type: await displayedContentType(new Uint8Array(), filename),
          upload_method: 'PUT' as const,
          public_url: base + publicPathOf(parts, { workspaceId, id }),
          created_at: createdAt.toISOString(),
          expiration: body.expiration,
        },
      }
    },
  })
}

function sendRoute(parts: FileParts): Route {
  return route({
    method: 'put',
    path: '/v1/public/files/{id}',
    operation: 'sendFile',
    summary: 'Upload the bytes of a file to its presigned URL, as the raw request body',
    tag: 'files',
    scope: 'public',
    params: fileParams,
    query: signedQuery,
    reply: { status: 200, description: 'The file', schema: fileSchema },
    failures: [404, 408, 409, 413, 429, 503],
    handle: (request) => receiveSent(parts, request),
  })
}

async function receiveSent(
  parts: FileParts,
  request: Incoming<{ id: string }, Record<string, string>, unknown>,
): Promise<Reply<WireFile>> {
  const { id } = request.params
  // A part would be taken for the whole file (RFC 9110 section 14.5).
  if (request.headers['content-range'] !== undefined)
    throw invalid(['header', 'content-range'], 'The bytes of a file are sent as a whole, without Content-Range', {
      type: 'content_range',
    })
  const claim = signedClaim(parts, { use: 'upload', id, query: request.query })
  if (!claim) throw unknownFile()
  const { workspaceId } = claim
  const db = request.db.within(workspaceId)
  const upload = await selectUpload(db, { workspaceId, id })
  if (!upload) throw unknownFile()
  const { blobs, clock, bounds } = parts
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  const of = { workspaceId, keyId: upload.keyId, announcedBytes }
  const { file, isNew } = await withReservation({ db, clock, ...bounds }, of, async (reservation) => {
    const blob = await receiveBytes(parts, request, reservation)
    const file = {
      id,
      workspaceId,
      filename: upload.filename,
      contentType: await displayedContentType(blob.head, upload.filename, request.headers['content-type']),
      bytes: blob.bytes,
      sha256: blob.sha256,
      md5: blob.md5,
      purpose: upload.purpose,
      createdAt: clock.now(),
    }
    const alongside = async (tx: Sql, sent: FileRecord): Promise<void> => {
      // Deleted during the upload. One that started before its URL expired is accepted.
      if (!(await lockUpload(tx, { workspaceId, id, now: new Date(0) }))) throw unknownFile()
      await parts.onSent?.(tx, sent)
    }
    const adding = { db, blobs, ...bounds, alongside }
    return { file, isNew: await addFile(adding, file, { keyId: null, reservationId: reservation.id }) }
  })
  if (isNew) return { json: wireFile(file, undefined) }
  const before = await findFile({ db }, { workspaceId, id })
  if (!before) throw unknownFile()
  if (!before.sha256.equals(file.sha256))
    throw new Fault('conflict', 'already_sent', 'Different bytes were already uploaded to this URL; request a new one')
  return { json: wireFile(before, undefined) }
}

async function receiveBytes(
  { blobs, bounds }: FileParts,
  { stream, signal }: { stream: Readable; signal: AbortSignal },
  { passing }: StorageReservation,
): Promise<StoredBlob> {
  const watch = watchForStall({ idleMs: bounds.uploadIdleMs ?? uploadIdleMsDefault, signal })
  // Keep the stream open after the reader fails: the refusal goes back on the same connection.
  const chunks = stream.iterator({ destroyOnReturn: false })
  const bytesMax = bounds.fileBytesMax ?? limits.fileBytesMax
  return blobs.put(passing(watch.passing(chunks)), { bytesMax, signal: watch.signal }).finally(watch.stop)
}

function verifyRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/files/verify-upload/{id}',
    operation: 'verifyUpload',
    summary: 'Get the file of a presigned upload when it is complete',
    tag: 'files',
    scope: 'read',
    params: fileParams,
    query: fileQuery,
    reply: { status: 200, description: 'The file', schema: fileSchema },
    failures: [404],
    async handle(request) {
      const file = await loadFile(request, { workspaceId: request.caller.workspaceId, id: request.params.id })
      return { json: wireFile(file, publicUrlOf(parts, file, request)) }
    },
  })
}
