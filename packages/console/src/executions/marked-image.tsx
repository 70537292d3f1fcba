import { useEffect, useRef, useState } from 'preact/hooks'
import type { DrawnBox } from '../reviews/editor.tsx'
import type { Looking } from './answer/props.ts'
import type { Marks } from './grid-text.ts'
import type { Picked } from './timed-view.tsx'

interface MarkedImageProps extends Looking {
  /** Undefined while it loads. */
  readonly url: string | undefined
  readonly name: string
  readonly input: string
  readonly page: number
  readonly turns: number
  readonly marks: Marks
  readonly picked: Picked | undefined
  /** The route of the words of the page. */
  readonly wordsUrl: string
  readonly drawn?: DrawnBox | undefined
  readonly onDraw?: (box: DrawnBox) => void
}

/** The image of a page with a frame around each value; a box can be drawn on it if there is `onDraw`. */
export function MarkedImage({
  url,
  name,
  marks,
  active,
  look,
  pick,
  picked,
  input,
  page,
  turns,
  wordsUrl,
  drawn,
  onDraw,
}: MarkedImageProps) {
  const place = useRef<HTMLDivElement>(null)
  /** The height of the page in its widths. */
  const [shape, setShape] = useState(paperShape)
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
    <div
      class={url ? 'page' : 'page loading'}
      ref={place}
      style={turns % 2 === 1 ? { aspectRatio: String(shape) } : undefined}
    >
      <div class="sheet" style={turnedStyle(turns, shape)}>
        {url && onDraw && (
          <DrawingLayer turns={turns} onDraw={(bbox) => onDraw({ input, page, bbox, words: wordsUrl })} />
        )}
        {drawn?.page === page && drawn.input === input && <span class="box drawn" style={placeOf(drawn.bbox)} />}
        {url && (
          <img
            src={url}
            alt={`Page of ${name}`}
            onLoad={({ currentTarget: { naturalHeight, naturalWidth } }) => setShape(naturalHeight / naturalWidth)}
          />
        )}
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
    </div>
  )
}

/** Until the page has come. */
const paperShape = 297 / 210

/** The sheet within the page; on its side it is as wide as the page is high. */
function turnedStyle(turns: number, shape: number) {
  if (turns === 0) return undefined
  if (turns === 2) return { transform: 'rotate(180deg)' }
  return {
    position: 'absolute',
    top: '50%',
    left: '50%',
    width: `${100 / shape}%`,
    transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
  } as const
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

type Point = readonly [x: number, y: number]

/** The place on a page of a place in its turned view. */
const unturned = ([x, y]: Point, turns: number): Point => (turns === 0 ? [x, y] : unturned([y, 1 - x], turns - 1))

/** An overlay that captures a dragged box. */
function DrawingLayer({ turns, onDraw }: { turns: number; onDraw: (box: Box) => void }) {
  const [from, setFrom] = useState<Point>()
  const [box, setBox] = useState<Box>()
  const shareAt = (event: PointerEvent): Point => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const within = (share: number) => Math.min(1, Math.max(0, share))
    return unturned([within((event.clientX - left) / width), within((event.clientY - top) / height)], turns)
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
