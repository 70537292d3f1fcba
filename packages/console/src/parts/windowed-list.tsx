import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { indexAt, placesOf } from './row-places.ts'

interface WindowedListProps<Item> {
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  readonly row: (item: Item) => ComponentChild
  readonly label: string
  readonly class: string
  /** Called near the end of the loaded rows. */
  readonly onNearEnd: (() => void) | undefined
}

/** Rows rendered above and below the viewport, for fast scrolling. */
const marginRows = 8
const roundDown = (index: number): number => index - (index % marginRows)
/** Distance from the end at which more rows are requested. */
const nearEndPixels = 3_000

/** A list that renders only visible rows, however long it is; it scrolls with the page. */
export function WindowedList<Item>(props: WindowedListProps<Item>) {
  const { items, idOf, row, label, onNearEnd } = props
  const list = useRef<HTMLOListElement>(null)
  const heights = useRef(new Map<string, number>())
  const [range, setRange] = useState({ first: 0, end: 0 })
  const [round, setRound] = useState(0)
  const places = useMemo(() => placesOf(items.map((item) => heights.current.get(idOf(item)))), [items, round])
  const latest = useRef({ places, onNearEnd, count: items.length })
  latest.current = { places, onNearEnd, count: items.length }
  const look = () => {
    const element = list.current
    if (!element) return
    const { places, onNearEnd, count } = latest.current
    const above = -element.getBoundingClientRect().top
    // Moved in steps: most frames of slow scrolling render nothing.
    const first = Math.max(0, roundDown(indexAt(places, above)) - marginRows)
    const end = Math.min(count, roundDown(indexAt(places, above + window.innerHeight)) + 2 * marginRows)
    setRange((before) => (before.first === first && before.end === end ? before : { first, end }))
    if ((places.at(-1) ?? 0) - above - window.innerHeight < nearEndPixels) onNearEnd?.()
  }
  useEffect(() => {
    let frame = 0
    const soon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        look()
      })
    }
    const forget = () => {
      heights.current.clear()
      setRound((before) => before + 1)
      soon()
    }
    window.addEventListener('scroll', soon, { passive: true })
    window.addEventListener('resize', forget)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', soon)
      window.removeEventListener('resize', forget)
    }
  }, [])
  // Row heights vary: rendered rows are measured, the others are assumed to have the average height.
  useLayoutEffect(() => {
    let isNew = false
    for (const [index, element] of [...(list.current?.children ?? [])].entries()) {
      const { dataset, offsetHeight } = element as HTMLElement
      const id = dataset['id'] ?? ''
      if (heights.current.get(id) === offsetHeight) continue
      heights.current.set(id, offsetHeight)
      const place = range.first + index
      const taken = (places[place + 1] ?? 0) - (places[place] ?? 0)
      if (Math.abs(taken - offsetHeight) > 0.5) isNew = true
    }
    if (isNew) setRound((before) => before + 1)
    look()
  }, [items, range, round])
  const end = Math.min(range.end, items.length)
  const first = Math.min(range.first, end)
  return (
    <ol
      ref={list}
      class={props.class}
      aria-label={label}
      style={{ paddingTop: `${places[first] ?? 0}px`, paddingBottom: `${(places.at(-1) ?? 0) - (places[end] ?? 0)}px` }}
    >
      {items.slice(first, end).map((item, index) => (
        <li key={idOf(item)} data-id={idOf(item)} aria-posinset={first + index + 1} aria-setsize={items.length}>
          {row(item)}
        </li>
      ))}
    </ol>
  )
}
