import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Blobs } from '../blobs.ts'
import { testBlobs } from '../conformance.ts'
import { parseS3Url } from './address.ts'
import { openS3Blobs } from './s3.ts'

let server: Awaited<ReturnType<typeof startFauxqs>>
let url: string

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  server = await startFauxqs({ port: 0, logger: false })
  url = `s3://blobs/some/where?endpoint=http://127.0.0.1:${server.port}&region=us-east-1`
  await client().send(new CreateBucketCommand({ Bucket: 'blobs' }))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

const client = () =>
  new S3Client({ endpoint: `http://127.0.0.1:${server.port}`, region: 'us-east-1', forcePathStyle: true })

let stores = 0
testBlobs('blobs on S3', async () => {
  stores += 1
  return openS3Blobs(parseS3Url(url.replace('some/where', `some/where/${stores}`)), tmpdir())
})

test('an upload leaves only the blob under its name, and an aborted one nothing', async () => {
  const blobs = openS3Blobs(parseS3Url(url.replace('some/where', 'clean')), tmpdir())
  const bounds = { bytesMax: 1_000, signal: new AbortController().signal }
  await blobs.put(
    (async function* () {
      yield Buffer.from('hello')
    })(),
    bounds,
  )
  await expect(
    blobs.put(
      (async function* () {
        yield Buffer.alloc(2_000)
      })(),
      bounds,
    ),
  ).rejects.toThrow('larger')
  await expect(
    blobs.put(
      (async function* () {
        yield Buffer.alloc(10)
        throw new Error('cut')
      })(),
      bounds,
    ),
  ).rejects.toThrow('cut')
  const { Contents = [] } = await client().send(new ListObjectsV2Command({ Bucket: 'blobs', Prefix: 'clean/' }))
  expect(Contents.map((object) => object.Key)).toEqual([
    'clean/2c/f2/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  ])
})

test('old objects of uploads whose process died are deleted, and objects with other names are left alone', async () => {
  const blobs = openS3Blobs(parseS3Url(url.replace('some/where', 'left')), tmpdir())
  const Bucket = 'blobs'
  for (const Key of ['left/incoming/cut-off', 'left/readme.txt'])
    await client().send(new PutObjectCommand({ Bucket, Key, Body: 'piece' }))
  const keys = async () => {
    const { Contents = [] } = await client().send(new ListObjectsV2Command({ Bucket, Prefix: 'left/' }))
    return Contents.map((object) => object.Key)
  }
  await blobs.dropUnfinished(new Date(Date.now() - 60_000))
  expect(await keys()).toEqual(['left/incoming/cut-off', 'left/readme.txt'])
  await blobs.dropUnfinished(new Date(Date.now() + 60_000))
  expect(await keys()).toEqual(['left/readme.txt'])
  for await (const name of blobs.namesBefore(new Date(Date.now() + 60_000))) expect(name).toBe('nothing of ours')
})

/** A store without objects that answers lists of unfinished uploads with `answers` in order, and records what it should delete. */
async function withUploads(
  answers: readonly (readonly [status: number, body: string])[],
  use: (url: string) => Promise<void>,
): Promise<string[]> {
  const deleted: string[] = []
  let asked = 0
  const store = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    if (request.method === 'DELETE') deleted.push(`${pathname} ${searchParams.get('uploadId')}`)
    const isUploads = searchParams.has('uploads')
    const [status, body] = (isUploads ? answers[asked++] : undefined) ?? [200, '<ListBucketResult/>']
    response.writeHead(request.method === 'DELETE' ? 204 : status, { 'Content-Type': 'application/xml' })
    response.end(request.method === 'DELETE' ? undefined : body)
  })
  await once(store.listen(0, '127.0.0.1'), 'listening')
  const { port } = store.address() as AddressInfo
  await use(`s3://blobs/some/where?endpoint=http://127.0.0.1:${port}&region=us-east-1`)
  store.closeAllConnections()
  store.close()
  return deleted
}

test('old unfinished multipart uploads are aborted, however many, and no others', async () => {
  const upload = (key: string, initiated: string) =>
    `<Upload><Key>${key}</Key><UploadId>of-${key.at(-1)}</UploadId><Initiated>${initiated}</Initiated></Upload>`
  const page = (isTruncated: boolean, ...uploads: string[]) =>
    `<ListMultipartUploadsResult><IsTruncated>${isTruncated}</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`
  const first = page(
    true,
    upload('some/where/incoming/a', '2026-11-20T00:00:00.000Z'),
    upload('some/where/incoming/b', '2026-11-21T12:00:00.000Z'),
    upload('of/others/c', '2026-11-20T00:00:00.000Z'),
  )
  const second = page(false, upload('some/where/incoming/d', '2026-11-20T00:00:00.000Z'))
  const deleted = await withUploads(
    [
      [200, first],
      [200, second],
    ],
    (at) => openS3Blobs(parseS3Url(at), tmpdir()).dropUnfinished(new Date('2026-11-21T00:00:00Z')),
  )
  expect(deleted).toEqual(['/blobs/some/where/incoming/a of-a', '/blobs/some/where/incoming/d of-d'])
})

test.each([
  [403, 'AccessDenied'],
  [501, 'NotImplemented'],
])('a store that answers a list of unfinished uploads with %i is swept without it', async (status, code) => {
  const error = `<Error><Code>${code}</Code><Message>no</Message></Error>`
  const deleted = await withUploads([[status, error]], (at) =>
    openS3Blobs(parseS3Url(at), tmpdir()).dropUnfinished(new Date()),
  )
  expect(deleted).toEqual([])
})

/** A store that answers each request by `answer`, with short deadlines. */
async function withStore(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (blobs: Blobs) => Promise<void>,
  idleMs = 100,
): Promise<void> {
  const store = createServer(answer)
  await once(store.listen(0, '127.0.0.1'), 'listening')
  const { port } = store.address() as AddressInfo
  const at = parseS3Url(`s3://blobs/some/where?endpoint=http://127.0.0.1:${port}&region=us-east-1`)
  await use(openS3Blobs(at, tmpdir(), { connectMs: 1_000, idleMs })).finally(() => {
    store.closeAllConnections()
    store.close()
  })
}

const refusal = { kind: 'unavailable', code: 'storage_unavailable' }
const unbounded = { bytesMax: 100_000_000, signal: new AbortController().signal }
async function* piecesOf(bytes: number) {
  for (let sent = 0; sent < bytes; sent += 1_000_000) yield Buffer.alloc(Math.min(1_000_000, bytes - sent))
}

test.each([
  ['breaks off each connection', (request: IncomingMessage) => request.destroy()],
  ['never answers', (request: IncomingMessage) => request.resume()],
])('a store that %s is reported as unavailable by every call', async (_what, answer) => {
  await withStore(answer, async (blobs) => {
    const sha256 = Buffer.alloc(32)
    const calls = [
      blobs.put(piecesOf(10), unbounded),
      blobs.put(piecesOf(50_000_000), unbounded),
      blobs.open(sha256),
      blobs.stat(sha256),
      blobs.remove(sha256),
      blobs.identity(),
    ]
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: refusal })
  })
})

test('an upload that the store refused ends, although its source goes on', async () => {
  const endless = async function* () {
    // More than one part, so that the store is asked before the source ends.
    yield Buffer.alloc(9_000_000)
    for (;;) {
      yield Buffer.alloc(100_000)
      await othersFirst()
    }
  }
  await withStore(
    (request) => request.destroy(),
    async (blobs) => expect(blobs.put(endless(), unbounded)).rejects.toMatchObject(refusal),
  )
})

test.each([
  ['breaks off', (response: ServerResponse) => response.destroy()],
  ['stalls', () => undefined],
])('content whose connection %s is reported as unavailable', async (_what, after) => {
  await withStore(
    (_request, response) => response.writeHead(200, { 'Content-Length': '1000' }).write('x', () => after(response)),
    async (blobs) => {
      await expect(blobs.localPath(Buffer.alloc(32), async () => 'used')).rejects.toMatchObject(refusal)
      await expect(buffer(await blobs.open(Buffer.alloc(32)))).rejects.toMatchObject(refusal)
    },
  )
})

test.each([10, 20_000_000])(
  'content of %i bytes whose reader pauses for longer than the store may be silent arrives complete',
  async (bytes) => {
    await withStore(
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200, { 'Content-Length': bytes }).end(Buffer.alloc(bytes))
      },
      async (blobs) => {
        const content = await blobs.open(Buffer.alloc(32))
        // This takes several times as long.
        await expect(blobs.stat(Buffer.alloc(32))).rejects.toMatchObject(refusal)
        expect(await buffer(content)).toHaveLength(bytes)
      },
      // Long enough for a busy machine.
      500,
    )
  },
)

test('an invalid address is refused with the expected format', () => {
  expect(parseS3Url('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '', endpoint: undefined, region: 'us-east-1' })
  for (const text of ['', 'bucket', 'http://bucket/x', 's3:///x', 's3://b/x?endpoint=ftp://y', 's3://user@bucket/x']) {
    expect(() => parseS3Url(text)).toThrow(/SKILLRUN_S3_URL .*expected s3:/)
  }
})
