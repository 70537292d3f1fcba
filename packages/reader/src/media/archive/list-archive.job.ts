import type { DeclaredText } from '../declared-text.ts'
import type { ArchiveBounds, ArchiveContents } from './archive.ts'
import { openArchive, whySkipped } from './read-archive.ts'

export default async function listArchive({
  path,
  entriesMax,
  declared,
}: { readonly path: string; readonly declared?: DeclaredText } & ArchiveBounds): Promise<ArchiveContents | null> {
  const archive = await openArchive({ path }, { entriesMax, declared })
  if (!archive) return null
  const { entries, isMail, left = [] } = archive
  const skipped = entries.flatMap((entry) => {
    const why = whySkipped(entry)
    return why === undefined ? [] : [{ name: entry.name, why }]
  })
  if (isMail && entries.length + left.length === 0) return null
  return {
    entries: entries.filter((entry) => whySkipped(entry) === undefined),
    left: [...skipped, ...left],
    ...(isMail && { isMail }),
  }
}
