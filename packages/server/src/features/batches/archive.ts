import type { JsonObject } from '@skillrun/core/json.ts'
import { archiveEntryJob, listArchiveJob } from '@skillrun/reader/media/archive/archive.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { displayedContentType, loadFile } from '../files/files.ts'
import { archiveTerms } from '../inputs/inputs.ts'
import type { Batch, NewItem } from './batch.ts'

interface ArchiveParts {
  readonly db: Db
  readonly blobs: Pick<Blobs, 'localPath'>
  readonly processPool: ProcessPool
}

interface ArchiveFile {
  readonly workspaceId: string
  readonly fileId: string
  readonly signal: AbortSignal
}

const entriesMax = limits.batchItemsMax
/** How much of a file shows its type. */
const headBytes = 4_096
/** Files that are left out and named in the warnings. */
const warningsMax = 20

/**
 * The files in an uploaded archive as items, with a warning for each file left out. ValidationFailure when the file is not an archive;
 * Faults `missing`, and those of the archive.
 */
export async function archiveItems(
  parts: ArchiveParts,
  of: ArchiveFile,
): Promise<{ readonly items: readonly NewItem[]; readonly warnings: Batch['warnings'] }> {
  const file = await loadFile(parts, { workspaceId: of.workspaceId, id: of.fileId })
  const refuse = (message: string) => invalid(['body', 'zip_file_id'], message, { type: 'bad_archive' })
  if (file.bytes > limits.inputBytesMax) throw refuse(`The archive has more than ${limits.inputBytesMax} bytes`)
  const contents = await parts.blobs.localPath(file.sha256, (path) =>
    parts.processPool.run(listArchiveJob, { path, entriesMax }, termsOf(of)),
  )
  if (!contents || contents.isMail) throw refuse('The file is not a zip, tar or gzip archive')
  if (contents.entries.length === 0) throw refuse('The archive contains no files that can be read')
  return {
    items: contents.entries.map(({ name }) => ({ clientId: null, fileName: name, inputs: null, entry: name })),
    warnings: contents.left.slice(0, warningsMax).map(({ name, why }) => ({
      code: 'file_left_out',
      path: '/zip_file_id',
      message: `${JSON.stringify(name)} is left out: ${why}`,
    })),
  }
}

/** Reads a file in the archive as an input, with the type that it would have if it were uploaded by itself. Throws Faults, also when the archive was deleted. */
export async function entryInput(parts: ArchiveParts, of: ArchiveFile & { entry: string }): Promise<JsonObject> {
  const file = await loadFile(parts, { workspaceId: of.workspaceId, id: of.fileId })
  const bytes = await parts.blobs.localPath(file.sha256, (path) =>
    parts.processPool.run(archiveEntryJob, { path, name: of.entry, entriesMax }, termsOf(of)),
  )
  const type = await displayedContentType(bytes.subarray(0, headBytes), of.entry)
  const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  return { type: 'file_url', file_url: { url } }
}

const termsOf = ({ workspaceId, signal }: ArchiveFile) => ({
  ...archiveTerms(signal),
  share: { group: workspaceId, rank: 1 },
})
