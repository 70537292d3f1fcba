import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import { type Blobs, nameOfPath } from '../blobs.ts'
import { takeIn } from '../intake.ts'
import type { S3Address } from './address.ts'

/** Concurrent parts times their size bounds the memory of one upload. S3 allows 10,000 parts: 8 MB parts reach 80 GB. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2

/** Milliseconds to connect, and of silence of a connection; without them a store that stalls would be waited for forever. */
const deadlinesDefault = { connectMs: 10_000, idleMs: 60_000 }

/**
 * Blobs as objects of a bucket: `ab/cd/abcd…` by the hexadecimal SHA-256. Content is streamed to a temporary object under
 * `incoming/` and copied to its key when complete. Local copies for child processes go to `temporaryFolder`. Temporary
 * objects and unfinished multipart uploads of ended processes stay under `incoming/` until `dropUnfinished`.
 */
export function openS3Blobs(address: S3Address, temporaryFolder: string, deadlines = deadlinesDefault): Blobs {
  const { connectMs: connectionTimeout, idleMs } = deadlines
  const settings = {
    region: address.region,
    ...(address.endpoint ? { endpoint: address.endpoint, forcePathStyle: true } : {}),
  }
  const client = new S3Client({ ...settings, requestHandler: { connectionTimeout, socketTimeout: idleMs } })
  // A connection is also silent while the reader of its content pauses.
  const contentClient = new S3Client({
    ...settings,
    requestHandler: { connectionTimeout, requestTimeout: idleMs, throwOnRequestTimeout: true },
  })
  const Bucket = address.bucket
  const keyOf = (sha256: Uint8Array) => {
    const name = Buffer.from(sha256).toString('hex')
    return `${address.prefix}${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`
  }
  const open: Blobs['open'] = async (sha256, range) => {
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await answered(
      contentClient.send(new GetObjectCommand({ Bucket, Key: keyOf(sha256), ...(Range ? { Range } : {}) })),
    )
    if (!found) throw new Fault('missing', 'unknown_blob', 'The content of this file is not in the store')
    const body = found.Body as Readable
    // It may fail before anybody reads it: the reader then gets the error.
    const content = new PassThrough().on('error', () => undefined)
    const silent = setTimeout(() => {
      if (content.writableNeedDrain) silent.refresh()
      else content.destroy(unavailable(undefined))
    }, idleMs).unref()
    body
      .on('data', () => silent.refresh())
      .on('error', (error) => content.destroy(unavailable(error)))
      .on('close', () => clearTimeout(silent))
    // The store may send again only from now on.
    content.on('drain', () => silent.refresh()).on('close', () => body.destroy())
    return body.pipe(content)
  }
  async function* keysBefore(Prefix: string, moment: Date): AsyncGenerator<string> {
    const pages = paginateListObjectsV2({ client }, { Bucket, Prefix })[Symbol.asyncIterator]()
    for (let page = await answered(pages.next()); page && !page.done; page = await answered(pages.next()))
      for (const { Key, LastModified } of page.value.Contents ?? [])
        if (Key !== undefined && LastModified && LastModified < moment) yield Key
  }
  /**
   * Multipart uploads that were neither completed nor aborted: their parts use storage, and object listings do not show them.
   * Empty where this key may not list them; then a lifecycle rule of the bucket must remove them.
   */
  async function* uploadsBefore(Prefix: string, moment: Date): AsyncGenerator<{ Key: string; UploadId: string }> {
    let page: ListMultipartUploadsCommandOutput | undefined
    do {
      const after = page && { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      const asked = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }))
      page = await answered(asked.catch(undefinedIfNotListable))
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
        if (Key?.startsWith(Prefix) && UploadId !== undefined && Initiated && Initiated < moment)
          yield { Key, UploadId }
    } while (page?.IsTruncated)
  }
  return {
    async put(source, bounds) {
      const incoming = `${address.prefix}incoming/${newRandomId()}`
      const body = new PassThrough({ highWaterMark: 1024 * 1024 })
      const upload = new Upload({
        client,
        params: { Bucket, Key: incoming, Body: body },
        partSize: partBytes,
        queueSize: partsAtOnce,
      })
      const uploaded = upload.done().catch(refuse)
      // Awaited below; until then a rejection must not count as unhandled.
      uploaded.catch(() => body.destroy())
      try {
        const stored = await takeIn(source, bounds, (chunk) => written(body, chunk))
        body.end()
        await uploaded
        const CopySource = encodeURI(`${Bucket}/${incoming}`)
        await client.send(new CopyObjectCommand({ Bucket, Key: keyOf(stored.sha256), CopySource })).catch(refuse)
        return stored
      } catch (error) {
        await upload.abort().catch(() => undefined)
        throw error
      } finally {
        body.destroy()
        await client.send(new DeleteObjectCommand({ Bucket, Key: incoming })).catch(() => undefined)
      }
    },
    open,
    async stat(sha256) {
      const found = await answered(client.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) })))
      return found && { bytes: found.ContentLength ?? 0 }
    },
    async localPath(sha256, use) {
      const stream = await open(sha256)
      const folder = await mkdtemp(path.join(temporaryFolder, 'blob-'))
      try {
        const file = path.join(folder, 'bytes')
        await pipeline(stream, createWriteStream(file, { mode: 0o600, flush: false }))
        return await use(file)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async identity() {
      const Key = `${address.prefix}store-id`
      const read = async () => {
        const found = await answered(client.send(new GetObjectCommand({ Bucket, Key })))
        return (await found?.Body?.transformToString())?.trim()
      }
      const known = await read()
      if (known) return known
      // When several processes create it at once, the last one wins; all read the winner here.
      await answered(client.send(new PutObjectCommand({ Bucket, Key, Body: `${newRandomId()}\n` })))
      const id = await read()
      if (!id) throw unavailable(new Error('the object that was just written cannot be read'))
      return id
    },
    async remove(sha256) {
      await answered(client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(sha256) })))
    },
    async *namesBefore(moment) {
      for await (const key of keysBefore(address.prefix, moment)) {
        const name = nameOfPath(key)
        if (name) yield name
      }
    },
    async dropUnfinished(before) {
      for await (const Key of keysBefore(`${address.prefix}incoming/`, before))
        await answered(client.send(new DeleteObjectCommand({ Bucket, Key })))
      for await (const { Key, UploadId } of uploadsBefore(`${address.prefix}incoming/`, before))
        await answered(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
    },
  }
}

/** Waits until the stream accepts more, or is destroyed because the upload failed. */
async function written(body: PassThrough, chunk: Uint8Array): Promise<void> {
  if (body.destroyed) throw unavailable(body.errored)
  if (body.write(Buffer.from(chunk))) return
  await new Promise<void>((resolve, reject) => {
    const settle = () => {
      body.off('drain', settle)
      body.off('close', settle)
      if (body.destroyed) reject(unavailable(body.errored))
      else resolve()
    }
    body.on('drain', settle)
    body.on('close', settle)
  })
}

const unavailable = (cause: unknown): Fault =>
  new Fault('unavailable', 'storage_unavailable', 'The object store cannot be reached or refused the request', {
    cause,
  })

const refuse = (cause: unknown): never => {
  throw unavailable(cause)
}

/** Listing uploads needs its own permission (403), and some stores do not implement it (501). */
function undefinedIfNotListable(error: unknown): undefined {
  if (!(error instanceof S3ServiceException) || ![403, 501].includes(error.$metadata.httpStatusCode ?? 0)) throw error
}

async function answered<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
    throw unavailable(error)
  }
}
