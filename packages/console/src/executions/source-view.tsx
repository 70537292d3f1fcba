import { partsOfDataUrl } from '@skillrun/core/data-url.ts'
import { useEffect, useMemo } from 'preact/hooks'
import { pathOf } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import { isDrawable, isWordy, pagePath, useImage, wordsPath } from '../parts/page-image.tsx'
import type { DrawnBox } from '../reviews/editor.tsx'
import type { EvidenceMap, StoredFile } from '../wire.ts'
import type { Looking } from './answer/props.ts'
import type { Marks } from './grid-text.ts'
import { MarkedImage } from './marked-image.tsx'
import { isPlayable } from './player.tsx'
import type { ReadInput, Source } from './sources.ts'
import { BytesText, FileText, TextView, WordsView } from './text-view.tsx'
import { type Picked, TimedView } from './timed-view.tsx'

/** The width of a rendered page in pixels. */
export const pageWidth = 1400

export interface SourceProps extends Looking {
  readonly executionId: string
  readonly file: StoredFile | undefined
  readonly source: Source
  readonly reading: ReadInput | undefined
  readonly page: number
  /** Quarter turns of its pages, clockwise. */
  readonly turns: number
  readonly marks: Marks
  readonly evidence: EvidenceMap
  readonly picked: Picked | undefined
  readonly drawn?: DrawnBox | undefined
  readonly onDraw?: (box: DrawnBox) => void
}

/** One input, shown as pages, text, words, or a player. */
export function SourceView(props: SourceProps) {
  const { source } = props
  switch (source.kind) {
    case 'file':
      return <FileView {...props} fileId={source.fileId} />
    case 'text':
      return <TextView {...props} text={source.text} />
    case 'data':
      return <InlineView {...props} url={source.url} mediaType={source.mediaType} />
    case 'url':
      return (
        <p class="nothing">
          The input was fetched from <code class="name">{source.url}</code>; the fetched file is not kept, only what was
          read in it, so there is no page to show.
        </p>
      )
    case 'entry':
      return <EntryView {...props} isKept={source.isKept} />
    default:
      return null
  }
}

function FileView(props: SourceProps & { fileId: string }) {
  const { fileId, reading } = props
  const known = props.file?.id === fileId ? props.file : undefined
  const loaded = useLoaded<StoredFile>(known ? null : `/v1/files/${encodeURIComponent(fileId)}`)
  const file = known ?? loaded.data
  if (loaded.problem) return <Problem text={loaded.problem} />
  if (!file) return <div class="page loading" />
  const mediaType = reading?.mediaType ?? file.content_type
  if (isDrawable(mediaType))
    return <PageView {...props} path={pagePath(fileId, props.page, pageWidth)} name={file.filename} />
  if (isPlayable(mediaType) && file.public_url)
    return (
      <TimedView
        {...props}
        input={props.source.name}
        mediaType={mediaType}
        url={pathOf(file.public_url)}
        name={file.filename}
      />
    )
  if (isWordy(mediaType)) return <WordsView {...props} path={wordsPath(fileId, props.page)} />
  if (isText(mediaType)) return <FileText {...props} file={file} />
  return <p class="nothing">A file of type {mediaType} has no page to show.</p>
}

const isText = (mediaType: string): boolean => /^text\/|[/+](jsonl?|xml)$/.test(mediaType)

/** A page that the server renders. */
function PageView({ path, name, ...rest }: SourceProps & { path: string; name: string }) {
  const { executionId, source, page } = rest
  const { url, problem } = useImage(path)
  return (
    <>
      <Problem text={problem} />
      <MarkedImage {...rest} url={url} name={name} input={source.name} wordsUrl={wordsOf(executionId, source, page)} />
    </>
  )
}

/** The route of the words of a page. */
const wordsOf = (executionId: string, source: Source, page: number): string =>
  source.kind === 'file'
    ? wordsPath(source.fileId, page)
    : `${inputPagesOf(executionId, page)}/words?input=${encodeURIComponent(source.name)}`

const inputPagesOf = (executionId: string, page: number): string =>
  `/v1/agent/executions/${encodeURIComponent(executionId)}/pages/${page}`

/** A file in an archive or email: the server extracts and renders it. */
function EntryView(props: SourceProps & { isKept: boolean }) {
  const { executionId, page, source, reading, isKept } = props
  const at = inputPagesOf(executionId, page)
  const query = `?input=${encodeURIComponent(source.name)}`
  const mediaType = reading?.mediaType ?? ''
  if (!isKept)
    return (
      <p class="nothing">
        Its archive or email was fetched; the fetched file is not kept, only what was read in it, so there is no page to
        show.
      </p>
    )
  if (isDrawable(mediaType)) return <PageView {...props} path={`${at}${query}&width=${pageWidth}`} name={source.name} />
  if (isWordy(mediaType)) return <WordsView {...props} path={`${at}/words${query}`} />
  return <p class="nothing">A file of type {mediaType || 'unknown'} in an archive or email has no page to show.</p>
}

/** An inline input: the server renders what a browser cannot show. */
function InlineView(props: SourceProps & { url: string; mediaType: string }) {
  const { url, executionId, page, source } = props
  // Do not trust the type that the sender claims.
  const mediaType = props.reading?.mediaType ?? props.mediaType
  const at = inputPagesOf(executionId, page)
  const query = `?input=${encodeURIComponent(source.name)}`
  const bytes = useMemo(() => (isPlayable(mediaType) || isText(mediaType) ? bytesOf(url) : undefined), [url, mediaType])
  const mediaUrl = useMemo(
    () => (bytes && isPlayable(mediaType) ? URL.createObjectURL(new Blob([bytes], { type: mediaType })) : undefined),
    [bytes, mediaType],
  )
  useEffect(() => () => mediaUrl && URL.revokeObjectURL(mediaUrl), [mediaUrl])
  if (mediaUrl) return <TimedView {...props} input={source.name} url={mediaUrl} name={source.name} />
  if (isDrawable(mediaType)) return <PageView {...props} path={`${at}${query}&width=${pageWidth}`} name={source.name} />
  if (bytes && isText(mediaType)) return <BytesText {...props} bytes={bytes} />
  if (isWordy(mediaType)) return <WordsView {...props} path={`${at}/words${query}`} />
  return (
    <p class="nothing">
      The input was sent with the request as {mediaType}; only documents, texts, images, audio and video are shown here.
    </p>
  )
}

/** The bytes of a data URL; undefined if it is not valid. */
function bytesOf(url: string): Uint8Array<ArrayBuffer> | undefined {
  const parts = partsOfDataUrl(url)
  if (!parts) return undefined
  try {
    if (!parts.isBase64) return new TextEncoder().encode(decodeURIComponent(parts.data))
    return Uint8Array.from(atob(parts.data.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
