import { byteSize } from '../format.ts'
import { visible } from '../visible.ts'
import type { ArchiveFile, ReadInput } from './sources.ts'

interface ArchiveProps {
  readonly files: readonly ArchiveFile[]
  readonly readingOf: (name: string) => ReadInput | undefined
  /** Opens a file of the archive. */
  readonly open: (name: string) => void
}

/** The files of an archive, with type and size, and the reason why one was not read. */
export function ArchiveView({ files, readingOf, open }: ArchiveProps) {
  if (files.length === 0) return <p class="nothing">The archive is empty.</p>
  return (
    <ul class="inputs archive" aria-label="Files of the archive">
      {files.map(({ name, bytes, why }) => {
        const size = bytes === undefined ? [] : [byteSize(bytes)]
        const detail =
          why === undefined ? [readingOf(name)?.mediaType ?? 'being read', ...size] : [`not read: ${visible(why)}`]
        return (
          <li key={name}>
            <span class="grow">
              {why === undefined ? (
                <button type="button" class="quiet name" onClick={() => open(name)}>
                  {visible(name)}
                </button>
              ) : (
                <strong class="name">{visible(name)}</strong>
              )}
              <span class="soft small block name">{detail.join(' · ')}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
