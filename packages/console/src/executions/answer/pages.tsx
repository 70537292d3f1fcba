import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberText } from '../../format.ts'

/** Items that are rendered at once, so that a long list stays as fast as a short one. */
const pageItems = 200

/**
 * The items of a long list, a page at a time. Turns to the page of the item of `active` when that changes, and to that of the item `added`,
 * which was just added; negative: none.
 */
export function usePages<Item>(
  items: readonly Item[],
  { active, isActive, added = -1 }: { active: string | null; isActive: (item: Item) => boolean; added?: number },
) {
  const [chosen, setChosen] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const last = Math.max(0, Math.ceil(items.length / pageItems) - 1)
  const page = Math.min(chosen, last)
  const turn = (to: number) => setChosen(Math.max(0, Math.min(last, to)))
  const at = active === null || last === 0 ? -1 : items.findIndex(isActive)
  const isFollowing = useRef(false)
  const follow = (index: number) => {
    if (index < 0 || Math.floor(index / pageItems) === page) return
    isFollowing.current = true
    turn(Math.floor(index / pageItems))
  }
  useEffect(() => follow(at), [active, at])
  useEffect(() => follow(added), [added])
  useLayoutEffect(() => {
    if (isFollowing.current) place.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' })
    isFollowing.current = false
  }, [page])
  const start = page * pageItems
  const bar = last > 0 && <PageBar {...{ start, page, last, turn, many: items.length }} />
  return { shown: items.slice(start, start + pageItems), bar, place }
}

interface PageBarProps {
  readonly start: number
  readonly page: number
  readonly last: number
  readonly many: number
  readonly turn: (page: number) => void
}

/** Says which items are shown, and turns the page. */
function PageBar({ start, page, last, many, turn }: PageBarProps) {
  const go = (event: { currentTarget: HTMLInputElement }) => {
    const { valueAsNumber } = event.currentTarget
    if (Number.isFinite(valueAsNumber)) turn(Math.floor((valueAsNumber - 1) / pageItems))
  }
  return (
    <nav class="acts small" aria-label="Pages of the list">
      <button type="button" class="small" aria-disabled={page === 0} onClick={() => turn(page - 1)}>
        ← Previous page
      </button>
      <button type="button" class="small" aria-disabled={page === last} onClick={() => turn(page + 1)}>
        Next page →
      </button>
      <span role="status" class="soft">
        {numberText(start + 1, 0)}–{numberText(Math.min(many, start + pageItems), 0)} of {numberText(many, 0)}
      </span>
      <label class="soft">
        Go to row <input type="number" min={1} max={many} onChange={go} />
      </label>
    </nav>
  )
}
