import { useEffect, useRef, useState } from 'preact/hooks'
import { label } from '../format.ts'
import { expectImage, isDrawable, pagePath } from '../parts/page-image.tsx'
import type { DrawnBox } from '../reviews/editor.tsx'
import { visible } from '../visible.ts'
import type { EvidenceMap, StoredFile } from '../wire.ts'
import { isPlaced } from './answer/leaf.tsx'
import type { Looking } from './answer/props.ts'
import { ArchiveView } from './archive-view.tsx'
import { LookButtons, type PageLook, Pager, plainLook, turned, zoomed } from './document-bar.tsx'
import { isPlayable } from './player.tsx'
import { pageWidth, SourceView } from './source-view.tsx'
import type { Archive, ReadInput, Source } from './sources.ts'
import type { Picked } from './timed-view.tsx'

interface DocumentProps extends Looking {
  readonly executionId: string
  /** The first file among the sources, if it is known already. */
  readonly file: StoredFile | undefined
  readonly sources: readonly Source[]
  readonly readings: ReadonlyMap<string, ReadInput>
  readonly archives: ReadonlyMap<string, Archive>
  readonly evidence: EvidenceMap
  readonly picked: Picked | undefined
  /** The current highlight, regardless of earlier clicks. */
  readonly hovered: string | null
  /** The box drawn for the value being corrected; with `onDraw` a box can be drawn on a page. */
  readonly drawn?: DrawnBox | undefined
  readonly onDraw?: (box: DrawnBox) => void
}

const cssPercent = (share: number): string => `${share * 100}%`
/** Delay before the page scrolls to a highlight, so that merely crossing it with the pointer does nothing. */
const turnMs = 140

/** What the keys of a document viewer do to its pages. */
const lookOfKey: Readonly<Record<string, (look: PageLook) => PageLook>> = {
  r: (look) => turned(look, 1),
  R: (look) => turned(look, -1),
  '+': (look) => zoomed(look, 1),
  '-': (look) => zoomed(look, -1),
}

/** Whether arrow keys scroll what is at an element sideways. */
const scrollsSideways = (element: Element | null): boolean =>
  element !== null &&
  ((element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)) ||
    scrollsSideways(element.parentElement))

/** Scrolls to the top. A scroll by keys or a wheel that is under way would go on in the new page; a box that is made anew has none. */
function toTop(element: HTMLElement): void {
  if (element.scrollHeight === element.clientHeight) return
  element.style.display = 'none'
  void element.offsetHeight
  element.style.removeProperty('display')
  element.scrollTo(0, 0)
}

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
  // By the names of the inputs: one that lies on its side says nothing of the others.
  const [looks, setLooks] = useState<Readonly<Record<string, PageLook>>>({})
  const scroll = useRef<HTMLElement>(null)
  const [place, setPlace] = useState(() => firstPlace(sources, evidence))
  const source = shown.find((one) => one.name === place.input) ?? shown[0]
  // Once for each value that is pointed at: who turns the page is not taken back.
  const following = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const wanted = hovered === null ? undefined : evidence[hovered]
    if (!wanted || !isPlaced(wanted)) return
    following.current = setTimeout(
      () =>
        setPlace((now) => {
          const there = { input: wanted.input ?? now.input, page: wanted.page ?? 0 }
          return there.input === now.input && there.page === now.page ? now : there
        }),
      turnMs,
    )
    return () => clearTimeout(following.current)
  }, [hovered])
  useEffect(() => {
    const chosen = picked && evidence[picked.pointer]
    if (chosen && isPlaced(chosen)) setPlace(({ input }) => ({ input: chosen.input ?? input, page: chosen.page ?? 0 }))
  }, [picked])
  if (!source) return null
  const hasElements = Object.values(evidence).some(({ element }) => element !== undefined)
  const element = active === null ? undefined : evidence[active]?.element
  const reading = readings.get(source.name)
  const archive = archives.get(source.name)
  const typeOf = (name: string) => readings.get(name)?.mediaType ?? (archives.has(name) ? 'archive' : undefined)
  // Audio and video have a timeline instead of pages.
  const pageCount = reading && !isPlayable(reading.mediaType) ? reading.pageCount : 1
  const isPaged = reading !== undefined && isDrawable(reading.mediaType)
  const how = (isPaged && looks[source.name]) || plainLook
  const setHow = (one: PageLook) => setLooks({ ...looks, [source.name]: one })
  const turn = (page: number) => {
    clearTimeout(following.current)
    if (page === place.page || page < 0 || page >= pageCount) return
    if (scroll.current) toTop(scroll.current)
    setPlace({ input: source.name, page })
  }
  const press = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element) || event.target.closest('input, select, audio, video')) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const looked = isPaged ? lookOfKey[event.key]?.(how) : undefined
    const beside = { ArrowLeft: place.page - 1, ArrowRight: place.page + 1 }[event.key]
    const to = [event.target, scroll.current].some(scrollsSideways) ? undefined : beside
    if (!looked && (to === undefined || to < 0 || to >= pageCount)) return
    event.preventDefault()
    // Elsewhere on the screen the key has another meaning.
    event.stopPropagation()
    if (looked) setHow(looked)
    if (to !== undefined) turn(to)
  }
  const own = Object.entries(evidence).filter(
    ([, one]) => isPlaced(one) && (one.input ?? source.name) === source.name && (one.page ?? 0) === place.page,
  )
  return (
    <section class="document" aria-label="Document" onKeyDown={press}>
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
        {isPaged && <LookButtons look={how} onLook={setHow} />}
        {pageCount > 1 && (
          <Pager page={place.page} pageCount={pageCount} onTurn={turn} onGone={() => scroll.current?.focus()} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the page is scrolled by keyboard too. */}
      <section class="document-scroll" aria-label="Page" tabIndex={0} ref={scroll}>
        <div style={{ width: cssPercent(how.zoom) }}>
          {hasElements && (
            <p class="element soft small" aria-live="polite">
              {element ? (
                <code>{element}</code>
              ) : (
                'Read from the XML of the invoice. Point at a value to see its element.'
              )}
            </p>
          )}
          {archive && (
            <ArchiveView
              archive={archive}
              typeOf={(name) => typeOf(`${source.name}/${name}`)}
              open={(name) => setPlace({ input: `${source.name}/${name}`, page: 0 })}
            />
          )}
          {(!archive || archive.isMail) && (
            <SourceView
              key={source.name}
              executionId={executionId}
              file={props.file}
              source={source}
              reading={reading}
              page={place.page}
              turns={how.turns}
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
