import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { label, pathOf, wholePercent } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import { expectImage, isDrawable, isWordy, pagePath, useImage, wordsPath } from '../parts/page-image.tsx'
import type { DrawnBox } from '../reviews/editor.tsx'
import { visible } from '../visible.ts'
import type { EvidenceMap, StoredFile } from '../wire.ts'
import { isPlaced, type Looking } from './answer-view.tsx'
import { ArchiveView } from './archive-view.tsx'
import type { Marks } from './grid-text.ts'
import { isPlayable } from './player.tsx'
import type { ArchiveFile, ReadInput, Source } from './sources.ts'
import { FileText, TextView, WordsView } from './text-view.tsx'
import { type Picked, TimedView } from './timed-view.tsx'

interface DocumentProps extends Looking {
  readonly executionId: string
  /** The first file among the sources, if it is known already. */
  readonly file: StoredFile | undefined
  readonly sources: readonly Source[]
  readonly readings: ReadonlyMap<string, ReadInput>
  readonly archives: ReadonlyMap<string, readonly ArchiveFile[]>
  readonly evidence: EvidenceMap
  readonly picked: Picked | undefined
  /** The current highlight, regardless of earlier clicks. */
  readonly hovered: string | null
  /** The box drawn for the value being corrected; with `onDraw` a box can be drawn on a page. */
  readonly drawn?: DrawnBox | undefined
  readonly onDraw?: (box: DrawnBox) => void
}

const pageWidth = 1400
/** The width of a page relative to its container. */
const zoomMin = 0.5
const zoomMax = 3
const zoomStep = 0.25
const wholePercentCss = (share: number): string => `${share * 100}%`
/** Delay before the page scrolls to a highlight, so that merely crossing it with the pointer does nothing. */
const turnMs = 140

const shownOf = (sources: readonly Source[]) => sources.filter((source) => source.kind !== 'value')

/** What is shown first: the first piece of evidence, or else the first input. */
function firstPlace(
  sources: readonly Source[],
  evidence: EvidenceMap,
): { readonly input: string; readonly page: number } {
  const first = Object.values(evidence).find(isPlaced)
  return { input: first?.input ?? shownOf(sources)[0]?.name ?? '', page: first?.page ?? 0 }
}

/** Requests the page of a file that is shown first, while the screen still loads. */
export function expectPage(file: StoredFile, sources: readonly Source[], evidence: EvidenceMap): void {
  const { input, page } = firstPlace(sources, evidence)
  const source = sources.find(({ name }) => name === input)
  if (source?.kind === 'file' && source.fileId === file.id && isDrawable(file.content_type))
    expectImage(pagePath(file.id, page, pageWidth))
}

/** The inputs beside the answer: one page at a time, with its evidence. */
export function DocumentView(props: DocumentProps) {
  const { executionId, sources, readings, archives, evidence, active, hovered, look, pick, picked } = props
  const shown = shownOf(sources)
  const [zoom, setZoom] = useState(1)
  const [place, setPlace] = useState(() => firstPlace(sources, evidence))
  const source = shown.find((one) => one.name === place.input) ?? shown[0]
  const wanted = hovered === null ? undefined : evidence[hovered]
  useEffect(() => {
    if (!wanted || !isPlaced(wanted)) return
    const there = { input: wanted.input ?? place.input, page: wanted.page ?? 0 }
    if (there.input === place.input && there.page === place.page) return
    const timer = setTimeout(() => setPlace(there), turnMs)
    return () => clearTimeout(timer)
  }, [wanted, place])
  useEffect(() => {
    const chosen = picked && evidence[picked.pointer]
    if (chosen && isPlaced(chosen)) setPlace(({ input }) => ({ input: chosen.input ?? input, page: chosen.page ?? 0 }))
  }, [picked])
  if (!source) return null
  const hasElements = Object.values(evidence).some(({ element }) => element !== undefined)
  const element = active === null ? undefined : evidence[active]?.element
  const reading = readings.get(source.name)
  const archive = archives.get(source.name)
  // Audio and video have a timeline instead of pages.
  const pageCount = reading && !isPlayable(reading.mediaType) ? reading.pageCount : 1
  const isPaged = reading !== undefined && isDrawable(reading.mediaType)
  const turn = (page: number) => setPlace({ input: source.name, page })
  const own = Object.entries(evidence).filter(
    ([, one]) => isPlaced(one) && (one.input ?? source.name) === source.name && (one.page ?? 0) === place.page,
  )
  return (
    <section class="document" aria-label="Document">
      <div class="document-bar">
        {shown.length > 1 ? (
          <select
            aria-label="Input"
            value={source.name}
            onChange={(event) => setPlace({ input: event.currentTarget.value, page: 0 })}
          >
            {shown.map((one) => (
              <option key={one.name} value={one.name}>
                {visible(one.name)}
              </option>
            ))}
          </select>
        ) : (
          <span class="soft small name clip">
            {source.kind === 'file' && source.fileId === props.file?.id
              ? visible(props.file.filename)
              : label(source.name)}
          </span>
        )}
        {isPaged && (
          <span class="pager zoom">
            <button type="button" class="quiet" disabled={zoom <= zoomMin} onClick={() => setZoom(zoom - zoomStep)}>
              <span aria-hidden="true">−</span> <span class="unseen">smaller</span>
            </button>
            <span class="small">{wholePercent(zoom)}</span>
            <button type="button" class="quiet" disabled={zoom >= zoomMax} onClick={() => setZoom(zoom + zoomStep)}>
              <span class="unseen">larger</span> <span aria-hidden="true">+</span>
            </button>
          </span>
        )}
        {pageCount > 1 && (
          <span class="pager">
            <button type="button" class="quiet" disabled={place.page === 0} onClick={() => turn(place.page - 1)}>
              ← <span class="unseen">page before</span>
            </button>
            <span class="small">
              Page {place.page + 1} of {pageCount}
            </span>
            <button
              type="button"
              class="quiet"
              disabled={place.page >= pageCount - 1}
              onClick={() => turn(place.page + 1)}
            >
              <span class="unseen">next page</span> →
            </button>
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the page is scrolled by keyboard too. */}
      <section class="document-scroll" aria-label="Page" tabIndex={0}>
        <div style={{ width: wholePercentCss(zoom) }}>
          {hasElements && (
            <p class="element soft small" aria-live="polite">
              {element ? (
                <code>{element}</code>
              ) : (
                'Read from the XML of the invoice. Point at a value to see its element.'
              )}
            </p>
          )}
          {archive ? (
            <ArchiveView
              files={archive}
              readingOf={(name) => readings.get(`${source.name}/${name}`)}
              open={(name) => setPlace({ input: `${source.name}/${name}`, page: 0 })}
            />
          ) : (
            <SourceView
              key={source.name}
              executionId={executionId}
              file={props.file}
              source={source}
              reading={reading}
              page={place.page}
              marks={own}
              evidence={evidence}
              picked={picked}
              active={active}
              look={look}
              {...(pick ? { pick } : {})}
              {...(props.onDraw ? { drawn: props.drawn, onDraw: props.onDraw } : {})}
            />
          )}
        </div>
      </section>
    </section>
  )
}

interface SourceProps extends Looking {
  readonly executionId: string
  readonly file: StoredFile | undefined
  readonly source: Source
  readonly reading: ReadInput | undefined
  readonly page: number
  readonly marks: Marks
  readonly evidence: EvidenceMap
  readonly picked: Picked | undefined
  readonly drawn?: DrawnBox | undefined
  readonly onDraw?: (box: DrawnBox) => void
}

function SourceView(props: SourceProps) {
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
  if (/^text\/|[/+](json|xml)$/.test(mediaType)) return <FileText {...props} file={file} />
  return <p class="nothing">A file of type {mediaType} has no page to show.</p>
}

/** A rendered page with a frame around each piece of evidence. */
function PageView({ path, name, ...rest }: SourceProps & { path: string; name: string }) {
  const { url, problem } = useImage(path)
  return (
    <>
      <Problem text={problem} />
      <ImageWithMarks {...rest} url={url} name={name} />
    </>
  )
}

function ImageWithMarks({
  url,
  name,
  marks,
  active,
  look,
  pick,
  picked,
  executionId,
  source,
  page,
  drawn,
  onDraw,
}: { url: string | undefined; name: string } & Omit<SourceProps, 'reading' | 'evidence'>) {
  const place = useRef<HTMLDivElement>(null)
  const shownRound = useRef(0)
  // When the page is above the answer, as on a phone, scroll the clicked place into view.
  useEffect(() => {
    if (!url || picked?.where !== 'answer' || shownRound.current === picked.round) return
    const box = [...(place.current?.querySelectorAll<HTMLElement>('.box') ?? [])].find(
      (one) => one.dataset['box'] === picked.pointer,
    )
    if (!box) return
    shownRound.current = picked.round
    box.scrollIntoView({ block: 'nearest' })
  }, [url, picked, marks])
  return (
    <div class={url ? 'page' : 'page loading'} ref={place}>
      {url && onDraw && (
        <DrawingLayer
          onDraw={(bbox) => onDraw({ input: source.name, page, bbox, words: wordsOf(executionId, source, page) })}
        />
      )}
      {drawn?.page === page && drawn.input === source.name && <span class="box drawn" style={placeOf(drawn.bbox)} />}
      {url && <img src={url} alt={`Page of ${name}`} />}
      {url &&
        marks.map(([pointer, { bbox, status }]) => {
          if (!bbox) return null
          return (
            <span
              key={pointer}
              class={`box ${status}${active === pointer ? ' active' : ''}`}
              data-box={pointer}
              style={placeOf(bbox)}
              onMouseEnter={() => look(pointer)}
              onMouseLeave={() => look(null)}
              onClick={() => pick?.(pointer)}
              aria-hidden="true"
            />
          )
        })}
    </div>
  )
}

type Box = DrawnBox['bbox']

const placeOf = ([x, y, w, h]: Box) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${w * 100}%`,
  height: `${h * 100}%`,
})

/** Smaller boxes are clicks. */
const drawnMin = 0.004

/** An overlay that captures a dragged box. */
function DrawingLayer({ onDraw }: { onDraw: (box: Box) => void }) {
  const [from, setFrom] = useState<readonly [number, number]>()
  const [box, setBox] = useState<Box>()
  const shareAt = (event: PointerEvent): readonly [number, number] => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const within = (share: number) => Math.min(1, Math.max(0, share))
    return [within((event.clientX - left) / width), within((event.clientY - top) / height)]
  }
  return (
    <div
      class="drawing"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom(shareAt(event))
      }}
      onPointerMove={(event) => {
        if (!from) return
        const to = shareAt(event)
        const [x, y] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])]
        setBox([x, y, Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])])
      }}
      onPointerUp={() => {
        if (box && box[2] > drawnMin && box[3] > drawnMin) onDraw(box)
        setFrom(undefined)
        setBox(undefined)
      }}
    >
      {box && <span class="box drawn" style={placeOf(box)} />}
    </div>
  )
}

/** The route of the words of a page. */
const wordsOf = (executionId: string, source: Source, page: number): string =>
  source.kind === 'file'
    ? wordsPath(source.fileId, page)
    : `${inputPagesOf(executionId, page)}/words?input=${encodeURIComponent(source.name)}`

const inputPagesOf = (executionId: string, page: number): string =>
  `/v1/agent/executions/${encodeURIComponent(executionId)}/pages/${page}`

/** A file in an archive: the server extracts and renders it. */
function EntryView(props: SourceProps & { isKept: boolean }) {
  const { executionId, page, source, reading, isKept } = props
  const at = inputPagesOf(executionId, page)
  const query = `?input=${encodeURIComponent(source.name)}`
  const mediaType = reading?.mediaType ?? ''
  if (!isKept)
    return (
      <p class="nothing">
        Its archive was fetched; the fetched file is not kept, only what was read in it, so there is no page to show.
      </p>
    )
  if (isDrawable(mediaType)) return <PageView {...props} path={`${at}${query}&width=${pageWidth}`} name={source.name} />
  if (isWordy(mediaType)) return <WordsView {...props} path={`${at}/words${query}`} />
  return <p class="nothing">A file of type {mediaType || 'unknown'} in an archive has no page to show.</p>
}

/** An inline input: the server renders what a browser cannot show. */
function InlineView(props: SourceProps & { url: string; mediaType: string }) {
  const { url, executionId, page, source } = props
  // Do not trust the type that the sender claims.
  const mediaType = props.reading?.mediaType ?? props.mediaType
  const at = inputPagesOf(executionId, page)
  const query = `?input=${encodeURIComponent(source.name)}`
  const imageUrl = useMemo(
    () => (mediaType.startsWith('image/') || isPlayable(mediaType) ? blobUrlOf(url, mediaType) : undefined),
    [url, mediaType],
  )
  useEffect(() => () => imageUrl && URL.revokeObjectURL(imageUrl), [imageUrl])
  if (imageUrl && isPlayable(mediaType))
    return <TimedView {...props} input={props.source.name} url={imageUrl} name={props.source.name} />
  if (imageUrl) return <ImageWithMarks {...props} url={imageUrl} name={props.source.name} />
  if (isDrawable(mediaType)) return <PageView {...props} path={`${at}${query}&width=${pageWidth}`} name={source.name} />
  if (isWordy(mediaType)) return <WordsView {...props} path={`${at}/words${query}`} />
  return (
    <p class="nothing">
      The input was sent with the request as {mediaType}; only documents, images, audio and video are shown here.
    </p>
  )
}

function blobUrlOf(url: string, mediaType: string): string | undefined {
  const [head = '', data = ''] = url.split(',', 2)
  try {
    const text = /;base64$/i.test(head)
      ? atob(data.replaceAll('-', '+').replaceAll('_', '/'))
      : decodeURIComponent(data)
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: mediaType }))
  } catch {
    return undefined
  }
}
