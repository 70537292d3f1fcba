import { Fault } from '@skillrun/core/fault.ts'
import type { Job } from '@skillrun/core/job.ts'
import { isJsonObject, type Json, pointerStep } from '@skillrun/core/json.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import { limits } from '../core/limits.ts'
import { sameValue } from './same-value.ts'

/** One leaf of two answers. */
export interface FieldComparison {
  /** JSON Pointer in the expected answer; for a value that only the actual answer has, its own pointer after `+`. */
  readonly pointer: string
  /** Its field: the pointer with `*` for each row of a list, without the `+`. */
  readonly field: string
  readonly expected: Json
  readonly actual: Json
  readonly agrees: boolean
}

/** Two answers compared field by field. An empty list means that there was nothing to compare. */
export interface AnswerComparison {
  readonly fields: readonly FieldComparison[]
  readonly agreed: number
}

/** Arrays with more pairs of rows are compared by index, because aligning them would take too long. */
const alignedPairsMax = 40_000

/**
 * Compares an actual answer with the expected one, leaf by leaf, using `sameValue`.
 *
 * Objects are compared by name; a missing name is null. Fields that are null on both sides count as agreeing when the
 * expected answer names them. Arrays are aligned in order so that as many leaves as possible agree: one missing row costs
 * only its own leaves, not those of the rows after it. All leaves of a row without a partner disagree.
 */
export function compareAnswers(expected: Json, actual: Json): AnswerComparison {
  const fields = compareAt(top, expected, actual)
  return { fields, agreed: countAgreed(fields) }
}

/** The share of leaves that agree, 0 to 1; 1 when there are none. */
export const agreementOf = (fields: readonly FieldComparison[]): number =>
  fields.length === 0 ? 1 : countAgreed(fields) / fields.length

/** The field of a leaf. The rows of a list are one field; properties whose names are numbers are not. */
export const fieldOf = ({ field }: FieldComparison): string => field

export const countAgreed = (fields: readonly FieldComparison[]): number =>
  fields.reduce((sum, { agrees }) => sum + (agrees ? 1 : 0), 0)

/** Where a value stands in an answer, and the field that it belongs to. */
interface Place {
  readonly pointer: string
  readonly field: string
}

const top: Place = { pointer: '', field: '' }
const memberOf = ({ pointer, field }: Place, name: string): Place => ({
  pointer: pointer + pointerStep(name),
  field: field + pointerStep(name),
})
const rowOf = ({ pointer, field }: Place, row: number): Place => ({
  pointer: pointer + pointerStep(row),
  field: `${field}/*`,
})

function compareAt(place: Place, expected: Json, actual: Json): readonly FieldComparison[] {
  if (isJsonObject(expected) && (isJsonObject(actual) || actual === null)) {
    const given = actual ?? {}
    const names = [...new Set([...Object.keys(expected), ...Object.keys(given)])]
    return names.flatMap((name) => {
      const [known, found] = [own(expected, name), own(given, name)]
      // An empty field that only the actual answer has does not count.
      if (!Object.hasOwn(expected, name) && isEmpty(found)) return []
      return compareAt(memberOf(place, name), known, found)
    })
  }
  if (Array.isArray(expected) && (Array.isArray(actual) || actual === null))
    return compareLists(place, expected, (actual ?? []) as readonly Json[])
  if (expected === null && (isJsonObject(actual) || Array.isArray(actual)))
    return isEmpty(actual) ? [leaf(place, null, null)] : leavesOf(actual, place).map(extra)
  // Different shapes: every expected leaf is missing.
  if (typeof expected === 'object' && expected !== null)
    return [...leavesOf(expected, place).map(missing), ...leavesOf(actual, place).map(extra)]
  return [leaf(place, expected, actual)]
}

const own = (object: { readonly [name: string]: Json }, name: string): Json =>
  Object.hasOwn(object, name) ? (object[name] ?? null) : null

const leaf = (place: Place, expected: Json, actual: Json): FieldComparison => ({
  ...place,
  expected,
  actual,
  agrees: sameValue(expected, actual),
})

/** Null, blank text, and objects and arrays that contain nothing else. */
function isEmpty(value: Json): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (value === null) return true
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

interface Leaf extends Place {
  readonly value: Json
}

/** The leaves of a value that are not empty. */
function leavesOf(value: Json, place: Place): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, row) => leavesOf(item, rowOf(place, row)))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => leavesOf(one, memberOf(place, name)))
  return isEmpty(value) ? [] : [{ ...place, value }]
}

const extra = ({ pointer, field, value }: Leaf): FieldComparison => ({
  pointer: `+${pointer}`,
  field,
  expected: null,
  actual: value,
  agrees: false,
})

const missing = ({ pointer, field, value }: Leaf): FieldComparison => ({
  pointer,
  field,
  expected: value,
  actual: null,
  agrees: false,
})

/** Two empty arrays are one field that agrees. */
function compareLists(place: Place, expected: readonly Json[], actual: readonly Json[]): readonly FieldComparison[] {
  if (expected.length === 0 && actual.length === 0) return [leaf(place, null, null)]
  return alignment(expected, actual).flatMap(([known, found]) => {
    if (found === null) return leavesOf(expected[known ?? 0] ?? null, rowOf(place, known ?? 0)).map(missing)
    if (known === null) return leavesOf(actual[found] ?? null, rowOf(place, found)).map(extra)
    return compareAt(rowOf(place, known), expected[known] ?? null, actual[found] ?? null)
  })
}

type Pair = readonly [known: number | null, found: number | null]

/** Aligns the rows of two arrays in order: the most agreeing leaves, then the fewest disagreeing ones. */
function alignment(expected: readonly Json[], actual: readonly Json[]): readonly Pair[] {
  const [height, width] = [expected.length, actual.length]
  if (height * width > alignedPairsMax) return placeByPlace(height, width)
  // Agreeing leaves dominate; disagreeing leaves, which include those of unpaired rows, count against.
  const worth = (fields: readonly FieldComparison[]): number =>
    countAgreed(fields) * leavesMax - (fields.length - countAgreed(fields))
  const alone = (rows: readonly Json[]): readonly number[] => rows.map((row) => -leavesOf(row, top).length)
  const [missed, added] = [alone(expected), alone(actual)]
  const best: number[][] = Array.from({ length: height + 1 }, () => new Array<number>(width + 1).fill(0))
  const paired: number[][] = Array.from({ length: height }, () => new Array<number>(width).fill(0))
  const at = (table: readonly (readonly number[])[], row: number, column: number): number => table[row]?.[column] ?? 0
  for (let row = height; row >= 0; row -= 1) {
    for (let column = width; column >= 0; column -= 1) {
      if (row === height && column === width) continue
      const ways = [
        row < height ? (missed[row] ?? 0) + at(best, row + 1, column) : Number.NEGATIVE_INFINITY,
        column < width ? (added[column] ?? 0) + at(best, row, column + 1) : Number.NEGATIVE_INFINITY,
      ]
      if (row < height && column < width) {
        const pair = worth(compareAt(top, expected[row] ?? null, actual[column] ?? null))
        ;(paired[row] as number[])[column] = pair
        ways.push(pair + at(best, row + 1, column + 1))
      }
      ;(best[row] as number[])[column] = Math.max(...ways)
    }
  }
  const pairs: Pair[] = []
  let [row, column] = [0, 0]
  while (row < height || column < width) {
    const here = at(best, row, column)
    if (row < height && column < width && here === at(paired, row, column) + at(best, row + 1, column + 1))
      pairs.push([row++, column++])
    else if (row < height && here === (missed[row] ?? 0) + at(best, row + 1, column)) pairs.push([row++, null])
    else pairs.push([null, column++])
  }
  return pairs
}

/** More leaves than any answer has, so that one agreeing leaf outweighs all disagreeing ones. */
const leavesMax = 1e9

const placeByPlace = (height: number, width: number): readonly Pair[] =>
  Array.from({ length: Math.max(height, width) }, (_, row) => [row < height ? row : null, row < width ? row : null])

const compareAnswersJob: Job<{ pairs: readonly (readonly [Json, Json])[] }, readonly AnswerComparison[]> = {
  name: 'compare answers',
  module: new URL('./compare-answers.job.ts', import.meta.url),
}

/**
 * Compares pairs of a known and a given answer in the process pool: both are a caller's data, and lists of lists take long. When they
 * take too long, either all pairs disagree as a whole, or the result is empty.
 */
export async function comparePairs(
  processPool: Pick<ProcessPool, 'run'>,
  pairs: readonly (readonly [expected: Json, actual: Json])[],
  { tooLarge, signal }: { tooLarge: 'disagree' | 'empty'; signal: AbortSignal },
): Promise<readonly AnswerComparison[]> {
  const terms = { wallMs: limits.compareWallMs, memoryMb: limits.extractMemoryMb, signal }
  return processPool.run(compareAnswersJob, { pairs }, terms).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.retryable) throw error
    const whole = { ...top, expected: 'too large to compare', actual: null, agrees: false }
    return tooLarge === 'empty' ? [] : pairs.map(() => ({ fields: [whole], agreed: 0 }))
  })
}
