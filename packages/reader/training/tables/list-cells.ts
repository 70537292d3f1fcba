import { valueAt as foundAt, type Json } from '@skillrun/core/json.ts'
import { readByRules } from '../../src/extract/read-by-rules.ts'
import { rememberingTexts } from '../../src/layout/remembered.ts'
import { visitCells } from '../../src/tables/cells/cell-features.ts'
import { judge } from '../judge.ts'
import type { LabelledDocument } from '../score/labelled.ts'

/** A value of a list that was read: what is known of it, and whether it is in the truth's row. */
export interface LabelledCell {
  /** Its field. */
  readonly pointer: string
  readonly features: Float32Array
  readonly isRight: boolean
}

/** The values of a list that were read of a document. */
export interface LabelledCells {
  readonly set: string
  readonly document: string
  readonly recognised: boolean
  /** Whether the list is one that the document does not have. */
  readonly isStrange: boolean
  readonly cells: readonly LabelledCell[]
}

const valueAt = (value: Json, pointer: string): Json => foundAt(value, pointer) ?? null

/** Longer lists teach nothing more. */
const rowsMax = 200

/** The values that are read of a document's lists, or of another's that it is asked for. */
export function cellsOf(labelled: LabelledDocument, isStrange = false): LabelledCells[] {
  const { set, id, recognised, schema, truth, document } = labelled
  const request = { documents: [{ input: 'document', document }], values: {}, schema }
  return rememberingTexts(() => readByRules(request, schema)).read.flatMap((read): LabelledCells[] => {
    const wanted = valueAt(truth, read.list.pointer)
    if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > rowsMax) return []
    const isSame = (pointer: string, one: Json, given: Json): boolean =>
      labelled.isRight?.(given, one) ??
      judge({ field: pointer.slice(1), value: one, accepted: [], recognised }, given) === 'right'
    const pointers = read.list.columns.map(({ pointer }) => pointer)
    const rows = read.rows.slice(0, rowsMax * 2)
    const rightIn = (row: (typeof rows)[number], item: Json): Set<string> =>
      new Set(
        pointers.filter((pointer) => {
          const [given, one] = [row.get(pointer)?.value ?? null, valueAt(item, pointer)]
          return given !== null && one !== null && isSame(pointer, one, given)
        }),
      )
    const right = aligned(rows.map((row) => wanted.map((item) => rightIn(row, item))))
    const cells: LabelledCell[] = []
    visitCells(read, (at, pointer, features) => {
      if (at < rows.length)
        cells.push({ pointer, features: features.slice(), isRight: right[at]?.has(pointer) === true })
    })
    return [{ set, document: `${id}${read.list.pointer}`, recognised, isStrange, cells }]
  })
}

/** For each row what it has right, where rows and items are paired in their order so that most is right. */
export function aligned(right: readonly (readonly ReadonlySet<string>[])[]): ReadonlySet<string>[] {
  const width = right[0]?.length ?? 0
  const best = Array.from({ length: right.length + 1 }, () => new Int32Array(width + 1))
  const at = (row: number, item: number): number => best[row]?.[item] ?? 0
  const sizeOf = (row: number, item: number): number => right[row]?.[item]?.size ?? 0
  for (let row = right.length - 1; row >= 0; row--)
    for (let item = width - 1; item >= 0; item--)
      (best[row] as Int32Array)[item] = Math.max(
        at(row + 1, item),
        at(row, item + 1),
        at(row + 1, item + 1) + sizeOf(row, item),
      )
  const found: ReadonlySet<string>[] = []
  let item = 0
  for (const [row, sets] of right.entries()) {
    while (item < width && at(row, item) === at(row, item + 1)) item++
    const isPaired = item < width && at(row, item) === at(row + 1, item + 1) + sizeOf(row, item)
    found.push((isPaired ? sets[item] : undefined) ?? new Set())
    if (isPaired) item++
  }
  return found
}
