import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Fault } from '@skillrun/core/fault.ts'
import { nameOfPath } from '../../blobs/blobs.ts'
import { type BackupPlace, snapshotFile } from '../backup-place.ts'

/** A tar file is a row of blocks: a header for each file, its content padded to whole blocks, two empty blocks at the end. */
const block = 512
const chunkBytes = 1024 * 1024

/** Packs a backup folder as one tar file (POSIX ustar). The file gets its name when it is complete and flushed. */
export async function packBackup(folder: string, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  const target = await open(unfinished, 'w', 0o600)
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = relative(folder, path)
      if (entry.isFile() && isPartOfBackup(name)) await append(target, path, name)
    }
    await target.appendFile(Buffer.alloc(2 * block))
    await target.sync()
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await target.close()
  }
  await rename(unfinished, file)
  const parent = await open(dirname(file), 'r')
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}

async function append(target: FileHandle, path: string, name: string): Promise<void> {
  const { size } = await stat(path)
  // Not `write`, which may write a part and say so: on a disk that is full for a moment the rest would be missing.
  await target.appendFile(headerOf(name, size))
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) await target.appendFile(chunk)
  if (size % block > 0) await target.appendFile(Buffer.alloc(block - (size % block)))
}

/** Sizes from 8 GiB on do not fit into the octal digits of the field: GNU tar's binary form follows the bit 0x80. */
const octalBytesMax = 8 ** 11 - 1

function headerOf(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (bytes <= octalBytesMax) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const sumOf = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0)

/** Not what a killed backup left. */
const isPartOfBackup = (name: string): boolean => nameOfPath(name) !== undefined || snapshotOf(name) !== undefined

const snapshotOf = (name: string): string | undefined =>
  snapshotFile.exec(/^snapshots\/(.+)$/.exec(name)?.[1] ?? '')?.[1]

/** Where the content of a file is in the tar file, in bytes. */
interface Span {
  readonly start: number
  readonly bytes: number
}

/** A packed backup, for reading alone. Throws Fault `conflict` (`backup_damaged`) for a file that is no complete tar file. */
export async function openTarPlace(file: string): Promise<BackupPlace> {
  const source = await open(file, 'r')
  const blobs = new Map<string, Span>()
  const snapshots = new Map<string, Span>()
  try {
    for await (const { name, ...span } of entriesOf(source)) {
      const blob = nameOfPath(name)
      const snapshot = snapshotOf(name)
      if (blob) blobs.set(blob.toString('hex'), span)
      else if (snapshot) snapshots.set(snapshot, span)
    }
  } catch (error) {
    await source.close()
    throw new Fault('conflict', 'backup_damaged', `${file} cannot be read as a backup: ${(error as Error).message}.`)
  }
  const read = (span: Span | undefined): Readable => {
    if (!span) throw new Fault('missing', 'unknown_blob', 'The backup does not have this content')
    const { start, bytes } = span
    return bytes === 0 ? Readable.from([]) : createReadStream(file, { start, end: start + bytes - 1 })
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
        const span = blobs.get(Buffer.from(sha256).toString('hex'))
        return span && { bytes: span.bytes }
      },
      open: async (sha256) => read(blobs.get(Buffer.from(sha256).toString('hex'))),
    },
    names: async () => [...snapshots.keys()].sort(),
    read: async (name) => text(read(snapshots.get(name))),
    write: readOnly,
    remove: readOnly,
    close: () => source.close(),
  }
}

async function* entriesOf(source: FileHandle): AsyncGenerator<Span & { readonly name: string }> {
  const { size } = await source.stat()
  const header = Buffer.alloc(block)
  for (let at = 0; ; ) {
    const { bytesRead } = await source.read(header, 0, block, at)
    if (bytesRead < block) throw new Error('it is cut')
    if (header.every((byte) => byte === 0)) return
    const sum = Number.parseInt(textAt(header, 148, 8), 8)
    header.fill(' ', 148, 156)
    if (sum !== sumOf(header)) throw new Error(`there is no tar header at byte ${at}`)
    const bytes =
      header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(textAt(header, 124, 12), 8)
    const start = at + block
    if (!(start + bytes <= size)) throw new Error('it is cut')
    yield { name: textAt(header, 0, 100), start, bytes }
    at = start + Math.ceil(bytes / block) * block
  }
}

const textAt = (header: Buffer, start: number, bytes: number): string =>
  header
    .toString('utf8', start, start + bytes)
    .replace(/\0.*$/s, '')
    .trim()
