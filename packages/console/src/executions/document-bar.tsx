import { useRef, useState } from 'preact/hooks'
import { wholePercent } from '../format.ts'
import { useKey, useKeys } from '../parts/keys.ts'

/** How the pages of a document are shown. */
export interface PageLook {
  /** The width of a page relative to its container. */
  readonly zoom: number
  /** Quarter turns clockwise. */
  readonly turns: number
}

export const plainLook: PageLook = { zoom: 1, turns: 0 }

const zoomMin = 0.5
const zoomMax = 3
const zoomStep = 0.25

/** A page is made smaller or larger within limits. */
export const zoomed = (look: PageLook, steps: number): PageLook => ({
  ...look,
  zoom: Math.min(zoomMax, Math.max(zoomMin, look.zoom + steps * zoomStep)),
})

export const turned = (look: PageLook, quarters: number): PageLook => ({
  ...look,
  turns: (look.turns + quarters + 4) % 4,
})

/** Makes pages smaller and larger, and turns those that lie on their side. */
export function LookButtons({ look, onLook }: { look: PageLook; onLook: (look: PageLook) => void }) {
  const { zoom } = look
  return (
    <span class="pager zoom">
      <button type="button" class="quiet" aria-disabled={zoom <= zoomMin} onClick={() => onLook(zoomed(look, -1))}>
        <span aria-hidden="true">−</span> <span class="unseen">smaller</span>
      </button>
      <span class="small">{wholePercent(zoom)}</span>
      <button type="button" class="quiet" aria-disabled={zoom >= zoomMax} onClick={() => onLook(zoomed(look, 1))}>
        <span class="unseen">larger</span> <span aria-hidden="true">+</span>
      </button>
      <button
        type="button"
        class="quiet"
        title="Turn the pages clockwise (in the document: key R; Shift+R turns them back)"
        onClick={() => onLook(turned(look, 1))}
      >
        <span aria-hidden="true">↻</span> <span class="unseen">turn clockwise</span>
      </button>
    </span>
  )
}

interface PagerProps {
  readonly page: number
  readonly pageCount: number
  readonly onTurn: (page: number) => void
  /** The person has named a page, and wants to read it. */
  readonly onGone: () => void
}

/** Turns pages: by buttons, by a page number, and by keys from anywhere on the screen. */
export function Pager({ page, pageCount, onTurn, onGone }: PagerProps) {
  const field = useRef<HTMLInputElement>(null)
  // The screen may be shown anew, as when the pointer moves, while the person types.
  const [typed, setTyped] = useState<string>()
  const last = pageCount - 1
  const turn = (to: number) => {
    setTyped(undefined)
    onTurn(Math.min(last, Math.max(0, to)))
  }
  useKey('g', () => field.current?.select())
  useKeys((event) => {
    if (!event.altKey || (event.key !== 'PageDown' && event.key !== 'PageUp')) return
    event.preventDefault()
    turn(page + (event.key === 'PageDown' ? 1 : -1))
  })
  const goTo = (event: { currentTarget: HTMLInputElement }) => {
    const { valueAsNumber } = event.currentTarget
    const to = Number.isFinite(valueAsNumber) ? Math.min(last, Math.max(0, Math.round(valueAsNumber) - 1)) : page
    event.currentTarget.value = String(to + 1)
    turn(to)
  }
  return (
    <span class="pager">
      <button
        type="button"
        class="quiet"
        aria-disabled={page === 0}
        title="Page before (Alt+Page up)"
        onClick={() => turn(page - 1)}
      >
        ← <span class="unseen">page before</span>
      </button>
      <label class="small">
        Page{' '}
        <input
          ref={field}
          type="number"
          min={1}
          max={pageCount}
          value={typed ?? page + 1}
          onInput={({ currentTarget: { value } }) => setTyped(value)}
          onBlur={() => setTyped(undefined)}
          title="Go to a page (key G)"
          onChange={goTo}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return
            event.preventDefault()
            event.stopPropagation()
            if (event.key === 'Enter') goTo(event)
            else event.currentTarget.value = String(page + 1)
            onGone()
          }}
        />{' '}
        of {pageCount}
      </label>
      <span class="unseen" role="status">
        Page {page + 1}
      </span>
      <button
        type="button"
        class="quiet"
        aria-disabled={page === last}
        title="Next page (Alt+Page down)"
        onClick={() => turn(page + 1)}
      >
        <span class="unseen">next page</span> →
      </button>
    </span>
  )
}
