import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime, byteSize, longTime, pathOf } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton } from '../parts/buttons.tsx'
import { DropZone } from '../parts/drop-zone.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { PageThumb } from '../parts/page-image.tsx'
import { Link } from '../router.tsx'
import { type Upload, uploadAll } from '../run/uploads.ts'
import { visible } from '../visible.ts'
import type { StoredFile } from '../wire.ts'

const pageSize = 50

/** The files of the workspace: upload, preview, delete. */
export function FilesScreen() {
  const [limit, setLimit] = useState(pageSize)
  const { data, problem, again } = useLoaded<StoredFile[]>(`/v1/files?limit=${limit}`)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const { failure, attempt } = useAttempt()
  const send = async (files: readonly File[]) => {
    await uploadAll(files, new AbortController().signal, setUploads)
    setUploads((now) => now.filter((one) => one.problem !== ''))
    again()
  }
  const remove = async (id: string) => {
    await attempt(() => call(`/v1/files/${encodeURIComponent(id)}`, { method: 'DELETE' }))
    again()
  }
  return (
    <div class="narrow">
      <h1>Files</h1>
      <DropZone id="files-chooser" onFiles={(files) => void send(files)}>
        <strong>Drop files here</strong> <span class="soft">or choose them</span>
      </DropZone>
      <UploadList uploads={uploads} />
      <Problem text={problem || failure} />
      {data?.length === 0 && (
        <Nothing>No files yet. Uploaded files stay in this workspace until you delete them.</Nothing>
      )}
      {data && data.length > 0 && (
        <ul class="rows">
          {data.map((file) => (
            <li key={file.id} class="row file-row">
              <PageThumb file={file} />
              <span class="grow">
                <strong class="name">{visible(file.filename)}</strong>
                <span class="soft small block name">
                  {byteSize(file.bytes)} · {file.content_type} ·{' '}
                  <time title={longTime(file.created_at)}>{briefTime(file.created_at)}</time>
                </span>
              </span>
              <span class="acts">
                <Link class="button quiet" to={`/?file=${file.id}`}>
                  Use in a run
                </Link>
                {file.public_url && (
                  <a class="button quiet" href={pathOf(file.public_url)} download={file.filename}>
                    Download
                  </a>
                )}
                <ConfirmButton name="Delete" ask="Delete permanently?" onDone={() => remove(file.id)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data && data.length === limit && limit < 1000 && (
        <button type="button" class="more" onClick={() => setLimit(Math.min(1000, limit + pageSize))}>
          Show older files
        </button>
      )}
    </div>
  )
}

/** Progress of each upload. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null
  return (
    <ul class="uploads" aria-live="polite">
      {uploads.map((one) => (
        <li key={one.number}>
          <span class="name">{visible(one.name)}</span>
          {one.problem ? (
            <Problem text={one.problem} />
          ) : (
            <progress value={one.share} max={1} aria-label={`Upload of ${one.name}`} />
          )}
        </li>
      ))}
    </ul>
  )
}
