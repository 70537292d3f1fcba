import { pointerStep, pointerSteps } from './json.ts'

/** For each row of a corrected list, its index in the list before; null: it was added. */
export type RowOrigins = readonly (number | null)[]

/** A change of an answer by a person. */
export interface RowsChange {
  /** JSON Pointer into the answer before the changes. */
  readonly path: string
  readonly kind: 'corrected' | 'confirmed' | 'absent'
  /** Of a list. */
  readonly rows?: RowOrigins | null | undefined
}

/** The origins of the rows of each changed list, by its pointer in the answer before the changes. */
export const originsOf = (changes: readonly RowsChange[]): ReadonlyMap<string, RowOrigins> =>
  new Map(changes.flatMap(({ path, rows }) => (rows ? [[path, rows] as const] : [])))

/** The place before the changes of a place in the corrected answer; undefined: its row was added. */
export function originalPlace(origins: ReadonlyMap<string, RowOrigins>, pointer: string): string | undefined {
  let original = ''
  for (const step of pointerSteps(pointer)) {
    const rows = origins.get(original)
    const before = rows ? rows[Number(step)] : step
    if (before === undefined || before === null) return undefined
    original += pointerStep(before)
  }
  return original
}

/** Finds the place in the corrected answer of a place before the changes; undefined: its row was removed. */
export function correctedPlaces(changes: readonly RowsChange[]): (pointer: string) => string | undefined {
  const places = new Map(
    [...originsOf(changes)].map(([path, rows]) => [path, new Map(rows.map((before, now) => [before, now]))]),
  )
  return (pointer) => {
    if (places.size === 0) return pointer
    let [original, corrected] = ['', '']
    for (const step of pointerSteps(pointer)) {
      const rows = places.get(original)
      const now = rows ? rows.get(Number(step)) : step
      if (now === undefined) return undefined
      original += pointerStep(step)
      corrected += pointerStep(now)
    }
    return corrected
  }
}

/**
 * What is known of the values of an answer, by the places that they have in the corrected answer. Leaves out what is within a value that a
 * person replaced or emptied as a whole.
 */
export function atCorrectedPlaces<T>(
  known: Readonly<Record<string, T>>,
  changes: readonly RowsChange[],
): Readonly<Record<string, T>> {
  const replaced = new Set(changes.flatMap(({ path, kind, rows }) => (kind === 'confirmed' || rows ? [] : [path])))
  const isMoved = changes.some(({ rows }) => rows)
  if (replaced.size === 0 && !isMoved) return known
  const placeOf = correctedPlaces(changes)
  return Object.fromEntries(
    Object.entries(known).flatMap(([pointer, one]) => {
      const place = placesAbove(pointer).some((above) => replaced.has(above)) ? undefined : placeOf(pointer)
      return place === undefined ? [] : [[place, one] as const]
    }),
  )
}

/** The pointers of what a place is in, without its own. */
export function placesAbove(pointer: string): readonly string[] {
  const steps = pointer.split('/')
  return steps.slice(1).map((_, depth) => steps.slice(0, depth + 1).join('/'))
}
