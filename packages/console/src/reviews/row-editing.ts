import type { ReviewChange } from '@skillrun/client/openapi.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { useMemo, useRef } from 'preact/hooks'
import { useSignal } from '../state.ts'
import type { Execution } from '../wire.ts'
import { changeList, draftOf, reviewDraft } from './draft.ts'
import type { ListDraft, ShownRow } from './list-rows.ts'
import { cellsOf, isTyped, type RowCell } from './new-row.ts'
import { itemsAt, rowsShown } from './row-changes.ts'
import type { RowPlaces } from './row-places.ts'
import { habitsOf, schemaAt, typesOf, type WritingHabits } from './typed-value.ts'

/** The rows of the lists of an answer; places are those of the corrected answer. */
export interface AnswerRows {
  /** The rows of a list as they are shown. */
  readonly shown: (list: string, items: readonly Json[]) => readonly ShownRow[]
  /** Changes rows; undefined while nobody corrects. */
  readonly edit: RowEditing | undefined
}

/** Changes rows of lists, which stay as they are until somebody saves them. */
export interface RowEditing {
  /** Whether the schema has a list here. */
  readonly isList: (pointer: string) => boolean
  readonly cells: (list: string, items: readonly Json[]) => readonly RowCell[]
  /** Removes a row, or keeps it after all; puts back one that a review removed; takes back an added one. */
  readonly toggle: (list: string, row: ShownRow) => void
  /** Adds a row after another; undefined: at the end. */
  readonly add: (list: string, after: ShownRow | undefined) => void
  readonly type: (list: string, id: number, cell: Readonly<Record<string, string>>) => void
  /** Whether the row was just added, so that its first cell takes the focus; says it once. */
  readonly takesFocus: (id: number) => boolean
  readonly submit: () => void
  readonly habits: WritingHabits
}

const noChanges: readonly ReviewChange[] = []

/** The rows of the answer of an execution. `onSubmit`: the person wants to save them. */
export function useAnswerRows(
  execution: Execution,
  of: { places: RowPlaces; schema: JsonObject | undefined; isCorrecting: boolean; onSubmit: () => void },
): AnswerRows {
  const { id, response, reviewed_response: reviewed, evidence, warnings } = execution
  const { places, schema, isCorrecting } = of
  const answer = (reviewed ?? response) as Json
  const changes = execution.review?.changes ?? noChanges
  const { lists } = draftOf(useSignal(reviewDraft), id)
  const fresh = useRef<number | undefined>(undefined)
  const latest = useRef(of)
  latest.current = of
  return useMemo(() => {
    const change = (list: string, by: (before: ListDraft) => ListDraft) => changeList(id, places.nameOf(list), by)
    const shown = rowsShown(places, changes, lists)
    const edit: RowEditing = {
      isList: (pointer) => typesOf(schemaAt(schema, pointer)).includes('array'),
      cells: (list, items) => cellsOf(schema, list, items).filter(isTyped),
      toggle: (list, row) =>
        change(list, ({ removed, added }) =>
          row.kind === 'new'
            ? { removed, added: added.filter(({ id }) => id !== row.added.id) }
            : {
                added,
                removed: removed.includes(row.key) ? removed.filter((one) => one !== row.key) : [...removed, row.key],
              },
        ),
      add: (list, after) => {
        const all = shown(list, itemsAt(answer, list))
        const before = after ? all.slice(0, all.findIndex(({ key }) => key === after.key) + 1) : all
        const follows = before.findLast(({ kind }) => kind === 'row')?.key ?? null
        change(list, ({ removed, added }) => {
          const row = { id: Math.max(0, ...added.map((one) => one.id)) + 1, after: follows, cells: {} }
          fresh.current = row.id
          const at = after?.kind === 'new' ? added.findIndex(({ id }) => id === after.added.id) + 1 : added.length
          return { removed, added: added.toSpliced(at, 0, row) }
        })
      },
      type: (list, row, cell) =>
        change(list, ({ removed, added }) => ({
          removed,
          added: added.map((one) => (one.id === row ? { ...one, cells: { ...one.cells, ...cell } } : one)),
        })),
      takesFocus: (row) => {
        const takes = fresh.current === row
        if (takes) fresh.current = undefined
        return takes
      },
      submit: () => latest.current.onSubmit(),
      habits: habitsOf({ evidence, response, warnings }),
    }
    return { shown, edit: isCorrecting ? edit : undefined }
  }, [id, answer, changes, places, lists, schema, isCorrecting])
}
