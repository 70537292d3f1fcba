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
import { schemaAt, typesOf } from './typed-value.ts'

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
  /** Removes a row, or keeps it after all. */
  readonly toggle: (list: string, key: string) => void
  /** Adds a row after the one with this key; undefined: at the end. */
  readonly add: (list: string, after: string | undefined) => void
  readonly type: (list: string, id: number, cell: Readonly<Record<string, string>>) => void
  /** Takes back an added row. */
  readonly drop: (list: string, id: number) => void
  /** Whether the row was just added, so that its first cell takes the focus; says it once. */
  readonly takesFocus: (id: number) => boolean
  readonly submit: () => void
}

const noChanges: readonly ReviewChange[] = []

/** The rows of the answer of an execution. `onSubmit`: the person wants to save them. */
export function useAnswerRows(
  execution: Execution,
  of: { places: RowPlaces; schema: JsonObject | undefined; isCorrecting: boolean; onSubmit: () => void },
): AnswerRows {
  const { id, response, reviewed_response: reviewed } = execution
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
      toggle: (list, key) =>
        change(list, ({ removed, added }) => ({
          added,
          removed: removed.includes(key) ? removed.filter((one) => one !== key) : [...removed, key],
        })),
      add: (list, after) => {
        const last = shown(list, itemsAt(answer, list)).findLast(({ kind }) => kind === 'row')?.key
        change(list, ({ removed, added }) => {
          const row = { id: Math.max(0, ...added.map((one) => one.id)) + 1, after: after ?? last ?? null, cells: {} }
          fresh.current = row.id
          return { removed, added: [...added, row] }
        })
      },
      type: (list, row, cell) =>
        change(list, ({ removed, added }) => ({
          removed,
          added: added.map((one) => (one.id === row ? { ...one, cells: { ...one.cells, ...cell } } : one)),
        })),
      drop: (list, row) =>
        change(list, ({ removed, added }) => ({ removed, added: added.filter((one) => one.id !== row) })),
      takesFocus: (row) => {
        const takes = fresh.current === row
        if (takes) fresh.current = undefined
        return takes
      },
      submit: () => latest.current.onSubmit(),
    }
    return { shown, edit: isCorrecting ? edit : undefined }
  }, [id, answer, changes, places, lists, schema, isCorrecting])
}
