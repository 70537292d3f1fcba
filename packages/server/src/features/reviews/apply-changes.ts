import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, pointerSteps, valueAt } from '@skillrun/core/json.ts'
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

/** The combined changes of all reviews: one entry per path with the latest kind. A change of an object or list replaces earlier ones inside it. */
export function mergedChanges(
  response: Json,
  reviewed: Json,
  edits: readonly { readonly path: string; readonly kind: ReviewChange['kind'] }[],
): readonly ReviewChange[] {
  const latest = new Map<string, ReviewChange['kind']>()
  for (const { path, kind } of edits) {
    for (const known of latest.keys()) if (known.startsWith(`${path}/`)) latest.delete(known)
    latest.delete(path)
    latest.set(path, kind)
  }
  return [...latest].map(([path, kind]) => {
    const from = valueAt(response, path) ?? null
    const to = valueAt(reviewed, path) ?? null
    return { path, from, to, kind }
  })
}

/** Whether a reviewer confirmed the original value. */
export const isAgreed = ({ from, to }: ReviewChange): boolean => isDeepStrictEqual(from, to) || sameValue(to, from)
