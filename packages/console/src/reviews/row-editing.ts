import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { type Json, type JsonObject, pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { correctedPlaces, originalPlace, originsOf } from '@skillrun/core/list-rows.ts'
import { useMemo, useRef } from 'preact/hooks'
import { useSignal } from '../state.ts'
import type { Execution } from '../wire.ts'
import { changeList, draftOf, reviewDraft } from './draft.ts'
import { draftedList, type ListDraft, type ShownRow, shownRows } from './list-rows.ts'
import { cellsOf, type RowCell, typedRow, withValue } from './new-row.ts'
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
  of: { schema: JsonObject | undefined; isCorrecting: boolean; onSubmit: () => void },
): AnswerRows {
  const { id, response, reviewed_response: reviewed } = execution
  const { schema, isCorrecting } = of
  const answer = (reviewed ?? response) as Json
  const changes = execution.review?.changes ?? noChanges
  const { lists } = draftOf(useSignal(reviewDraft), id)
  const fresh = useRef<number | undefined>(undefined)
  const latest = useRef(of)
  latest.current = of
  return useMemo(() => {
    const keyOf = keysOfLists(changes)
    const change = (list: string, by: (before: ListDraft) => ListDraft) => changeList(id, keyOf(list), by)
    const shown = rowsShown(changes, lists)
    const edit: RowEditing = {
      isList: (pointer) => typesOf(schemaAt(schema, pointer)).includes('array'),
      cells: (list, items) => cellsOf(schema, list, items),
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
  }, [id, answer, changes, lists, schema, isCorrecting])
}

/** The name of a list in a draft: its place in the response, which stays when rows are removed. */
function keysOfLists(changes: readonly ReviewChange[]): (list: string) => string {
  const origins = originsOf(changes)
  return (list) => originalPlace(origins, list) ?? list
}

function rowsShown(
  changes: readonly ReviewChange[],
  lists: Readonly<Record<string, ListDraft>>,
): (list: string, items: readonly Json[]) => readonly ShownRow[] {
  const keyOf = keysOfLists(changes)
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return (list, items) => shownRows(items, byPath.get(keyOf(list)), lists[keyOf(list)])
}

/** The changes to save for drafted rows, those of inner lists first. Throws WrongCell. */
export function rowChanges(
  { response, reviewed_response: reviewed, review }: Pick<Execution, 'response' | 'reviewed_response' | 'review'>,
  lists: Readonly<Record<string, ListDraft>>,
  schema: JsonObject | undefined,
): readonly JsonObject[] {
  const answer = (reviewed ?? response) as Json
  const changes = review?.changes ?? noChanges
  const shown = rowsShown(changes, lists)
  const placeOf = correctedPlaces(changes)
  const depth = (pointer: string) => pointerSteps(pointer).length
  const pointers = Object.keys(lists).map((key) => placeOf(key) ?? key)
  let root = answer
  return pointers
    .toSorted((a, b) => depth(b) - depth(a))
    .map((path) => {
      const items = itemsAt(answer, path)
      const cells = cellsOf(schema, path, items)
      const { value, rows } = draftedList(shown(path, items), (row) =>
        row.kind === 'new' ? typedRow(cells, row.added.cells) : (valueAt(root, path + pointerStep(row.index)) ?? null),
      )
      root = withValue(root, pointerSteps(path), value)
      return { path, kind: 'corrected', value, rows }
    })
}

function itemsAt(answer: Json, list: string): readonly Json[] {
  const items = valueAt(answer, list)
  return Array.isArray(items) ? items : []
}
