import { byteSize } from '../format.ts'
import { visible } from '../visible.ts'
import type { Archive } from './sources.ts'

interface ArchiveProps {
  readonly archive: Archive
  /** What reading one found it to be. */
  readonly typeOf: (name: string) => string | undefined
  /** Opens one of the files. */
  readonly open: (name: string) => void
}

/** The files of an archive or email, with type and size, and the reason why one was not read. */
export function ArchiveView({ archive: { files, isMail }, typeOf, open }: ArchiveProps) {
  if (files.length === 0) return <p class="nothing">The archive is empty.</p>
  return (
    <ul class="inputs archive" aria-label={isMail ? 'Attachments of the email' : 'Files of the archive'}>
      {files.map(({ name, bytes, why }) => {
        const size = bytes === undefined ? [] : [byteSize(bytes)]
        const detail = why === undefined ? [typeOf(name) ?? 'being read', ...size] : [`not read: ${visible(why)}`]
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
