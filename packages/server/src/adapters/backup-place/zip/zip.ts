import { createWriteStream } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Fault } from '@skillrun/core/fault.ts'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { nameOfPath } from '../../blobs/blobs.ts'
import { type BackupPlace, snapshotFile } from '../backup-place.ts'

/** Packs a backup folder as one file. The file gets its name when it is complete and flushed. */
export async function packBackup(folder: string, file: string): Promise<void> {
  const zip = new yazl.ZipFile()
  const unfinished = `${file}.unfinished`
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    // Table dumps are compressed already, and so is most of what people upload.
    if (entry.isFile() && isPartOfBackup(name)) zip.addFile(path, name, { compress: false, mode: 0o600 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600, flush: true }))
  await rename(unfinished, file)
  const parent = await open(dirname(file), 'r')
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}

/** Not what a killed backup left. */
const isPartOfBackup = (name: string): boolean => nameOfPath(name) !== undefined || snapshotOf(name) !== undefined

const snapshotOf = (name: string): string | undefined =>
  snapshotFile.exec(/^snapshots\/(.+)$/.exec(name)?.[1] ?? '')?.[1]

/** A packed backup, for reading alone. Throws Fault `conflict` (`backup_damaged`) for a file that is no complete zip. */
export async function openZipPlace(file: string): Promise<BackupPlace> {
  const zip = await openZip(file).catch((error: unknown) => {
    throw new Fault('conflict', 'backup_damaged', `${file} cannot be read as a backup: ${(error as Error).message}.`)
  })
  const blobs = new Map<string, yauzl.Entry>()
  const snapshots = new Map<string, yauzl.Entry>()
  for await (const entry of entriesOf(zip)) {
    const blob = nameOfPath(entry.fileName)
    const snapshot = snapshotOf(entry.fileName)
    if (blob) blobs.set(blob.toString('hex'), entry)
    else if (snapshot) snapshots.set(snapshot, entry)
  }
  const openEntry = promisify(zip.openReadStream.bind(zip)) as (entry: yauzl.Entry) => Promise<Readable>
  const found = <T>(value: T | undefined): T => {
    if (value !== undefined) return value
    throw new Fault('missing', 'unknown_blob', 'The backup does not have this content')
  }
  const readOnly = async (): Promise<never> => {
    throw new Fault('unsupported', 'backup_read_only', 'A packed backup is written once and not changed')
  }
  return {
    blobs: {
      put: readOnly,
      remove: readOnly,
      async *namesBefore() {
        for (const name of blobs.keys()) yield Buffer.from(name, 'hex')
      },
      stat: async (sha256) => {
        const entry = blobs.get(Buffer.from(sha256).toString('hex'))
        return entry && { bytes: entry.uncompressedSize }
      },
      open: async (sha256) => openEntry(found(blobs.get(Buffer.from(sha256).toString('hex')))),
    },
    names: async () => [...snapshots.keys()].sort(),
    read: async (name) => text(await openEntry(found(snapshots.get(name)))),
    write: readOnly,
    remove: readOnly,
    close: async () => zip.close(),
  }
}

const openZip = (file: string): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) =>
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip))),
  )

async function* entriesOf(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  const entries = new Readable({ objectMode: true, read: () => zip.readEntry() })
  zip.on('entry', (entry) => entries.push(entry))
  zip.on('end', () => entries.push(null))
  zip.on('error', (error) => entries.destroy(error))
  yield* entries
}
