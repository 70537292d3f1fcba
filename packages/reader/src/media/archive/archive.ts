import { open } from 'node:fs/promises'
import type { Job } from '@skillrun/core/job.ts'

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path in the archive. */
  readonly name: string
  readonly bytes: number
}

/** The readable files of an archive, and the unreadable ones with the reason as part of a sentence. */
export interface ArchiveContents {
  readonly entries: readonly ArchiveEntry[]
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

/** How many files an archive may have; default: `archiveEntriesMax`. */
export interface ArchiveBounds {
  readonly entriesMax?: number
}

/** A local file, or bytes in memory. */
export type ArchiveSource = { readonly path: string } | { readonly bytes: Uint8Array }

/** The maximum number of files per archive: the maximum number of inputs of an execution. */
export const archiveEntriesMax = 200
/** The maximum size of one file, which is passed between processes. Larger files must be sent on their own. */
export const archiveEntryBytesMax = 32 * 1024 * 1024

/**
 * Lists an archive (zip, tar, gzip, or tar in gzip) in the process pool. Null for a file that only starts like one,
 * such as an office file. Throws Faults `unreadable_document` and `input_too_costly`.
 */
export const listArchiveJob: Job<{ readonly path: string } & ArchiveBounds, ArchiveContents | null> = {
  name: 'list-archive',
  files: ['path'],
  module: new URL('./list-archive.job.ts', import.meta.url),
}

/** The bytes of one file of an archive, read in the process pool. Throws like `listArchiveJob`, and when there is no such file. */
export const archiveEntryJob: Job<ArchiveSource & ArchiveBounds & { readonly name: string }, Uint8Array> = {
  name: 'archive-entry',
  files: ['path'],
  module: new URL('./archive-entry.job.ts', import.meta.url),
}

const tarSignatureAt = 257

/** True when a file starts like an archive; office files do so too. A cheap first check. */
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

/** Checks for the signatures of zip, gzip and tar. */
export function isArchiveHead(head: Uint8Array): boolean {
  const text = (at: number, length: number): string => Buffer.from(head.subarray(at, at + length)).toString('latin1')
  return text(0, 4) === 'PK\x03\x04' || text(0, 2) === '\x1f\x8b' || text(tarSignatureAt, 5) === 'ustar'
}
