import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { correctedPlaces } from '@skillrun/core/list-rows.ts'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useKey } from '../parts/keys.ts'
import { Legend } from '../parts/notes.tsx'
import { firstList, focusFinish, pointerAt, rowAt } from '../reviews/focus.ts'
import type { ShownRow } from '../reviews/list-rows.ts'
import { itemsAt } from '../reviews/row-changes.ts'
import type { AnswerRows } from '../reviews/row-editing.ts'
import { type EvidenceMap, type Execution, hasEnded, type Json, type Step, type Warning } from '../wire.ts'
import { AnswerView } from './answer/answer-view.tsx'
import { toggleRow } from './answer/row-signs.tsx'
import { shownPlaces } from './answer/shown-places.ts'
import { waitsForApproval } from './approval-card.tsx'

export const noEvidence: EvidenceMap = {}

interface AnswerPanelProps {
  readonly execution: Execution
  readonly steps: readonly Step[]
  readonly active: string | null
  readonly picked: string | null
  readonly look: (pointer: string | null) => void
  /** `shown`: the person goes on to a value, and has not asked to type. */
  readonly pick: (pointer: string, how?: 'shown') => void
  /** Evidence by the places of the corrected answer. */
  readonly evidence: EvidenceMap
  readonly rows: AnswerRows
  /** Set to what goes on to the next value that needs a look, if `picked` is such, once the answer shows its review. */
  readonly goOn: { current: (() => void) | undefined }
  /** Set to what goes to the next value that needs a look. */
  readonly goNext: { current: (() => void) | undefined }
}

const noDoubts: readonly string[] = []
const noChanges: readonly ReviewChange[] = []

/** The answer; one key jumps to the next value to check. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { execution, steps, active, picked, look, pick, evidence, rows, goOn, goNext } = props
  const { status, error, usage, completeness, review } = execution
  // The corrected answer, if any.
  const response = (execution.reviewed_response ?? execution.response) as Json
  const changes = review?.changes ?? noChanges
  const needsLook = execution.needs_look ?? noDoubts
  // Rows that people removed or added move the others.
  const placeOf = useMemo(() => correctedPlaces(changes), [changes])
  const reviewed = useMemo(
    () => new Map(changes.map((change) => [placeOf(change.path) ?? change.path, change])),
    [changes],
  )
  const doubts = useMemo(() => needsLook.flatMap((path) => placeOf(path) ?? []), [needsLook, placeOf])
  const doubted = useMemo(() => new Set(doubts), [doubts])
  const [isFiltered, setIsFiltered] = useState(false)
  const only = useMemo(() => (isFiltered && doubted.size > 0 ? shownPlaces(doubted) : undefined), [isFiltered, doubted])
  const place = useRef<HTMLDivElement>(null)
  const doubtAt = (at: string | null) => doubts.findIndex((one) => one === at || at?.startsWith(`${one}/`))
  const here = doubtAt(picked)
  const show = (doubt: string | undefined) => {
    if (doubt === undefined) return
    // Of a row or list, its first value.
    const row = rowOf(place.current, doubt) ?? rowOf(place.current, doubt, { isWithin: true })
    pick(row?.dataset['pointer'] ?? doubt, 'shown')
    row?.scrollIntoView({ block: 'nearest' })
  }
  /** From the selected value, or else from the one that has the focus. */
  const move = (by: 1 | -1) => {
    const at = doubtAt(picked ?? pointerAt(document.activeElement))
    show(doubts.at(at < 0 && by < 0 ? -1 : (at + by) % doubts.length))
  }
  const next = () => move(1)
  goNext.current = next
  useKey('n', ({ shiftKey }) => move(shiftKey ? -1 : 1))
  const reviewing = useRef<{ readonly doubt: string; readonly later: readonly string[] }>(undefined)
  goOn.current = () => {
    const doubt = doubts[here]
    if (doubt !== undefined) reviewing.current = { doubt, later: doubts.slice(here + 1) }
  }
  useEffect(() => {
    const reviewed = reviewing.current
    reviewing.current = undefined
    if (!reviewed || picked !== null) return
    const following = reviewed.later.find((one) => doubted.has(one)) ?? doubts[0]
    if (following === undefined) focusFinish()
    // A row stays in doubt until all of it is reviewed.
    else if (following !== reviewed.doubt) show(following)
  }, [review?.version])
  /** The list that the person is at, with the row if they are at one: where the focus is, or else the selected value. */
  const keyboardPlace = (): { readonly list?: string; readonly row?: ShownRow | undefined } => {
    const focused = rowAt(document.activeElement)
    const selected = listOf(response, picked ?? '')
    const list = focused?.list ?? selected.list
    if (list === undefined) return picked === null ? { ...firstList(place.current) } : {}
    const shown = rows.shown(list, itemsAt(response, list))
    const isHere = (row: ShownRow) =>
      focused ? row.key === focused.key : row.kind === 'row' && row.index === selected.index
    return { list, row: shown.find(isHere) }
  }
  useKey('r', () => {
    const { list, row } = keyboardPlace()
    if (rows.edit && list !== undefined && row) toggleRow(rows.edit, list, row)
  })
  useKey('a', () => {
    const { list, row } = keyboardPlace()
    if (list !== undefined) rows.edit?.add(list, row)
  })
  return (
    <div ref={place} class="stack">
      {error && (
        <div class="problem" role="alert">
          <p>{error.message}</p>
          <p class="small">
            <code>{error.code}</code>
            {error.retryable && ' · running it again may succeed'}
          </p>
        </div>
      )}
      {/* The count of fields says the same in fewer words. */}
      {!error && !completeness && usage.message && <p class="hint">{usage.message}</p>}
      <Warnings warnings={execution.warnings} isMessageShown={!error && !completeness} />
      {!hasEnded(status) && !waitsForApproval(execution) && <Waiting execution={execution} steps={steps} />}
      {response !== null && (
        <div class="answer-bar small">
          {completeness && (
            <span class="soft" title={completeness.calibration ?? undefined}>
              {completeness.found} of {completeness.asked} fields found
              {completeness.max_wrong_rate !== null && `, held to ${completeness.max_wrong_rate * 100} % wrong`}
              {completeness.low_confidence > 0 && `, ${completeness.low_confidence} less sure`}
            </span>
          )}
          {review?.by && (
            <span class="soft">
              {review.status === 'done' ? 'reviewed' : 'corrected'} by {review.by.name}
            </span>
          )}
          <span class="acts">
            {doubts.length > 0 && (
              <>
                <button
                  type="button"
                  class="small"
                  aria-pressed={isFiltered}
                  onClick={() => setIsFiltered(!isFiltered)}
                >
                  Needs a look ({doubts.length})
                </button>
                <button
                  type="button"
                  class="small"
                  onClick={next}
                  title="Next value that needs a look (key N; Shift+N: the one before)"
                >
                  Next <kbd>N</kbd>
                </button>
              </>
            )}
            {Object.keys(evidence).length > 0 && <Legend />}
          </span>
        </div>
      )}
      {response !== null && (
        <AnswerView
          answer={response}
          evidence={evidence}
          doubts={doubted}
          only={only}
          active={active}
          look={look}
          pick={pick}
          reviewed={reviewed}
          rows={rows}
        />
      )}
      {status === 'completed' && response === null && <p class="soft">The answer is null.</p>}
    </div>
  )
}

/** The innermost list that a place is in, with its row; of a list itself without a row. */
function listOf(answer: Json, pointer: string): { readonly list?: string; readonly index?: number } {
  let found: { list?: string; index?: number } = {}
  let at = ''
  for (const step of [...pointerSteps(pointer), undefined]) {
    if (Array.isArray(valueAt(answer, at))) found = { list: at, ...(step === undefined ? {} : { index: Number(step) }) }
    if (step !== undefined) at += pointerStep(step)
  }
  return found
}

/** The row of a value in the answer; with `isWithin`, the first row of a list or object. */
export const rowOf = (
  answer: HTMLElement | null,
  pointer: string,
  { isWithin = false } = {},
): HTMLElement | undefined =>
  [...(answer?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])].find(({ dataset: { pointer: one } }) =>
    isWithin ? one?.startsWith(`${pointer}/`) : one === pointer,
  )

/** Warnings not covered by the message above the answer: missing fields show their reason in the answer. */
function Warnings({ warnings, isMessageShown }: { warnings: readonly Warning[]; isMessageShown: boolean }) {
  const shown = warnings.filter(({ code }) => code !== 'not_found' && !(isMessageShown && code === 'ignored_field'))
  if (shown.length === 0) return null
  return (
    <ul class="hint" aria-label="Warnings">
      {shown.map(({ code, path, message }) => (
        <li key={code + path}>
          {path && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  )
}

function Waiting({ execution, steps }: { execution: Execution; steps: readonly Step[] }) {
  const words: Partial<Record<Execution['status'], string>> = {
    pending: 'Waiting for its inputs.',
    enqueued: 'Waiting to start.',
    running: `Running…${steps.length > 0 ? ` ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} done.` : ''}`,
    paused: 'Paused. Work done so far is kept.',
  }
  return (
    <p class={`waiting ${execution.status}`} role="status">
      <i aria-hidden="true" /> {words[execution.status] ?? ''}
    </p>
  )
}
