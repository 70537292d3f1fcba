import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import type { Execution, Json, JsonObject } from '../wire.ts'
import { draftedList, type ListDraft, type ShownRow, shownRows } from './list-rows.ts'
import { cellsOf, typedRow, withValue } from './new-row.ts'
import { type RowPlaces, rowPlaces } from './row-places.ts'
import { habitsOf } from './typed-value.ts'

/** The rows of a list of the corrected answer as they are shown. */
export function rowsShown(
  { nameOf }: RowPlaces,
  changes: readonly ReviewChange[],
  lists: Readonly<Record<string, ListDraft>>,
): (list: string, items: readonly Json[]) => readonly ShownRow[] {
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return (list, items) => shownRows(items, byPath.get(nameOf(list)), lists[nameOf(list)])
}

/** The changes to save for drafted rows, those of inner lists first, without lists that are gone. Throws WrongCell. */
export function rowChanges(
  execution: Pick<Execution, 'response' | 'reviewed_response' | 'review'> & Partial<Pick<Execution, 'evidence'>>,
  lists: Readonly<Record<string, ListDraft>>,
  schema: JsonObject | undefined,
): readonly JsonObject[] {
  const answer = (execution.reviewed_response ?? execution.response) as Json
  const places = rowPlaces(execution)
  const habits = habitsOf(execution)
  const shown = rowsShown(places, execution.review?.changes ?? [], lists)
  const depth = (pointer: string) => pointerSteps(pointer).length
  const pointers = Object.keys(lists).flatMap((name) => places.placeOf(name) ?? [])
  let root = answer
  return pointers
    .toSorted((a, b) => depth(b) - depth(a))
    .map((path) => {
      const items = itemsAt(answer, path)
      const cells = cellsOf(schema, path, items)
      const { value, rows } = draftedList(shown(path, items), (row) => {
        if (row.kind === 'new') return typedRow(cells, row.added.cells, habits)
        return row.kind === 'gone' ? row.value : (valueAt(root, path + pointerStep(row.index)) ?? null)
      })
      root = withValue(root, pointerSteps(path), value)
      return { path, kind: 'corrected', value, rows }
    })
}

export function itemsAt(answer: Json, list: string): readonly Json[] {
  const items = valueAt(answer, list)
  return Array.isArray(items) ? items : []
}
