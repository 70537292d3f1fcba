import { readFile, stat } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { DeclaredText } from '../declared-text.ts'
import { damaged, tooLarge } from '../faults.ts'
import { mailType } from '../mail/looks-like-mail.ts'
import { sniff } from '../sniff.ts'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'
import {
  type ArchiveContents,
  type ArchiveEntry,
  type ArchiveSource,
  archiveEntriesMax,
  archiveEntryBytesMax,
  isArchiveHead,
  looksArchived,
} from './archive.ts'
import { tarEntries } from './tar-entries.ts'
import { listZip, type ZipSource, zipEntries } from './zip-entries.ts'

/** The maximum unpacked size of all files together. */
const unpackedBytesMax = 256 * 1024 * 1024

/** An open archive: its contents and the bytes of single files. Process pool only. */
export interface OpenArchive
  extends Pick<ArchiveContents, 'entries' | 'isMail'>,
    Partial<Pick<ArchiveContents, 'left'>> {
  bytesOf(name: string): Promise<Uint8Array>
}

/** Opens an archive or an email; null when it is neither. Throws Faults when it is damaged, encrypted or too large. */
export async function openArchive(
  source: ArchiveSource,
  {
    entriesMax = archiveEntriesMax,
    declared,
  }: { entriesMax?: number | undefined; declared?: DeclaredText | undefined } = {},
): Promise<OpenArchive | null> {
  if ('path' in source && (await isZip(source.path)))
    return openZip({ path: source.path, length: (await stat(source.path)).size }, entriesMax)
  const bytes = 'path' in source ? await readFile(source.path) : Buffer.from(source.bytes)
  const { mediaType } = await sniff(bytes, declared)
  if (mediaType === 'application/zip') return openZip(bytes, entriesMax)
  if (mediaType === 'application/gzip') return openGzip(bytes, entriesMax)
  if (mediaType === mailType) return openMail(bytes, entriesMax)
  return mediaType === 'application/x-tar' ? openTar(bytes, entriesMax) : null
}

/** True for a zip by what its first files are; the rest is not read. */
async function isZip(path: string): Promise<boolean> {
  if (!(await looksArchived(path))) return false
  const { fileTypeFromFile } = await import('file-type')
  return (await fileTypeFromFile(path))?.mime === 'application/zip'
}

async function openMail(mail: Buffer, entriesMax: number): Promise<OpenArchive> {
  const { mailEntries } = await import('./mail-entries.ts')
  const { found, left } = await mailEntries(mail, { entriesMax })
  return {
    isMail: true,
    entries: [...found].map(([name, { length }]) => ({ name, bytes: length })),
    left,
    bytesOf: async (name) => found.get(name) ?? missing(name),
  }
}

/** Files that operating systems add to archives. */
const isClutter = (name: string): boolean => /^__MACOSX\/|(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/.test(name)

function checked(
  all: readonly ArchiveEntry[],
  { packedBytes, entriesMax }: { packedBytes: number; entriesMax: number },
): readonly ArchiveEntry[] {
  const entries = all.filter(({ name }) => !isClutter(name))
  if (entries.length > entriesMax)
    throw tooLarge(`The archive contains ${entries.length} files; the limit is ${entriesMax}.`)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes > unpackedBytesMaxOf(packedBytes, unpackedBytesMax))
    throw unpacksToTooMuch('The archive', packedBytes, unpackedBytesMax)
  return entries
}

async function openZip(zip: ZipSource, entriesMax: number): Promise<OpenArchive> {
  const entries = checked(await listZip(zip), { packedBytes: zip.length, entriesMax })
  return {
    entries,
    async bytesOf(name) {
      const found = await zipEntries(zip, { bytesMax: unpackedBytesMax, isWanted: (one) => one === name })
      return found.get(name) ?? missing(name)
    },
  }
}

function openTar(tar: Buffer, entriesMax: number): OpenArchive {
  const found = new Map(tarEntries(tar).map((entry) => [entry.name, entry.content]))
  const entries = checked(
    [...found].map(([name, content]) => ({ name, bytes: content.length })),
    { packedBytes: tar.length, entriesMax },
  )
  return { entries, bytesOf: async (name) => found.get(name) ?? missing(name) }
}

/** A tar in gzip, or one file. */
function openGzip(gzip: Buffer, entriesMax: number): OpenArchive {
  const content = unpacked(gzip)
  if (isArchiveHead(content.subarray(0, 512)) && content.toString('latin1', 257, 262) === 'ustar')
    return openTar(content, entriesMax)
  return { entries: [{ name: 'content', bytes: content.length }], bytesOf: async () => content }
}

function unpacked(gzip: Buffer): Buffer {
  try {
    return gunzipSync(gzip, { maxOutputLength: unpackedBytesMaxOf(gzip.length, unpackedBytesMax) })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw unpacksToTooMuch('The archive', gzip.length, unpackedBytesMax)
    throw damaged('The file is a damaged archive and cannot be opened.')
  }
}

function missing(name: string): never {
  throw damaged(`The archive has no file ${JSON.stringify(name)}.`)
}

/** Why a file of an archive is not read; undefined when it is. */
export const whySkipped = ({ bytes }: ArchiveEntry): string | undefined => {
  if (bytes === 0) return 'it is empty'
  return bytes > archiveEntryBytesMax
    ? `it has ${bytes} bytes; files in archives and emails can have at most ${archiveEntryBytesMax}, so send it separately`
    : undefined
}
