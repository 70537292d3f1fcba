import { tooLarge } from '../faults.ts'
import type { ArchiveBounds, ArchiveSource } from './archive.ts'
import { openArchive, whySkipped } from './read-archive.ts'

export default async function archiveEntry({
  name,
  entriesMax,
  ...source
}: ArchiveSource & ArchiveBounds & { readonly name: string }): Promise<Uint8Array> {
  const bytes = await (await openArchive(source, entriesMax))?.bytesOf(name)
  const why = whySkipped({ name, bytes: bytes?.length ?? 0 })
  if (!bytes || why) throw tooLarge(`The file ${JSON.stringify(name)} of the archive is not read: ${why}.`)
  return new Uint8Array(bytes)
}
