import { tooLarge } from '../faults.ts'
import type { ArchiveBounds, ArchiveSource } from './archive.ts'
import { openArchive, whySkipped } from './read-archive.ts'

export default async function archiveEntry({
  name,
  entriesMax,
  ...source
}: ArchiveSource & ArchiveBounds & { readonly name: string }): Promise<Uint8Array> {
  const bytes = await bytesIn(source, name, entriesMax)
  const why = whySkipped({ name, bytes: bytes?.length ?? 0 })
  if (!bytes || why) throw tooLarge(`The file ${JSON.stringify(name)} of the archive is not read: ${why}.`)
  return new Uint8Array(bytes)
}

/** The bytes of a file, which may be in an archive or email that is in the other: its name begins with that of the inner one. */
async function bytesIn(source: ArchiveSource, name: string, entriesMax?: number): Promise<Uint8Array | undefined> {
  // Only who found a file in it asks for one: an email may be one by its name alone.
  const archive = await openArchive(source, { entriesMax, declared: 'mail' })
  const named = archive?.entries.map((entry) => entry.name) ?? []
  const outer = named.includes(name) ? undefined : named.find((one) => name.startsWith(`${one}/`))
  if (outer === undefined) return archive?.bytesOf(name)
  return bytesIn({ bytes: (await archive?.bytesOf(outer)) ?? new Uint8Array() }, name.slice(outer.length + 1))
}
