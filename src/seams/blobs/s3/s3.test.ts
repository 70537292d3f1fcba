import { tmpdir } from 'node:os'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBlobs } from '../conformance.ts'
import { parseS3Url } from './address.ts'
import { openS3Blobs } from './s3.ts'

let server: Awaited<ReturnType<typeof startFauxqs>>
let url: string

beforeAll(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  server = await startFauxqs({ port: 0, logger: false })
  url = `s3://blobs/some/where?endpoint=http://127.0.0.1:${server.port}&region=us-east-1`
  await client().send(new CreateBucketCommand({ Bucket: 'blobs' }))
})
afterAll(() => server.stop())

const client = () =>
  new S3Client({ endpoint: `http://127.0.0.1:${server.port}`, region: 'us-east-1', forcePathStyle: true })

testBlobs('blobs on S3', async () => openS3Blobs(parseS3Url(url), tmpdir()))

test('an upload leaves nothing behind but the blob under its name, and a cut one nothing at all', async () => {
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

test('objects of uploads whose process died go when they are old, and what is named otherwise is left alone', async () => {
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

test('an address that is none is refused in words', () => {
  expect(parseS3Url('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '', endpoint: undefined, region: 'us-east-1' })
  for (const text of ['', 'bucket', 'http://bucket/x', 's3:///x', 's3://b/x?endpoint=ftp://y', 's3://user@bucket/x']) {
    expect(() => parseS3Url(text)).toThrow(/SKILLRUN_S3_URL .*such as s3:/)
  }
})
