import type { ArchiveBounds, ArchiveContents } from './archive.ts'
import { openArchive, whySkipped } from './read-archive.ts'

export default async function listArchive({
  path,
  entriesMax,
}: { readonly path: string } & ArchiveBounds): Promise<ArchiveContents | null> {
  const archive = await openArchive({ path }, entriesMax)
  if (!archive) return null
  return {
    entries: archive.entries.filter((entry) => whySkipped(entry) === undefined),
    left: archive.entries.flatMap((entry) => {
      const why = whySkipped(entry)
      return why === undefined ? [] : [{ name: entry.name, why }]
    }),
  }
}
