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
  wordsUrl,
  drawn,
  onDraw,
}: MarkedImageProps) {
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
      {url && onDraw && <DrawingLayer onDraw={(bbox) => onDraw({ input, page, bbox, words: wordsUrl })} />}
      {drawn?.page === page && drawn.input === input && <span class="box drawn" style={placeOf(drawn.bbox)} />}
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
