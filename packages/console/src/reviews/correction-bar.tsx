import { valueAt } from '@skillrun/core/json.ts'
import { correctedPlaces } from '@skillrun/core/list-rows.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAttempt } from '../attempt.ts'
import { count, valueLabel } from '../format.ts'
import { useKeys } from '../parts/keys.ts'
import { Problem } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { useSignal } from '../state.ts'
import type { EvidenceMap, Execution, Json, JsonObject } from '../wire.ts'
import { Blocked } from './blocked.tsx'
import { clearRows, draftOf, keepTyped, reviewDraft } from './draft.ts'
import { type DrawnBox, type HeldValue, type SavedValue, takingBack, ValueEditor } from './editor.tsx'
import { focusValue, keepFocus } from './focus.ts'
import { askQueue, useHold } from './holding.ts'
import { type ListDraft, removedCounts } from './list-rows.ts'
import { Others, shortText } from './others.tsx'
import { reviewNext } from './review-screen.tsx'
import { rowChanges } from './row-changes.ts'
import type { RowPlaces } from './row-places.ts'
import { useSaving } from './saving.ts'

interface CorrectionProps {
  readonly execution: Execution
  /** By the places of the corrected answer. */
  readonly evidence: EvidenceMap
  readonly schema: JsonObject | undefined
  /** Set to what saves the rows that the person changed. */
  readonly saveRows: { current: (() => void) | undefined }
  /** Set to what goes on to the next value that needs a look, if the selected one is such, once the answer shows its save. */
  readonly goOn: { current: (() => void) | undefined }
  readonly places: RowPlaces
  /** The selected value. */
  readonly held: HeldValue | undefined
  readonly onShow: (name: string) => void
  /** Whether somebody else reviews it, so that nothing can be changed. */
  readonly onBlocked: (isBlocked: boolean) => void
  /** Goes to the next value that needs a look. */
  readonly onNext: () => void
  readonly box: DrawnBox | undefined
  /** Whether the next of the queue follows. */
  readonly isQueued: boolean
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Below the answer during a review: the selected value, and the end of the review. */
export function CorrectionBar(props: CorrectionProps) {
  const {
    execution,
    evidence,
    schema,
    saveRows,
    goOn,
    places,
    held,
    box,
    isQueued,
    onShow,
    onNext,
    onBlocked,
    onChange,
    onClose,
  } = props
  const name = held?.name
  const { failure: problem, attempt } = useAttempt()
  const { saveReview, showsSave, others } = useSaving(execution, onChange)
  const { lists, typed } = draftOf(useSignal(reviewDraft), execution.id)
  const pointer = name === undefined ? undefined : places.placeOf(name)
  const [saved, setSaved] = useState<SavedValue & { readonly name: string }>()
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('.answer')) last.current = target
    }
    document.addEventListener('focusin', follow)
    return () => document.removeEventListener('focusin', follow)
  }, [])
  const close = () => {
    keepTyped(execution.id, undefined)
    if (pointer !== undefined) focusValue(pointer)
    onClose()
  }
  const forgetRows = (gone: typeof lists, { isSaved }: { isSaved: boolean }) => {
    keepFocus(last.current, { isSaved, draftOf: (list) => gone[places.nameOf(list)] })
    clearRows(execution.id, gone)
  }
  const hasRows = Object.keys(lists).length > 0
  const at = `/executions/${encodeURIComponent(execution.id)}`
  const act = async (work: () => Promise<unknown>) => {
    await attempt(work)
  }
  const onward = async () => {
    if (!isQueued) {
      go(at, { replace: true })
      document.getElementById('main')?.focus()
    } else if (!(await reviewNext())) go('/review')
    onChange()
  }
  const { block, again } = useHold(execution)
  const isBlocked = block !== undefined
  useEffect(() => onBlocked(isBlocked), [isBlocked])
  const doubts = doubtPlaces(execution)
  const [isAsking, setIsAsking] = useState(false)
  // Who goes to a value has not finished.
  useEffect(() => setIsAsking(false), [held?.round])
  const finish = () =>
    act(async () => {
      setIsAsking(false)
      if (await saveReview({ done: true })) await onward()
    })
  const skip = () =>
    act(async () => {
      await askQueue(execution.id, 'skip')
      await onward()
    })
  const leave = () => go(at, { replace: true })
  const stop = () => {
    // Others can take it at once; one that nobody holds is refused.
    void askQueue(execution.id, 'release').catch(() => undefined)
    leave()
  }
  const takeBack = () =>
    act(async () => {
      const path = saved && places.placeOf(saved.name)
      if (saved === undefined || path === undefined) return
      const original = (valueAt(execution.response as Json, saved.name) ?? null) as Json
      if (!(await saveReview({ changes: takingBack(path, saved.from, original) }))) return
      setSaved(undefined)
      onShow(saved.name)
      onChange()
    })
  useKeys((event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog')
    if (!saved || isTyping || event.key !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) setTakesBack(true)
  })
  // Who is quick takes it back before the answer shows it.
  const [takesBack, setTakesBack] = useState(false)
  useEffect(() => {
    if (!takesBack || !showsSave) return
    setTakesBack(false)
    void takeBack()
  }, [takesBack, showsSave])
  saveRows.current = () =>
    void act(async () => {
      // What was typed just before is not on the screen yet.
      const drafted = draftOf(reviewDraft.get(), execution.id)
      if (!(await saveReview({ changes: rowChanges(execution, drafted.lists, schema) }))) return
      forgetRows(drafted.lists, { isSaved: true })
      if (!drafted.typed) onClose()
      onChange()
    })
  if (block)
    return (
      <section class="correction" aria-label="Correction">
        <Blocked
          block={block}
          hasDraft={hasRows || typed !== undefined}
          onAgain={again}
          onNext={isQueued ? () => void act(async () => (await reviewNext()) || go('/review')) : undefined}
          onLeave={leave}
        />
        <Problem text={problem} />
      </section>
    )
  return (
    // A key that is held down must not answer for what nobody has seen.
    <section
      class="correction"
      aria-label="Correction"
      onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
    >
      {name !== undefined && pointer === undefined && (
        <p role="status">
          The row of the selected value was removed.{typed?.name === name && ` Not saved: ${typed.text}`}
        </p>
      )}
      {held === undefined || pointer === undefined ? (
        <p class="small soft">
          Choose a value to correct it. <kbd>N</kbd> goes to the next that needs a look, where <kbd>Enter</kbd> says
          that it is right, or takes the likeliest of a value that was left out, and <kbd>F2</kbd> changes it; in a
          list, <kbd>R</kbd> removes the row and <kbd>A</kbd> adds one after it.
        </p>
      ) : (
        <ValueEditor
          key={held.name}
          execution={execution}
          evidence={evidence}
          schema={schema}
          pointer={pointer}
          held={held}
          box={box}
          inRow={doubtsInRow(execution, pointer)}
          saveReview={saveReview}
          onSaved={(one) => {
            setSaved(one && { ...one, name: held.name })
            goOn.current?.()
            close()
            onChange()
          }}
          onClose={close}
        />
      )}
      <Problem text={problem} />
      <SavedNote
        saved={saved?.name === name ? undefined : saved}
        places={places}
        onTakeBack={() => setTakesBack(true)}
      />
      <Others reviews={others} />
      {hasRows && (
        <>
          <p role="status">Not saved: {rowsText(lists, places)}</p>
          <p class="acts">
            <button type="button" class="primary" onClick={() => saveRows.current?.()}>
              Save the rows
            </button>
            <button type="button" onClick={() => forgetRows(lists, { isSaved: false })}>
              Discard
            </button>
          </p>
        </>
      )}
      {!typed && !hasRows && isAsking && doubts.length > 0 && (
        <Unlooked
          many={doubts.length}
          onFinish={() => void finish()}
          onNext={() => {
            setIsAsking(false)
            onNext()
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
      {!typed && !hasRows && !(isAsking && doubts.length > 0) && (
        <p class="acts">
          <button
            type="button"
            class={pointer === undefined ? 'primary finish' : 'finish'}
            onClick={() => (doubts.length > 0 ? setIsAsking(true) : void finish())}
          >
            {isQueued ? 'Finish, and review the next' : 'Finish the review'}
          </button>
          {isQueued && (
            <button type="button" onClick={() => void skip()}>
              Leave it to others
            </button>
          )}
          <button type="button" class="quiet" onClick={stop}>
            Stop correcting
          </button>
        </p>
      )}
    </section>
  )
}

/** The places in the corrected answer that need a look. */
function doubtPlaces({ needs_look: looks, review }: Execution): readonly string[] {
  const placeOf = correctedPlaces(review?.changes ?? [])
  return (looks ?? []).flatMap((path) => placeOf(path) ?? [])
}

interface UnlookedProps {
  readonly many: number
  readonly onFinish: () => void
  readonly onNext: () => void
  readonly onClose: () => void
}

/** Asks whether a review ends although nobody has said anything of some values that need a look. */
function Unlooked({ many, onFinish, onNext, onClose }: UnlookedProps) {
  const finish = useRef<HTMLButtonElement>(null)
  useEffect(() => finish.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is one more way to close the question.
    <div onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <p role="alert">
        {many === 1 ? 'One value still needs a look.' : `${many} values still need a look.`} A finished review counts as
        a look at all of them: their marks go.
      </p>
      <p class="acts">
        {/* First, where the button was that asked: a double click does not finish. */}
        <button type="button" onClick={onNext}>
          Show the next <kbd>N</kbd>
        </button>
        <button ref={finish} type="button" class="primary" onClick={onFinish}>
          Finish all the same <kbd>↵</kbd>
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Go back <kbd>Esc</kbd>
        </button>
      </p>
    </div>
  )
}

interface SavedNoteProps {
  readonly saved: (SavedValue & { readonly name: string }) | undefined
  readonly places: RowPlaces
  readonly onTakeBack: () => void
}

/** The value that was saved last, which can be taken back. */
function SavedNote({ saved, places, onTakeBack }: SavedNoteProps) {
  const place = saved && places.placeOf(saved.name)
  return (
    <div role="status">
      {saved && place !== undefined && (
        <p class="small acts">
          <span class="name">
            Saved: {valueLabel(place)}: <bdi>{shortText(saved.from)}</bdi> → <bdi>{shortText(saved.to)}</bdi>
          </span>
          <button type="button" class="small" onClick={onTakeBack}>
            Take it back <kbd>Ctrl Z</kbd>
          </button>
        </p>
      )}
    </div>
  )
}

/** The values that need a look in the row that a value is in. */
function doubtsInRow(execution: Execution, pointer: string) {
  const { response, reviewed_response: reviewed } = execution
  const row = /^.*\/\d+\//.exec(pointer)?.[0]
  if (row === undefined) return []
  return doubtPlaces(execution).filter(
    (one) => one.startsWith(row) && valueAt((reviewed ?? response) as Json, one) !== undefined,
  )
}

/** `Line items: 1 row removed, 2 added` */
const rowsText = (lists: Readonly<Record<string, ListDraft>>, { placeOf }: RowPlaces): string =>
  Object.entries(lists)
    .map(([name, draft]) => {
      const list = placeOf(name)
      const { removed, back } = removedCounts(draft)
      const parts = [
        removed > 0 && `${count(removed, 'row')} removed`,
        back > 0 && `${count(back, 'row')} put back`,
        draft.added.length > 0 && `${count(draft.added.length, 'row')} added`,
      ]
      const isGone = list === undefined && ', in a row that was removed meanwhile'
      return `${valueLabel(list ?? name)}: ${parts.filter(Boolean).join(', ')}${isGone || ''}`
    })
    .join('; ')
