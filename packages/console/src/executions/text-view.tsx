import { decodeStrayText, decodeText } from '@skillrun/core/decode-text.ts'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { callRaw } from '../api.ts'
import { byteSize } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Problem } from '../parts/notes.tsx'
import type { StoredFile } from '../wire.ts'
import type { Looking } from './answer/props.ts'
import { type GridPage, layGrid, type Marks, marksOnGrid } from './grid-text.ts'

interface TextProps extends Looking {
  readonly marks: Marks
}

/** Longer texts are not rendered. */
const textBytesMax = 400_000

/** A text file with the evidence marked. */
export function FileText({ file, ...props }: TextProps & { file: StoredFile }) {
  const path = `/v1/files/${encodeURIComponent(file.id)}/content`
  const loaded = useLoaded<Uint8Array>(file.bytes <= textBytesMax ? path : null, {
    load: async (at, signal) => new Uint8Array(await (await callRaw(at, { signal })).arrayBuffer()),
  })
  if (file.bytes > textBytesMax) return <TooLong bytes={file.bytes} />
  if (loaded.problem) return <Problem text={loaded.problem} />
  return loaded.data ? <BytesText {...props} bytes={loaded.data} /> : <div class="page loading" />
}

/** The bytes of a text with the evidence marked, decoded as they were when the text was read. */
export function BytesText({ bytes, ...props }: TextProps & { bytes: Uint8Array }) {
  const isLong = bytes.length > textBytesMax
  const text = useMemo(() => (isLong ? '' : (decodeText(bytes) ?? decodeStrayText(bytes) ?? '')), [bytes])
  return isLong ? <TooLong bytes={bytes.length} /> : <TextView {...props} text={text} />
}

const TooLong = ({ bytes }: { bytes: number }) => (
  <p class="nothing">The text has {byteSize(bytes)}, too much to show here.</p>
)

/** A page of an office file: its words in place, with the evidence marked. */
export function WordsView({ path, marks, ...props }: TextProps & { path: string }) {
  const { data, problem } = useLoaded<GridPage>(path)
  const laid = useMemo(() => data && layGrid(data), [data])
  const placed = useMemo(() => (laid ? marksOnGrid(laid, marks) : []), [laid, marks])
  if (problem) return <Problem text={problem} />
  if (!data || !laid) return <div class="page loading" />
  return (
    <>
      <TextView {...props} text={laid.text} marks={placed} isGrid />
      {data.left_out > 0 && <p class="hint">{data.left_out} more words of this page are not shown.</p>}
    </>
  )
}

/** A text with the evidence marked; `isGrid`: its characters are aligned in columns. */
export function TextView({ text, marks, active, look, isGrid }: TextProps & { text: string; isGrid?: boolean }) {
  const pieces = useMemo(() => piecesOf(text, marks), [text, marks])
  const place = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (active === null) return
    const found = [...(place.current?.querySelectorAll('mark') ?? [])].find((one) => one.dataset['box'] === active)
    found?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <pre class={isGrid ? 'text-source grid-source' : 'text-source'} ref={place}>
      {pieces.map(({ start, piece, pointer, status }) =>
        pointer === undefined ? (
          piece
        ) : (
          <mark
            key={start}
            class={`${status}${active === pointer ? ' active' : ''}`}
            data-box={pointer}
            onMouseEnter={() => look(pointer)}
            onMouseLeave={() => look(null)}
          >
            {piece}
          </mark>
        ),
      )}
    </pre>
  )
}

interface Piece {
  readonly start: number
  readonly piece: string
  readonly pointer?: string
  readonly status?: string
}

/** Splits the text at marks; of overlapping marks the first wins. */
function piecesOf(text: string, marks: Marks): readonly Piece[] {
  const spans = marks
    .flatMap(([pointer, { span, status }]) => (span ? [{ pointer, status, start: span[0], end: span[1] }] : []))
    .toSorted((a, b) => a.start - b.start)
  const pieces: Piece[] = []
  let at = 0
  for (const { pointer, status, start, end } of spans) {
    if (start < at || end > text.length) continue
    if (start > at) pieces.push({ start: at, piece: text.slice(at, start) })
    pieces.push({ start, piece: text.slice(start, end), pointer, status })
    at = end
  }
  pieces.push({ start: at, piece: text.slice(at) })
  return pieces
}
