import { isDeepStrictEqual } from 'node:util'
import { canonicalText } from '@skillrun/core/canonical-json.ts'
import { isJsonObject, type Json, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import {
  correctedPlaces,
  originalPlace,
  originsOf,
  placesAbove,
  type RowOrigins,
  type RowsChange,
} from '@skillrun/core/list-rows.ts'
import { sameValue } from '../../agent/same-value.ts'
import type { ReviewChange } from '../executions/executions.ts'

/** A requested change with its resolved value. Without a value: empty the place. */
export interface Correction {
  readonly path: string
  readonly kind: ReviewChange['kind']
  readonly value: Json
  /** Remove the property, because the schema does not allow null there. */
  readonly isRemoved?: boolean
}

/** Why a change is impossible. */
export class BadCorrection extends Error {}

/**
 * The value with one place replaced. Creates objects on the path that the answer left out, such as a vendor of which nothing was found. List
 * items cannot be removed, because the following ones would move.
 */
export function withEdit(root: Json, { path, value, kind, isRemoved = false }: Correction): Json {
  if (path !== '' && !path.startsWith('/'))
    throw new BadCorrection('path should be a JSON Pointer into the response, such as /total or /line_items/0/amount')
  return set(root, pointerSteps(path), { path, value, isAbsent: kind === 'absent', isRemoved })
}

function set(
  at: Json,
  [step, ...rest]: readonly string[],
  to: { readonly path: string; readonly value: Json; readonly isAbsent: boolean; readonly isRemoved: boolean },
): Json {
  if (step === undefined) return to.value
  if (Array.isArray(at)) {
    const index = isIndex(step) ? Number(step) : Number.NaN
    if (!(index <= at.length) || (index === at.length && (rest.length > 0 || to.isAbsent)))
      throw new BadCorrection(
        `path ${to.path} is not in the response: the list has ${at.length} items; ${at.length} as the last step appends one`,
      )
    if (rest.length === 0 && to.isAbsent)
      throw new BadCorrection(
        `path ${to.path} is a row of a list; to remove it, correct the list to one without the row`,
      )
    return at.toSpliced(index, 1, set((at[index] as Json | undefined) ?? null, rest, to))
  }
  // A missing value has nothing inside that could be emptied.
  if (at === null && to.isAbsent) return at
  if (at === null && !isIndex(step)) return { [step]: set(null, rest, to) }
  if (!isJsonObject(at))
    throw new BadCorrection(
      `path ${to.path} is not in the response: there is no object or list that holds ${JSON.stringify(step)}`,
    )
  if (to.isAbsent && rest.length > 0 && !Object.hasOwn(at, step)) return at
  if (rest.length === 0 && to.isRemoved) return Object.fromEntries(Object.entries(at).filter(([name]) => name !== step))
  return { ...at, [step]: set(Object.hasOwn(at, step) ? (at[step] ?? null) : null, rest, to) }
}

const isIndex = (step: string): boolean => /^(0|[1-9]\d{0,8})$/.test(step)

/** A change with the rows that a list has after it. */
export interface ReviewEdit extends RowsChange {
  readonly to?: unknown
}

/** Follows where the rows of a corrected answer come from, change by change. */
interface FollowedRows {
  /** By the place of the list in the response. */
  readonly origins: ReadonlyMap<string, RowOrigins>
  /** Takes the next change; returns its place in the response, and undefined in an added row. */
  add(change: ReviewEdit): string | undefined
}

/** Goes on from the combined changes of earlier reviews. */
export function followRows(response: Json, changes: readonly RowsChange[]): FollowedRows {
  const origins = new Map(originsOf(changes))
  // No row in what was replaced without `rows` is one of the response.
  const replaced = new Set(changes.flatMap(({ path, kind, rows }) => (kind === 'confirmed' || rows ? [] : [path])))
  const add = ({ path, kind, rows, to }: ReviewEdit) => {
    const place = originalPlace(origins, path)
    // What is confirmed keeps its rows.
    if (place === undefined || kind === 'confirmed') return place
    const isNew = [place, ...placesAbove(place)].some((one) => replaced.has(one))
    const known = origins.get(place) ?? (isNew ? [] : undefined)
    const composed = known
      ? putBack(
          rows?.map((row) => (row === null ? row : (known[row] ?? null))),
          isNew ? [] : valueAt(response, place),
          to,
        )
      : (rows ?? undefined)
    const isReplaced = replacedBy(place, composed)
    for (const one of origins.keys()) if (one === place || isReplaced(one)) origins.delete(one)
    if (composed) origins.set(place, composed)
    else replaced.add(place)
    return place
  }
  return { origins, add }
}

/**
 * A new row that says what a removed row of the response said, between the same others, is that row again: somebody has put it back.
 */
function putBack(rows: RowOrigins | null | undefined, from: unknown, to: unknown): RowOrigins | undefined {
  if (!rows) return undefined
  if (!Array.isArray(from) || !Array.isArray(to)) return rows
  const kept = new Set(rows)
  const removed = [...from.keys()].filter((at) => !kept.has(at)).toReversed()
  const placesOf = Map.groupBy(removed, (at) => canonicalText(from[at]))
  let least = 0
  let next = from.length
  const ends = rows.toReversed().map((row) => (next = row ?? next))
  return rows.map((row, at) => {
    const places = row === null ? (placesOf.get(canonicalText(to[at])) ?? []) : []
    while ((places.at(-1) ?? least) < least) places.pop()
    const found = row ?? places.at(-1) ?? from.length
    if (row === null && found >= (ends.at(-1 - at) ?? 0)) return null
    least = Math.max(least, found + 1)
    return found
  })
}

/** Whether a place is in what a change replaced, and not in a row that it kept. */
function replacedBy(place: string, rows: RowOrigins | undefined): (one: string) => boolean {
  const kept = new Set(rows?.map((row) => `${place}/${row}`))
  return (one) => one.startsWith(`${place}/`) && !kept.has(one.slice(0, `${one}/`.indexOf('/', place.length + 1)))
}

/**
 * The combined changes of all reviews: one entry per place of the response with the latest kind. `edits` name places as they were just before
 * each. A change of an object or list replaces earlier ones inside it, but those of the rows that a list keeps.
 */
export function mergedChanges(response: Json, reviewed: Json, edits: readonly ReviewEdit[]): readonly ReviewChange[] {
  const latest = new Map<string, ReviewChange['kind']>()
  const { origins, add } = followRows(response, [])
  for (const edit of edits) {
    const place = add(edit)
    // In an added row: the change of its list has it.
    if (place === undefined) continue
    const isReplaced = replacedBy(place, edit.rows ? origins.get(place) : undefined)
    // A list whose rows are corrected stays so when it, or what holds it, is confirmed.
    for (const one of latest.keys()) if (isReplaced(one) && !origins.has(one)) latest.delete(one)
    latest.delete(place)
    latest.set(place, edit.kind === 'confirmed' && origins.has(place) ? 'corrected' : edit.kind)
  }
  const placeOf = correctedPlaces([...origins].map(([path, rows]) => ({ path, kind: 'corrected', rows })))
  return [...latest].map(([path, kind]) => {
    const from = valueAt(response, path) ?? null
    const to = valueAt(reviewed, placeOf(path) ?? path) ?? null
    const rows = origins.get(path)
    // Rows may have been appended since.
    return { path, from, to, kind, ...(rows && Array.isArray(to) ? { rows: to.map((_, at) => rows[at] ?? null) } : {}) }
  })
}

/** Where the rows of a list come from if nobody said it: equal rows at its start and its end are the same rows. */
export function rowsBetween(before: readonly Json[], after: readonly Json[]): RowOrigins {
  const least = Math.min(before.length, after.length)
  const moved = before.length - after.length
  const isSame = (at: number, from: number) => isDeepStrictEqual(after[at], before[from])
  let start = 0
  while (start < least && isSame(start, start)) start += 1
  let end = after.length
  while (end > start && end + moved > start && isSame(end - 1, end - 1 + moved)) end -= 1
  return after.map((_, at) => (at < start ? at : at >= end ? at + moved : null))
}

/** Whether a reviewer confirmed the original value. */
export const isAgreed = ({ from, to }: ReviewChange): boolean => isDeepStrictEqual(from, to) || sameValue(to, from)
