import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { count, valueLabel } from '../format.ts'
import { Problem } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { useSignal } from '../state.ts'
import type { EvidenceMap, Execution, JsonObject } from '../wire.ts'
import { clearRows, draftOf, keepTyped, reviewDraft } from './draft.ts'
import { type DrawnBox, ValueEditor } from './editor.tsx'
import type { ListDraft } from './list-rows.ts'
import { Others } from './others.tsx'
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
  readonly places: RowPlaces
  /** Of the selected value. */
  readonly name: string | undefined
  readonly box: DrawnBox | undefined
  readonly claim: number | undefined
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Below the answer during a review: the selected value, and the end of the review. */
export function CorrectionBar(props: CorrectionProps) {
  const { execution, evidence, schema, saveRows, places, name, box, claim, onChange, onClose } = props
  const { failure: problem, attempt } = useAttempt()
  const { saveReview, others } = useSaving(execution, onChange)
  const { lists, typed } = draftOf(useSignal(reviewDraft), execution.id)
  const pointer = name === undefined ? undefined : places.placeOf(name)
  const close = () => {
    keepTyped(execution.id, undefined)
    onClose()
  }
  const hasRows = Object.keys(lists).length > 0
  const at = `/executions/${encodeURIComponent(execution.id)}`
  const act = async (work: () => Promise<unknown>) => {
    await attempt(work)
  }
  const onward = async () => {
    if (claim === undefined) go(at, { replace: true })
    else if (!(await reviewNext())) go('/review')
    onChange()
  }
  const finish = () =>
    act(async () => {
      if (await saveReview({ done: true })) await onward()
    })
  const skip = () =>
    act(async () => {
      const path = `/v1/reviews/${encodeURIComponent(execution.id)}/skip`
      await call(path, { method: 'POST' })
      await onward()
    })
  saveRows.current = () =>
    void act(async () => {
      // What was typed just before is not on the screen yet.
      const drafted = draftOf(reviewDraft.get(), execution.id)
      if (!(await saveReview({ changes: rowChanges(execution, drafted.lists, schema) }))) return
      clearRows(execution.id, drafted.lists)
      if (!drafted.typed) onClose()
      onChange()
    })
  return (
    <section class="correction" aria-label="Correction">
      {name !== undefined && pointer === undefined && (
        <p role="status">
          The row of the selected value was removed.{typed?.name === name && ` Not saved: ${typed.text}`}
        </p>
      )}
      {name === undefined || pointer === undefined ? (
        <p class="small soft">
          Choose a value to correct it. The key N goes to the next that needs a look; in a list, R removes the row and A
          adds one after it.
        </p>
      ) : (
        <ValueEditor
          key={name}
          execution={execution}
          evidence={evidence}
          schema={schema}
          pointer={pointer}
          name={name}
          box={box}
          saveReview={saveReview}
          onSaved={() => {
            close()
            onChange()
          }}
          onClose={close}
        />
      )}
      <Problem text={problem} />
      <Others reviews={others} />
      {hasRows && (
        <>
          <p role="status">Not saved: {rowsText(lists, places)}</p>
          <p class="acts">
            <button type="button" class="primary" onClick={() => saveRows.current?.()}>
              Save the rows
            </button>
            <button type="button" onClick={() => clearRows(execution.id, lists)}>
              Discard
            </button>
          </p>
        </>
      )}
      {pointer === undefined && !hasRows && (
        <p class="acts">
          <button type="button" class="primary" onClick={() => void finish()}>
            {claim === undefined ? 'Finish the review' : 'Finish, and review the next'}
          </button>
          {claim !== undefined && (
            <button type="button" onClick={() => void skip()}>
              Leave it to others
            </button>
          )}
          <button type="button" class="quiet" onClick={() => go(at, { replace: true })}>
            Stop correcting
          </button>
        </p>
      )}
    </section>
  )
}

/** `Line items: 1 row removed, 2 added` */
const rowsText = (lists: Readonly<Record<string, ListDraft>>, { placeOf }: RowPlaces): string =>
  Object.entries(lists)
    .map(([name, { removed, added }]) => {
      const list = placeOf(name)
      const parts = [
        removed.length > 0 && `${count(removed.length, 'row')} removed`,
        added.length > 0 && `${count(added.length, 'row')} added`,
      ]
      const isGone = list === undefined && ', in a row that was removed meanwhile'
      return `${valueLabel(list ?? name)}: ${parts.filter(Boolean).join(', ')}${isGone || ''}`
    })
    .join('; ')
