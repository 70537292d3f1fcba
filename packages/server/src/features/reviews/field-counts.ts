import { isJsonObject, type Json, pointerStep } from '@skillrun/core/json.ts'
import { correctedPlaces } from '@skillrun/core/list-rows.ts'
import type { ReviewChange } from '../executions/executions.ts'
import { isAgreed } from './apply-changes.ts'
import { fieldAt } from './field-at.ts'
import type { FieldCounts } from './store.ts'

/** Fields counted per answer: a map of amounts can have any number of names. */
const fieldsMax = 500

/** The result of a finished review per field: confirmed, corrected, or untouched. `reviewed`: the response with the changes. */
export function fieldCounts(response: Json, changes: readonly ReviewChange[], reviewed: Json): FieldCounts {
  const counts = new Map<string, { confirmed: number; corrected: number; untouched: number }>()
  const add = (pointer: string, what: 'confirmed' | 'corrected' | 'untouched') => {
    const field = fieldAt(pointer, response, reviewed)
    const known = counts.get(field)
    if (!known && counts.size >= fieldsMax) return
    counts.set(field, { confirmed: 0, corrected: 0, untouched: 0, ...known, [what]: (known?.[what] ?? 0) + 1 })
  }
  for (const change of changes) add(change.path, isAgreed(change) ? 'confirmed' : 'corrected')
  const touched = new Set(changes.flatMap(({ path, rows }) => (rows ? [] : [path])))
  const placeOf = correctedPlaces(changes)
  const walk = (value: Json, pointer: string): void => {
    // A removed row is part of the change of its list.
    if (touched.has(pointer) || placeOf(pointer) === undefined) return
    if (Array.isArray(value)) for (const [n, one] of value.entries()) walk(one, pointer + pointerStep(n))
    else if (isJsonObject(value))
      for (const [name, one] of Object.entries(value)) walk(one, pointer + pointerStep(name))
    else add(pointer, 'untouched')
  }
  walk(response, '')
  return Object.fromEntries(counts)
}
