import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Fault } from '@skillrun/core/fault.ts'
import type { BackupPlace } from '../../adapters/backup-place/backup-place.ts'
import type { Manifest } from './manifest.ts'

const damagedBlob = (sha256: string): Fault =>
  new Fault(
    'conflict',
    'backup_damaged',
    `The backup is damaged: the content ${sha256} is missing or was changed. Restore another snapshot.`,
  )

/** The bytes of a blob of the backup; fails at their end when they are not those of its name. */
export async function openVerified({ blobs }: Pick<BackupPlace, 'blobs'>, sha256: string): Promise<Transform> {
  const source = await blobs.open(Buffer.from(sha256, 'hex')).catch((error: unknown) => {
    throw error instanceof Fault && error.kind === 'missing' ? damagedBlob(sha256) : error
  })
  const hash = createHash('sha256')
  const verified = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => done(hash.digest('hex') === sha256 ? null : damagedBlob(sha256)),
  })
  // Its error reaches the reader of `verified`.
  pipeline(source, verified).catch(() => undefined)
  return verified
}

/** The lines of a dumped table. */
export const openTable = (place: Pick<BackupPlace, 'blobs'>, sha256: string): Readable =>
  Readable.from(linesOf(place, sha256), { objectMode: false })

async function* linesOf(place: Pick<BackupPlace, 'blobs'>, sha256: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const reading = pipeline(await openVerified(place, sha256), gunzip)
  reading.catch(() => undefined)
  try {
    yield* gunzip
  } catch (error) {
    // Often noticed before the checksum, which is complete at the end only.
    throw error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)) ? damagedBlob(sha256) : error
  }
  await reading
}

export interface ListedFile {
  readonly sha256: string
  readonly bytes: number
}

export const listText = (files: readonly ListedFile[]): string =>
  files.map(({ sha256, bytes }) => `${sha256} ${bytes}\n`).join('')

/** The files of a snapshot. */
export async function listedFiles(
  place: Pick<BackupPlace, 'blobs'>,
  manifest: Manifest,
): Promise<readonly ListedFile[]> {
  const lines = (await text(await openVerified(place, manifest.files.sha256))).split('\n').filter(Boolean)
  return lines.map((line) => {
    const [sha256 = '', bytes = ''] = line.split(' ')
    return { sha256, bytes: Number(bytes) }
  })
}
