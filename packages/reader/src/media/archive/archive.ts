import { open } from 'node:fs/promises'
import type { Job } from '@skillrun/core/job.ts'

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path in the archive. */
  readonly name: string
  readonly bytes: number
}

/** What an archive holds: the files that can be read, and those that cannot, with the reason as part of a sentence. */
export interface ArchiveContents {
  readonly entries: readonly ArchiveEntry[]
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

/** A local file, or bytes that are at hand. */
export type ArchiveSource = { readonly path: string } | { readonly bytes: Uint8Array }

/** Files of one archive: as many as an execution takes inputs. */
export const archiveEntriesMax = 200
/** One file of an archive: it is handed from process to process. A larger one is sent by itself. */
export const archiveEntryBytesMax = 32 * 1024 * 1024

/**
 * Lists an archive of files (zip, tar, gzip, and tar in gzip), in the workshop; null for what only begins like one, such as an
 * office file. Throws Faults `unreadable_document` and `input_too_costly`.
 */
export const listArchiveJob: Job<{ readonly path: string }, ArchiveContents | null> = {
  name: 'list-archive',
  files: ['path'],
  module: new URL('./list-archive.job.ts', import.meta.url),
}

/** The bytes of one file of an archive, in the workshop. Throws as `listArchiveJob`, and where it has no such file. */
export const archiveEntryJob: Job<ArchiveSource & { readonly name: string }, Uint8Array> = {
  name: 'archive-entry',
  files: ['path'],
  module: new URL('./archive-entry.job.ts', import.meta.url),
}

const tarSignatureAt = 257

/** Whether a file begins as archives do, and office files with them. A first look that costs nothing. */
export async function looksArchived(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(tarSignatureAt + 5)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return isArchiveHead(head.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** The signatures of zip, gzip and tar. */
export function isArchiveHead(head: Buffer): boolean {
  const text = (at: number, length: number): string => head.toString('latin1', at, at + length)
  return text(0, 4) === 'PK\x03\x04' || text(0, 2) === '\x1f\x8b' || text(tarSignatureAt, 5) === 'ustar'
}
