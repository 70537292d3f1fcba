import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { type BackupPlace, snapshotFile } from '../backup-place.ts'

/** Where a bucket is; credentials come from the usual AWS_* variables. */
interface BucketAddress {
  readonly bucket: string
  /** Empty, or ending in a slash. */
  readonly prefix: string
  readonly endpoint: string | undefined
  readonly region: string
}

/** Milliseconds to connect, and of silence of a connection; without them a store that stalls would be waited for forever. */
const deadlinesDefault = { connectMs: 10_000, idleMs: 60_000 }

/** Backups in a bucket: `snapshots/<moment>.json` under a prefix, and the content in `blobs`. An object appears when it is complete. */
export function openS3Place(
  address: BucketAddress,
  blobs: BackupPlace['blobs'],
  { connectMs, idleMs } = deadlinesDefault,
): BackupPlace {
  const client = new S3Client({
    region: address.region,
    ...(address.endpoint ? { endpoint: address.endpoint, forcePathStyle: true } : {}),
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
  })
  const Bucket = address.bucket
  const Prefix = `${address.prefix}snapshots/`
  const keyOf = (name: string) => `${Prefix}${name}.json`
  return {
    blobs,
    async names() {
      const names: string[] = []
      for await (const { Contents } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key } of Contents ?? []) names.push(snapshotFile.exec(Key?.slice(Prefix.length) ?? '')?.[1] ?? '')
      return names.filter((name) => name !== '').sort()
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }))
      return (await Body?.transformToString()) ?? ''
    },
    async write(name, text) {
      await client.send(new PutObjectCommand({ Bucket, Key: keyOf(name), Body: text }))
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }))
    },
    close: async () => client.destroy(),
  }
}
