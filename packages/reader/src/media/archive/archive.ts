import { open } from 'node:fs/promises'
import type { Job } from '@skillrun/core/job.ts'
import { type DeclaredText, declaredParts } from '../declared-text.ts'
import { looksLikeMail, mailHeadBytes } from '../mail/looks-like-mail.ts'

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path in the archive. */
  readonly name: string
  readonly bytes: number
}

/** The readable files of an archive, and the unreadable ones with the reason as part of a sentence. */
export interface ArchiveContents {
  readonly entries: readonly ArchiveEntry[]
  /** `isInline`: an image that the text of an email shows. */
  readonly left: readonly { readonly name: string; readonly why: string; readonly isInline?: boolean }[]
  /** An email, which is a document beside its attachments; the files of an archive replace it. */
  readonly isMail?: boolean
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
 * Lists an archive (zip, tar, gzip, or tar in gzip) or the attachments of an email in the process pool. Null for a file that only starts
 * like an archive, such as an office file, and for an email without attachments. Throws Faults `unreadable_document` and `input_too_costly`.
 */
export const listArchiveJob: Job<
  { readonly path: string; readonly declared?: DeclaredText } & ArchiveBounds,
  ArchiveContents | null
> = {
  name: 'list-archive',
  files: ['path'],
  module: new URL('./list-archive.job.ts', import.meta.url),
}

/** The bytes of one file of an archive or an email, or of one in these: `box.zip/one.pdf`. Read in the process pool. Throws like `listArchiveJob`, and when there is no such file. */
export const archiveEntryJob: Job<ArchiveSource & ArchiveBounds & { readonly name: string }, Uint8Array> = {
  name: 'archive-entry',
  files: ['path'],
  module: new URL('./archive-entry.job.ts', import.meta.url),
}

const tarSignatureAt = 257

/** True when a file starts like an archive, as office files do, or like an email. A cheap first check. */
export async function looksArchived(path: string, declared?: DeclaredText): Promise<boolean> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mailHeadBytes), 0, mailHeadBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    const isDeclared = declaredParts(declared).kind === 'mail'
    return isArchiveHead(head) || looksLikeMail(head, { isDeclared, isCut: bytesRead === mailHeadBytes })
  } finally {
    await file.close()
  }
}

/** Checks for the signatures of zip, gzip and tar. */
export function isArchiveHead(head: Uint8Array): boolean {
  const text = (at: number, length: number): string => Buffer.from(head.subarray(at, at + length)).toString('latin1')
  return text(0, 4) === 'PK\x03\x04' || text(0, 2) === '\x1f\x8b' || text(tarSignatureAt, 5) === 'ustar'
}
