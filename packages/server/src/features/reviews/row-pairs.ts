import { isJsonObject, type Json } from '@skillrun/core/json.ts'

/** Of longer lists the rows are paired by their places. */
const pairsMax = 250_000

/**
 * For each row the one of the other list that it has become, in the same order, so that the most values stay: the heaviest common
 * subsequence. Undefined: none.
 */
export function rowPairs(before: readonly Json[], after: readonly Json[]): readonly (number | undefined)[] {
  if (before.length * after.length > pairsMax) return before.map((_, at) => (at < after.length ? at : undefined))
  const [old, now] = [before.map(cellsOf), after.map(cellsOf)]
  const width = after.length + 1
  const likeness = (i: number, j: number) => sharedPart(old[i], now[j])
  /** Of the rows from these two on. */
  const best = new Float64Array((before.length + 1) * width)
  const bestOf = (i: number, j: number) => best[i * width + j] ?? 0
  const paired = (i: number, j: number) => bestOf(i + 1, j + 1) + likeness(i, j)
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      best[i * width + j] = Math.max(bestOf(i + 1, j), bestOf(i, j + 1), paired(i, j))
  const pairs: (number | undefined)[] = before.map(() => undefined)
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (likeness(i, j) > 0 && paired(i, j) === bestOf(i, j)) {
      pairs[i] = j
      i += 1
      j += 1
    } else if (bestOf(i + 1, j) === bestOf(i, j)) i += 1
    else j += 1
  }
  return pairs
}

type Cells = ReadonlyMap<string, string>

const cellsOf = (row: Json): Cells =>
  new Map(
    Object.entries(isJsonObject(row) ? row : { value: row }).flatMap(([name, value]) =>
      value === null ? [] : [[name, JSON.stringify(value)] as const],
    ),
  )

/** The share of the values of two rows that are equal. */
function sharedPart(one: Cells | undefined, other: Cells | undefined): number {
  if (!one || !other) return 0
  let shared = 0
  for (const [name, text] of one) if (other.get(name) === text) shared += 1
  return shared / Math.max(one.size, other.size, 1)
}
